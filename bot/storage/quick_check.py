"""Looks at every page of an SQLite file for damage. PostgreSQL checks its pages itself when it reads them."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import structlog

from bot.storage.database import Database
from bot.storage.engines import BUSY_SECONDS
from bot.storage.failures import DAMAGED

log = structlog.get_logger(__name__)


async def look_at_pages(database: Database) -> None:
    """Look at all pages while others read and write, and note damage in ``database.failures``."""
    if database.file is None:
        return
    try:
        sign = await first_damage(database.file)
    except sqlite3.OperationalError as error:
        log.warning("the pages of the database were not all looked at", error=repr(error))
        return
    if sign is not None:
        database.failures.note_damage(sign)
        log.error(DAMAGED, sign=sign)


async def first_damage(file: Path) -> str | None:
    """Return the first sign of damage in a file; None if there is none. Raises ``sqlite3.OperationalError``."""
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        return await asyncio.to_thread(_first_damage, connection)
    except asyncio.CancelledError:
        # The thread ends soon, and closes the connection; perhaps it has already.
        with suppress(sqlite3.ProgrammingError):
            connection.interrupt()
        raise


def _first_damage(connection: sqlite3.Connection) -> str | None:
    with closing(connection):
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            return str(error)
    return None if found == "ok" else str(found).strip().splitlines()[-1]
