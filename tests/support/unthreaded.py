"""SQLite without a thread for each connection: calls that never wait run on the event loop.

The trip to the driver's thread and back takes longer than nearly every statement of a test. Others go on in between
as they do in the bot. What may wait for another connection, or outlives its caller, keeps its thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import aiosqlite
import pytest

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


@pytest.fixture
def unthreaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Execute the statements of this test's bot on the event loop, except those that may wait."""
    monkeypatch.setattr(aiosqlite, "connect", connect_unthreaded)
    monkeypatch.setattr(aiosqlite.Connection, "_execute", execute_unthreaded)
