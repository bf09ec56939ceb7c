"""Connections to SQLite whose statements cost one trip to the thread of their connection and one back.

aiosqlite makes up to four trips for a statement: to make its cursor, to execute it, to fetch its rows and to close the
cursor. Most statements take less than a trip. A transaction begins on the trip of its first statement. Knows no table.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiosqlite


@dataclass(frozen=True, slots=True)
class _Executed:
    """The rows and the counts of an executed statement."""

    description: Any
    rows: list[Any]
    rowcount: int
    lastrowid: int | None


@dataclass(frozen=True, slots=True)
class _InThread:
    """Executes statements, in the thread of their connection."""

    connection: sqlite3.Connection
    begin: str | None
    """What begins the transaction, if the statement is its first."""

    def execute(self, statement: str, parameters: Any) -> _Executed:
        """Execute a statement and fetch its rows."""
        return self._run(lambda cursor: cursor.execute(statement, parameters))

    def executemany(self, statement: str, parameters: Sequence[Any]) -> _Executed:
        """Execute a statement once for each of some parameters."""
        return self._run(lambda cursor: cursor.executemany(statement, parameters))

    def _run(self, execute: Callable[[sqlite3.Cursor], object]) -> _Executed:
        cursor = self.connection.cursor()
        try:
            if self.begin is not None:
                cursor.execute(self.begin)
            execute(cursor)
            rows = [] if cursor.description is None else cursor.fetchall()
            # Read after the rows: a statement that returns some counts them as they are fetched.
            return _Executed(cursor.description, rows, cursor.rowcount, cursor.lastrowid)
        finally:
            cursor.close()


class _Cursor:
    """As much of aiosqlite's cursor as SQLAlchemy uses. All rows are fetched when the statement is executed."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._executed = _Executed(None, [], -1, None)

    async def __aenter__(self) -> _Cursor:
        return self

    async def execute(self, statement: str, parameters: Any = ()) -> _Cursor:
        self._executed = await self._connection.in_thread(_InThread.execute, statement, parameters)
        return self

    async def executemany(self, statement: str, parameters: Sequence[Any]) -> _Cursor:
        """Execute a statement once for each of some parameters."""
        self._executed = await self._connection.in_thread(_InThread.executemany, statement, parameters)
        return self

    async def fetchall(self) -> list[Any]:
        return self._executed.rows

    async def close(self) -> None:
        """Do nothing: the cursor in the thread is closed as soon as the statement is executed."""

    @property
    def description(self) -> Any:
        """The columns of the rows; None for a statement that returns none."""
        return self._executed.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._executed.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The id of the row that was inserted last."""
        return self._executed.lastrowid


class Connection(aiosqlite.Connection):
    """A connection. ``begin`` is the statement that begins the next transaction, with its first statement."""

    begin: str | None = None

    def cursor(self) -> Any:
        """Return a cursor, which costs no trip."""
        return _Cursor(self)

    async def in_thread(self, execute: Callable[[_InThread, str, Any], _Executed], *given: Any) -> _Executed:
        """Execute a statement, in a transaction that begins with it if one is to begin."""
        begin, self.begin = self.begin, None
        # Private, as is the connection below it: aiosqlite's own cursors do the same.
        work = partial(execute, _InThread(self._conn, begin))
        executed: _Executed = await self._execute(work, *given)  # type: ignore[no-untyped-call]
        return executed


def connect(database: str, **options: Any) -> Connection:
    """Return a connection, to be awaited. The options are those of ``sqlite3.connect``."""
    connection = Connection(partial(sqlite3.connect, database, **options), iter_chunk_size=64)
    # As SQLAlchemy does itself: the thread of a connection that was not closed does not keep the process alive.
    connection._thread.daemon = True
    return connection
