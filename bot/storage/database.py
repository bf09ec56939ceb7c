"""Opens the database, migrates its schema and gives out transactions.

SQLite has one write transaction at a time. Inside one process, writes queue up behind a fair lock; between processes,
they wait for the database's own lock for up to ``engines.BUSY_SECONDS``. On PostgreSQL, writes run side by side: each
locks its subject (``bot.storage.locks``), and one that has to give way runs again (``bot.storage.transactions``).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, nullcontext, suppress
from contextvars import ContextVar
from pathlib import Path

import structlog
from sqlalchemy import URL, Connection, event, func, inspect, make_url, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage import commits, engines, exclusive_use, patience, processes
from bot.storage.errors import (
    CommitUnknown,
    DatabaseAway,
    DatabaseBusy,
    ImpossibleSetting,
    LeaseLost,
    StorageError,
    explain_errors,
    leaves_open,
    place,
    reason,
)
from bot.storage.exclusive_use import Use, check_file, lock_file, lock_server, make_privately, running_on
from bot.storage.failures import Failures
from bot.storage.migrations import refusal, revisions, upgrade
from bot.storage.patience import UNLIMITED, Patience
from bot.storage.processes import Process
from bot.storage.signals import OPTION, Signal, Signals, note_statement
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

_writing: ContextVar[bool] = ContextVar("_writing", default=False)
"""Whether the current task is inside a write transaction."""
LOG_BUSY_SECONDS = 0.1
"""Seconds for which other writers wait at most while the write-ahead log is to be emptied and is in use."""
MIGRATING = 7_140_001
"""The number of the advisory lock that a migration holds on PostgreSQL."""
Held = sqlite3.Connection | AsyncConnection
"""Holds a lock on a database until it is closed."""


class Database:
    """One database, SQLite or PostgreSQL. Open it before use and close it afterwards.

    With a ``direct_url``, the other address leads through a pool that lends a connection for one transaction.
    ``direct`` connects to the server itself, for locks and listening that outlast a transaction.

    A ``limited`` database gives a server up that does not answer in time (``bot.storage.patience``).
    """

    def __init__(self, url: str | URL, direct_url: str | URL | None = None, *, limited: bool = False) -> None:
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._limited = limited and not self.sqlite
        self.direct_url = make_url(direct_url) if direct_url and not self.sqlite else None
        self.file = sqlite_file(self.url)
        self.token: int | None = None
        """The number under which this process has registered with the others, if it has."""
        self.failures = Failures()
        """The operations that this process has seen fail."""
        self.signals = Signals()
        """The news of this process: what its transactions and other processes have stored."""
        self._lock = asyncio.Lock()
        self._kept: Held | None = None
        self._use: Use | None = None
        """The use that the database is locked for, if it is."""
        with explain_errors(self.url):
            if self.sqlite:
                self.engine = engines.sqlite_engine(self.url)
            elif self.direct_url is None:
                self.engine = self._server_engine(self.url)
            else:
                self.engine = engines.pooled_engine(self.url)
            self.direct = self.engine if self.direct_url is None else self._server_engine(self.direct_url)
        event.listen(self.engine.sync_engine, "before_execute", note_statement)

    def _server_engine(self, url: URL) -> AsyncEngine:
        return engines.postgresql_engine(url, limited=self._limited)

    async def open(self, use: Use | None = None, *, unfinished: bool = False) -> None:
        """Create the database where there is none and apply the migrations it lacks.

        With a ``use``, the database is locked for it first, see ``lock``. Raises ``StorageError``, also for an
        unfinished copy, unless ``unfinished`` is set, and while another process uses a database that needs migrations.
        """
        with explain_errors(self.url):
            if self.file is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            if use is not None:
                if self.file is not None and self.file.exists():
                    # Before the lock makes files beside it.
                    await self.revisions(unfinished=True)
                await self.lock(use)
            current, newest = await self.revisions(unfinished=unfinished)
            if self.file is not None:
                # The file keeps this mode. Set here, after the checks, it leaves a refused file unchanged.
                with closing(sqlite3.connect(self.file, timeout=engines.BUSY_SECONDS)) as connection:
                    connection.execute("PRAGMA journal_mode=WAL")
            if current != newest:
                async with self._migration_lock(new=current is None), self.direct.connect() as migrated:
                    if not self.sqlite:
                        await migrated.execute(text("SET LOCAL statement_timeout = 0"))
                        # If another process is migrating, this one waits, and finds nothing left to do.
                        await migrated.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
                    await migrated.run_sync(upgrade)
                await self.empty_log()
            await self.check_direct()

    @asynccontextmanager
    async def _migration_lock(self, *, new: bool) -> AsyncIterator[None]:
        """Hold the lock that a migration needs. Raises ``StorageError`` while another process has it.

        On PostgreSQL it excludes a copy or a restore. On SQLite it also excludes the bot, which may be of an earlier
        version; a ``new`` file needs no lock.
        """
        apart = Use.BOT if self.sqlite else Use.BESIDE
        if self._use in (Use.ALONE, apart) or (self.sqlite and new):
            yield
            return
        held = await self._try_lock(apart)
        if held is None:
            raise StorageError(
                f"The database {place(self.url)} is one of an earlier version and in use: stop what uses it first."
            )
        try:
            yield
        finally:
            await _release(held)

    async def check_direct(self) -> None:
        """Check that both addresses lead to one database that is up to date. Raises ``StorageError`` otherwise."""
        if self.direct_url is None:
            return
        with explain_errors(self.url):
            async with self.read() as tx:
                pooled = await exclusive_use.own_generation(tx)
        with explain_errors(self.direct_url):
            async with self.direct.connect() as connection:
                direct = await exclusive_use.own_generation(connection)
        if pooled != direct:
            raise ImpossibleSetting("DATABASE_URL and DATABASE_DIRECT_URL lead to two different databases.")

    async def revisions(self, *, unfinished: bool = False) -> tuple[str | None, str]:
        """Return the revision of the database, and the newest one. Raises ``StorageError``.

        Refuses a folder, a file with several names or mounted alone, one of another program, a database of a newer
        version or from before the first release, and, unless ``unfinished`` is set, an unfinished copy.
        """
        with explain_errors(self.url):
            if self.file is not None:
                check_file(self.file)
                make_privately(self.file)
                # Not through aiosqlite, whose thread outlives a file it cannot open and complains of the closed loop.
                with closing(sqlite3.connect(self.file)) as connection:
                    connection.execute("PRAGMA schema_version")
            async with self.read() as tx:
                current, newest = await tx.run_sync(revisions)
                foreign = await tx.run_sync(_is_foreign, current)
                half = current == newest and not unfinished and await exclusive_use.copied_from(tx) is not None
        if foreign:
            raise ImpossibleSetting(f"The database {place(self.url)} belongs to another program.")
        if current is not None and (why := refusal(current)) is not None:
            raise ImpossibleSetting(f"The database {place(self.url)} {why}")
        if half:
            raise StorageError(
                f"The database {place(self.url)} is an unfinished copy: give the same `copy` again to finish it."
            )
        return current, newest

    async def lock(self, use: Use = Use.ALONE) -> None:
        """Lock the database for a use, until it is closed or the process ends in any way.

        One bot at a time locks an SQLite database; bots that share PostgreSQL register instead. Raises ``StorageError``
        while another process has a use that excludes this one.
        """
        with explain_errors(self.url):
            self._kept, self._use = await self._try_lock(use), use
            free = self._kept is not None or in_memory(self.url)
            problem = None if free else await self._holder()
            running: list[Process] = []
            if free and use is Use.ALONE and not self.sqlite:
                async with self.write() as tx:
                    running = await running_on(tx)
        if problem is not None:
            raise StorageError(problem)
        if running:
            names = ", ".join(f"{process.role} {process.name}" for process in running)
            raise StorageError(f"The database {place(self.url)} is in use: stop {names} first.")

    async def _try_lock(self, use: Use) -> Held | None:
        """Return the lock, held until it is closed; None if another use excludes this one, or without a file."""
        if self.sqlite:
            return None if self.file is None else lock_file(self.file, use)
        return await lock_server(self.direct, use)

    async def _holder(self) -> str:
        """Return a sentence about the process that holds the lock, from the uses it still allows."""
        copied = f"The database {place(self.url)} is being copied or restored by another command."
        runs = (
            f"Another bot is running on the database {place(self.url)}. Two would answer everybody twice: "
            "stop the other one first."
        )
        for use, sentence in ((Use.BESIDE, copied), (Use.BOT, runs)):
            held = await self._try_lock(use)
            if held is None:
                return sentence
            await _release(held)
        return f"The database {place(self.url)} is being changed by another command: wait until that is done."

    async def close(self) -> None:
        kept, self._kept, self._use = self._kept, None, None
        if kept is not None:
            await _release(kept)
        await self.engine.dispose()
        await self.direct.dispose()

    @property
    def _patience(self) -> Patience:
        return patience.current() if self._limited else UNLIMITED

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        async with AsyncExitStack() as stack:
            try:
                with metrics.DATABASE_WAIT_SECONDS.time():
                    async with asyncio.timeout(self._patience.connection):
                        connection = await stack.enter_async_context(self.engine.connect())
            except (TimeoutError, PoolTimeout) as error:
                raise DatabaseBusy(f"The database {place(self.url)} gave no connection in time.") from error
            except OSError as error:
                # No server listens at the address: SQLAlchemy passes on the error of the driver's socket.
                raise DatabaseAway(f"The database {place(self.url)} {reason(error)}.") from error
            yield connection

    @asynccontextmanager
    async def _in_time(self, kind: str) -> AsyncIterator[None]:
        """Give up what takes too long in the block: its connection is closed. Raises ``TimeoutError`` then."""
        with metrics.DATABASE_SECONDS.labels(kind).time(), self.failures.noting():
            async with asyncio.timeout(self._patience.transaction):
                yield

    def _silent(self) -> DatabaseAway:
        return DatabaseAway(f"The database {place(self.url)} did not answer in time.")

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Open a read-only snapshot transaction. Raises ``DatabaseAway`` if no server answers."""
        async with self._connection() as connection:
            if not self.sqlite:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            try:
                async with self._in_time("read"), connection.begin():
                    yield connection
            except TimeoutError as error:
                raise self._silent() from error

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Open a write transaction: commit on exit, roll back on error.

        Until then others wait: on SQLite all writers, on PostgreSQL those that want its locks. So never await long work
        in the block. After the commit ``signals`` tell what was written. Raises ``LeaseLost`` if others have taken
        over, ``DatabaseAway`` if no server answers, and ``CommitUnknown`` if the connection broke in the commit.
        """
        commits.write_begins()
        written, committed = set[Signal](), set[Signal]()
        try:
            async with self._lock if self.sqlite else nullcontext(), self._connection() as connection:
                await connection.execution_options(writes=True, **{OPTION: written})
                committing = False
                try:
                    async with self._in_time("write"), connection.begin():
                        patience = None if self.direct is self.engine else f"{engines.IDLE_SECONDS}s"
                        if self.token is not None and not await processes.there(connection, self.token, patience):
                            raise LeaseLost
                        token = _writing.set(True)
                        try:
                            yield connection
                        finally:
                            _writing.reset(token)
                        committing = True
                except (DBAPIError, OSError) as error:
                    if committing and not self.sqlite and leaves_open(error):
                        raise CommitUnknown from error
                    if isinstance(error, TimeoutError):
                        raise self._silent() from error
                    raise
                commits.write_committed()
                self.failures.note_stored()
                committed = written
        finally:
            # Last: nothing else runs between this and what the caller does next, such as remembering a state.
            self.signals.committed(committed)

    async def empty_log(self) -> None:
        """Write the write-ahead log of an SQLite file into the file and empty the log, if there is no reader.

        SQLite does so by itself only after many changes: until then the log keeps what a transaction has deleted.
        """
        if self.file is not None:
            async with self._lock:
                await asyncio.to_thread(_empty_log, self.file)

    def check_not_writing(self) -> None:
        """Raise ``RuntimeError`` inside a write transaction, also in a task that was begun in one."""
        if _writing.get():
            raise RuntimeError("compute() called inside a write transaction")


def _empty_log(file: Path) -> None:
    with closing(sqlite3.connect(file, timeout=LOG_BUSY_SECONDS)) as connection:
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            log.warning("write-ahead log not emptied", error=repr(error))


async def _release(held: Held) -> None:
    if isinstance(held, AsyncConnection):
        with suppress(DBAPIError):
            await held.close()
    else:
        held.close()


def in_sqlite(url: str | URL) -> bool:
    """Return whether a database is one of SQLite, which is for one bot. Needs no driver."""
    return make_url(url).get_backend_name() == "sqlite"


def sqlite_file(url: str | URL) -> Path | None:
    """Return the file of an SQLite database, None for one in memory and for PostgreSQL. Needs no driver."""
    at = make_url(url)
    return Path(str(at.database)) if at.get_backend_name() == "sqlite" and not in_memory(at) else None


def in_memory(url: URL) -> bool:
    """Return whether a database of SQLite is kept in no file."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _is_foreign(connection: Connection, current: str | None) -> bool:
    """Return whether a database at a revision is one of another program, which may use Alembic, too."""
    if current is None:
        return has_tables(connection)
    return refusal(current) is not None and not inspect(connection).has_table("matches")


def has_tables(connection: Connection) -> bool:
    """Return whether a database has tables beside the one of its revision."""
    return bool(set(inspect(connection).get_table_names()) - {"alembic_version"})
