"""Connections to SQLite whose statements run in a thread: each costs one trip there and one back.

SQLAlchemy's own asyncio layer works in greenlets on the event loop, which a turn then takes half as much again of. Here
all of SQLAlchemy runs in the thread. A connection is taken from the pool, and a transaction begins, on the trip of its
first statement. Knows no table.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from typing import Any, Self, TypeVar

import sqlalchemy
from sqlalchemy import URL, CursorResult, Executable, PoolResetState, QueuePool, StaticPool, create_engine, event

T = TypeVar("T")
BUSY_SECONDS = 15.0
"""Seconds that a statement waits for the lock of another process."""
CONNECTIONS = 15
"""How many connections are used at a time."""
FREE_WITHIN = 30.0
"""Seconds after which a transaction that finds none of them free is given up."""


class Engine:
    """As much of ``AsyncEngine`` as this program uses, for a database of SQLite."""

    def __init__(self, url: URL) -> None:
        pool = StaticPool if in_memory(url) else QueuePool
        connected = {"timeout": BUSY_SECONDS, "factory": _Driver, "isolation_level": None, "check_same_thread": False}
        self.sync_engine = create_engine(
            # Addresses name the driver of earlier versions.
            url.set(drivername="sqlite+pysqlite"),
            connect_args=connected,
            poolclass=pool,
            pool_reset_on_return=None,
            hide_parameters=True,
        )
        self.dialect = self.sync_engine.dialect
        self._free = asyncio.Semaphore(CONNECTIONS)
        self._threads: list[ThreadPoolExecutor] = []
        event.listen(self.sync_engine, "connect", _prepare)
        event.listen(self.sync_engine, "begin", _begin)
        event.listen(self.sync_engine, "reset", _reset)

    @property
    def pool(self) -> sqlalchemy.Pool:
        """The connections that are open."""
        return self.sync_engine.pool

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Connection]:
        """Give a connection. Raises ``TimeoutError`` if none becomes free."""
        async with asyncio.timeout(FREE_WITHIN):
            await self._free.acquire()
        try:
            thread = self._threads.pop() if self._threads else ThreadPoolExecutor(1, "sqlite")
            connection = Connection(self.sync_engine, thread)
            try:
                yield connection
            finally:
                try:
                    await connection.close()
                finally:
                    self._threads.append(thread)
        finally:
            self._free.release()

    async def dispose(self) -> None:
        """Close every connection that is not in use."""
        # The last one writes the write-ahead log into the file.
        await asyncio.to_thread(self.sync_engine.dispose)
        while self._threads:
            self._threads.pop().shutdown(wait=False)


class Connection:
    """As much of ``AsyncConnection`` as this program uses.

    The thread carries out one call after the other: one whose caller was cancelled delays the next.
    """

    def __init__(self, engine: sqlalchemy.Engine, thread: ThreadPoolExecutor) -> None:
        self.dialect = engine.dialect
        self._engine = engine
        self._thread = thread
        self._options: dict[str, Any] = {}
        self._in_use = False
        """Whether a call has asked for a connection of the pool since the last transaction."""
        self._taken: sqlalchemy.Connection | None = None
        """The connection of the pool. Only the thread looks at it."""

    @property
    def sync_connection(self) -> Self:
        """What has the options."""
        return self

    def get_execution_options(self) -> dict[str, Any]:
        return self._options

    async def execution_options(self, **options: Any) -> Self:
        """Set options of the transactions to come."""
        self._options |= options
        return self

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Execute a statement, once for each of several parameters, and fetch its rows."""
        return await self.run_sync(sqlalchemy.Connection.execute, statement, parameters)

    async def run_sync(self, function: Callable[..., T], *args: Any) -> T:
        """Call a function with SQLAlchemy's connection and some arguments, in the thread."""
        self._in_use = True
        return await self.in_thread(self._call, function, *args)

    def in_thread(self, call: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        """Make a call in the thread."""
        return asyncio.get_running_loop().run_in_executor(self._thread, call, *args)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        """Commit what the block has done; roll it back on an error."""
        try:
            yield
        except BaseException:
            await self.rollback()
            raise
        await self.commit()

    async def commit(self) -> None:
        """End the transaction, and give its connection back."""
        await self._end(sqlalchemy.Connection.commit)

    async def rollback(self) -> None:
        """Undo the transaction, and give its connection back."""
        await self._end(sqlalchemy.Connection.rollback)

    async def close(self) -> None:
        """Undo what was not committed."""
        await self.rollback()

    async def _end(self, end: Callable[[sqlalchemy.Connection], None]) -> None:
        if self._in_use:
            self._in_use = False
            # Carried out also if its caller is cancelled meanwhile.
            await asyncio.shield(self.in_thread(self._give_back, end))

    def _call(self, function: Callable[..., T], *args: Any) -> T:
        if self._taken is None:
            self._taken = self._engine.connect().execution_options(**self._options)
        return function(self._taken, *args)

    def _give_back(self, end: Callable[[sqlalchemy.Connection], None]) -> None:
        taken, self._taken = self._taken, None
        if taken is not None:
            with taken:
                end(taken)


class _Driver(sqlite3.Connection):
    """A connection. ``begin`` is the statement that begins the next transaction, with its first statement."""

    begin: str | None = None

    def cursor(self, _factory: object = None) -> Any:
        """Return a cursor that leaves no rows to fetch later, on the thread of the event loop."""
        return super().cursor(_Cursor)


class _Cursor(sqlite3.Cursor):
    """A cursor that fetches all rows when it executes a statement."""

    connection: _Driver
    _rows: Iterator[Any] = iter(())

    def execute(self, statement: str, parameters: Any = ()) -> Self:
        return self._run(partial(super().execute, statement, parameters))

    def executemany(self, statement: str, parameters: Any) -> Self:
        return self._run(partial(super().executemany, statement, parameters))

    def _run(self, execute: Callable[[], object]) -> Self:
        begin, self.connection.begin = self.connection.begin, None
        if begin is not None:
            super().execute(begin)
        execute()
        self._rows = iter(super().fetchall() if self.description else ())
        return self

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        return list(islice(self._rows, size))

    def fetchall(self) -> list[Any]:
        return list(self._rows)


def in_memory(url: URL) -> bool:
    """Return whether a database of SQLite is kept in no file."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _prepare(connection: Any, _record: Any) -> None:
    for pragma in (
        "synchronous=FULL",
        "foreign_keys=ON",
        # What is deleted is overwritten in the file, too.
        "secure_delete=ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: sqlalchemy.Connection) -> None:
    # The driver must not begin transactions on its own.
    writes = connection.get_execution_options().get("writes", False)
    driver: Any = connection.connection.driver_connection
    driver.begin = "BEGIN IMMEDIATE" if writes else "BEGIN"


def _reset(connection: Any, _record: Any, _state: PoolResetState) -> None:
    connection.begin = None
    if connection.in_transaction:
        connection.rollback()
