"""SQLite without a thread for each connection: calls that never wait run on the event loop.

A bot that is killed at a chosen moment meets it again in the same order, and two weeks of a server take less time.
Other tests use threads as the bot does: without them they saved no processor time that could be measured. What may wait
for another connection, or outlives its caller, keeps its thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import aiosqlite

_STATEMENTS = ("execute", "executemany", "executescript")
_in_thread: Any = aiosqlite.Connection._execute


def needs_thread(connection: Any, function: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Return whether a call of the driver may wait for another writer, or ends a transaction that writes."""
    name = getattr(function, "__name__", "")
    if name in ("commit", "rollback"):
        return getattr(connection, "writes", True)
    if name not in _STATEMENTS or not str(args[0]).startswith("BEGIN"):
        return False
    connection.writes = str(args[0]).startswith("BEGIN IMMEDIATE")
    return bool(connection.writes)


connect_unthreaded: Any = partial(aiosqlite.connect, check_same_thread=False)
"""Connects to a database whose connection may be used in any thread."""


async def execute_unthreaded(connection: Any, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Make a call of a connection, on the event loop unless it may wait."""
    if not connection._running or connection._connection is None or needs_thread(connection, function, args):
        return await _in_thread(connection, function, *args, **options)
    if getattr(function, "__name__", "") in _STATEMENTS:
        await asyncio.sleep(0)
    return function(*args, **options)
