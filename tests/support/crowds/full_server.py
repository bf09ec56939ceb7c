"""Fills a PostgreSQL database with any number of matches: a block by ``COPY``, and then copies of that block."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import text

from bot.storage.database import Database
from tests.support.crowds.bulk import number_on, repeat
from tests.support.crowds.filling import servers, write

SERVERS, PEOPLE = 3, 150
"""The servers of a block, and the people of each."""
_PATIENCE = (
    "UPDATE matches SET deadline_at = deadline_at + interval '30 days', remind_at = NULL WHERE state = 'running'"
)


async def fill_block(database: Database, *, running: int, finished: int, now: datetime) -> None:
    """Migrate an empty database and put so many matches into it; none falls due for a month."""
    await database.open()
    async with database.write() as tx:
        # Playing games out needs no transaction.
        await tx.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        places = servers(SERVERS, PEOPLE)
        await tx.run_sync(lambda held: write(held, places, running=running, finished=finished, now=now))
        await number_on(tx)
        await tx.execute(text(_PATIENCE))


async def copy_block(database: Database, copies: int, on_copied: Callable[[int], None] = lambda _: None) -> None:
    """Copy the rows so often, and have the database analyse its tables."""
    async with database.engine.connect() as tx:
        await tx.execution_options(isolation_level="AUTOCOMMIT")
        await repeat(tx, copies, on_copied)
        await tx.execute(text("VACUUM ANALYZE"))
