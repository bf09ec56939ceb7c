"""Runs operations on the database: retries them after a conflict or while the database is away, cancels their tasks.

Knows no table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import wraps
from itertools import count
from random import uniform
from typing import Any, ParamSpec, TypeVar

import structlog
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.errors import DatabaseAway
from bot.telemetry import metrics

log = structlog.get_logger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
ATTEMPTS = 8
"""How often an operation is tried before its error is raised."""
FIRST_WAIT = 0.01
"""The longest random wait before the second attempt, in seconds; it doubles with every further one."""
WHILE_AWAY = 1.0
"""Seconds between attempts while the database is away."""
TOLD_EVERY = 15
"""Log each attempt whose number this divides."""
CANCELLED_AGAIN = 5.0
"""Seconds after which a task that has not ended is cancelled once more."""
_SQLSTATES = {"40001": "serialisation", "40P01": "deadlock"}
"""PostgreSQL's codes that ask for another attempt, and what they mean."""


class Conflict(Exception):
    """The locks of a transaction are too few for what it found. It begins again, and takes them all."""


def retried(operation: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Run an operation again from its beginning when its transaction had to give way.

    The operation has one transaction, or several that each leave consistent rows. It does nothing else before a commit
    that must not happen twice.
    """

    @wraps(operation)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in count(1):
            try:
                return await operation(*args, **kwargs)
            except (DBAPIError, Conflict) as error:
                state = None if isinstance(error, Conflict) else getattr(error.orig, "sqlstate", None)
                why = "conflict" if isinstance(error, Conflict) else _SQLSTATES.get(str(state))
                if why is None or attempt == ATTEMPTS:
                    raise
                metrics.TRANSACTIONS_RETRIED.labels(why).inc()
                log.info("transaction retried", operation=operation.__qualname__, reason=why, attempt=attempt)
            await asyncio.sleep(uniform(0, FIRST_WAIT * 2**attempt))
        raise AssertionError("unreachable")

    return run


async def retry_until_stored(operation: Callable[[], Awaitable[T]]) -> T:
    """Run an operation until the database has carried it out, however long that is away.

    It must be safe to do twice, because its answer may be lost. Other errors are raised, ``LeaseLost`` among them.
    """
    for attempt in count():
        try:
            return await operation()
        except (DatabaseAway, SQLAlchemyError, OSError) as error:
            if attempt % TOLD_EVERY == 0:
                log.warning("database away, tried again soon", error=repr(error))
        await asyncio.sleep(WHILE_AWAY)
    raise AssertionError("unreachable")


async def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until all have ended in any way.

    A task may miss its cancellation if its connection to a server breaks at the same moment: the pool's check of that
    connection replaces the cancellation by an error, and opens another connection.
    """
    running = cancelled = set(tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=CANCELLED_AGAIN)
    await asyncio.gather(*cancelled, return_exceptions=True)


Insert = postgresql.Insert | sqlite.Insert
"""Has ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
Inserts = dict[str, Insert]
"""The same insert, by the name of the dialect."""
INSERTS: dict[str, Callable[[Table], Insert]] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}


def inserting(tx: AsyncConnection, table: Table) -> Insert:
    """Return an insert into a table, for the dialect of a transaction."""
    return INSERTS[tx.dialect.name](table)
