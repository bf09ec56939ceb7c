"""Connections to SQLite whose statements cost one trip to the thread of their connection and one back.

aiosqlite makes up to four trips for a statement: to make its cursor, to execute it, to fetch its rows and to close the
cursor. Most statements take less than a trip. Knows no table and no transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

    def execute(self, statement: str, parameters: Any) -> _Executed:
        """Execute a statement and fetch its rows."""
        return self._run(lambda cursor: cursor.execute(statement, parameters))

    def executemany(self, statement: str, parameters: Sequence[Any]) -> _Executed:
        """Execute a statement once for each of some parameters."""
        return self._run(lambda cursor: cursor.executemany(statement, parameters))

    def _run(self, execute: Callable[[sqlite3.Cursor], object]) -> _Executed:
        cursor = self.connection.cursor()
        try:
            execute(cursor)
            rows = [] if cursor.description is None else cursor.fetchall()
            # Read after the rows: a statement that returns some counts them as they are fetched.
            return _Executed(cursor.description, rows, cursor.rowcount, cursor.lastrowid)
        finally:
            cursor.close()


class _Cursor:
    """As much of aiosqlite's cursor as SQLAlchemy uses. All rows are fetched when the statement is executed."""

    arraysize = 1

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._executed = _Executed(None, [], -1, None)

    async def __aenter__(self) -> _Cursor:
        return self

    async def execute(self, statement: str, parameters: Any = ()) -> _Cursor:
        # Private, as is the connection below it: aiosqlite's own cursors do the same.
        work = _InThread(self._connection._conn).execute
        self._executed = await self._connection._execute(work, statement, parameters)  # type: ignore[no-untyped-call]
        return self

    async def executemany(self, statement: str, parameters: Sequence[Any]) -> _Cursor:
        """Execute a statement once for each of some parameters."""
        work = _InThread(self._connection._conn).executemany
        self._executed = await self._connection._execute(work, statement, parameters)  # type: ignore[no-untyped-call]
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


def connect(database: str, **options: Any) -> aiosqlite.Connection:
    """Return a connection, to be awaited. The options are those of ``sqlite3.connect``."""
    connection = aiosqlite.connect(database, **options)
    # As SQLAlchemy does itself: the thread of a connection that was not closed does not keep the process alive.
    connection._thread.daemon = True
    connection.cursor = lambda: _Cursor(connection)  # type: ignore[assignment,method-assign,return-value]
    return connection
