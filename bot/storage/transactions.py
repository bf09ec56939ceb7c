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
"""How often an operation is tried before its error is raised after all."""
FIRST_WAIT = 0.01
"""Seconds up to which is waited before the second attempt; twice as long before each one after it."""
WHILE_AWAY = 1.0
"""Seconds after which an operation is tried again for which the database was away."""
CANCELLED_AGAIN = 5.0
"""Seconds after which a task that goes on is cancelled once more."""
_SQLSTATES = {"40001": "serialisation", "40P01": "deadlock"}
"""What PostgreSQL's codes mean that ask for another attempt."""


class Conflict(Exception):
    """What a transaction has locked is no longer all it needs to: it begins again, and locks that, too."""


def retried(operation: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Run an operation again from its beginning when its transaction had to give way.

    It has one transaction, or several of which each leaves things in order, and does nothing else that cannot be done
    twice before they are committed.
    """

    @wraps(operation)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in count(1):
            try:
                return await operation(*args, **kwargs)
            except (DBAPIError, Conflict) as error:
                why = _why(error)
                if why is None or attempt == ATTEMPTS:
                    raise
                metrics.TRANSACTIONS_RETRIED.labels(why).inc()
                log.info("transaction retried", operation=operation.__qualname__, reason=why, attempt=attempt)
            await asyncio.sleep(uniform(0, FIRST_WAIT * 2**attempt))
        raise AssertionError("unreachable")

    return run


async def retry_until_stored(operation: Callable[[], Awaitable[T]]) -> T:
    """Run an operation until the database has carried it out, however long that is away.

    It can be done twice: its answer may have been lost. Other errors are raised, ``LeaseLost`` among them.
    """
    while True:
        try:
            return await operation()
        except (DatabaseAway, SQLAlchemyError, OSError) as error:
            log.warning("database away, tried again soon", error=repr(error))
        await asyncio.sleep(WHILE_AWAY)


async def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until all have ended, however.

    A task whose connection to a server breaks just as it is cancelled may never hear of that: where a connection taken
    from the pool is tried first, the error about it takes the place of the cancellation, and another one is opened.
    """
    running = cancelled = set(tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=CANCELLED_AGAIN)
    await asyncio.gather(*cancelled, return_exceptions=True)


def inserting(tx: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert into a table with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    return postgresql.insert(table) if tx.dialect.name == "postgresql" else sqlite.insert(table)


def _why(error: DBAPIError | Conflict) -> str | None:
    """Return why an operation has to be run again; None where that would not help."""
    if isinstance(error, Conflict):
        return "conflict"
    return _SQLSTATES.get(str(getattr(error.orig, "sqlstate", None)))
