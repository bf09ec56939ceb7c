"""Opens the database, brings its schema up to date and gives out transactions.

A write is one transaction. In SQLite there is one at a time: inside one process writes queue up fairly behind a lock,
between processes behind the database's own, which is waited for as long as ``BUSY_SECONDS``. In PostgreSQL writes go on
side by side: each locks what it is about (``bot.storage.locks``), and one that has to give way is run again
(``bot.storage.retrying``).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, nullcontext
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, PoolResetState, event, func, inspect, make_url, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.storage.errors import LeaseLost, StorageError, explained, place
from bot.storage.queries import processes

BUSY_SECONDS = 15.0
IDLE_SECONDS = 10
"""Seconds after which PostgreSQL ends a transaction whose process asks for nothing more."""
MIGRATIONS = Path(__file__).with_name("migrations")
_writing: ContextVar[bool] = ContextVar("_writing", default=False)
"""Whether whoever asks is inside a write transaction."""
MIGRATING = 7_140_001
"""The number of the lock PostgreSQL keeps for whoever migrates."""


class Database:
    """One database, SQLite or PostgreSQL. Open it before use and close it afterwards."""

    def __init__(self, url: str | URL) -> None:
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.file = sqlite_file(self.url)
        self.token: int | None = None
        """The number under which this process has registered with the others, if it has."""
        self._lock = asyncio.Lock()
        self._kept: sqlite3.Connection | None = None
        with explained(self.url):
            self.engine = self._create_engine()

    def _create_engine(self) -> AsyncEngine:
        if not self.sqlite:
            # A process that is suspended amid a transaction does not keep what it has locked.
            patience = {"idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s"}
            return create_async_engine(
                self.url,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={"server_settings": patience},
            )
        engine = create_async_engine(
            self.url, connect_args={"timeout": BUSY_SECONDS}, pool_reset_on_return=None, hide_parameters=True
        )
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        event.listen(engine.sync_engine, "reset", _reset_sqlite)
        return engine

    async def open(self) -> None:
        """Create the database where there is none and apply the migrations it lacks. Raises ``StorageError``."""
        with explained(self.url):
            if self.file is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            current, newest = await self.revisions()
            if self.file is not None:
                # The file's own mode, which it keeps: set here, so that a file that is refused is left as it is.
                with closing(sqlite3.connect(self.file, timeout=BUSY_SECONDS)) as connection:
                    connection.execute("PRAGMA journal_mode=WAL")
            if current != newest:
                async with self.engine.connect() as migrated:
                    if not self.sqlite:
                        # Another process may do so just now: then nothing is left to be done.
                        await migrated.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
                    await migrated.run_sync(upgrade)

    async def revisions(self) -> tuple[str | None, str]:
        """Return the revision the database is at, and the newest one there is. Raises ``StorageError``.

        Refused are a file of another program, and a database written by a newer version of this one.
        """
        with explained(self.url):
            if self.file is not None:
                # Tried directly: the driver's thread outlives a file it cannot open, and complains of the closed loop.
                with closing(sqlite3.connect(self.file)) as connection:
                    connection.execute("PRAGMA schema_version")
            async with self.read() as tx:
                current, newest = await tx.run_sync(revisions)
                foreign = self.sqlite and current is None and await tx.run_sync(_has_tables)
        if foreign:
            raise StorageError(f"The database {place(self.url)} belongs to another program.")
        if current is not None and current not in known_revisions():
            raise StorageError(
                f"The database {place(self.url)} belongs to a newer version of Tavoliere: it is at {current}, "
                f"this one knows no further than {newest}. Run that version, or restore a backup from before."
            )
        return current, newest

    async def occupy(self) -> None:
        """Keep other bots off an SQLite database until this is closed or its process ends, however.

        Raises ``StorageError``.
        """
        with explained(self.url):
            free = not self.sqlite or self._occupy_sqlite()
        if not free:
            raise StorageError(
                f"Another bot is running on the database {place(self.url)}. Two would answer everybody twice: "
                "stop the other one first."
            )

    def _occupy_sqlite(self) -> bool:
        """Lock a file beside the database's own, which stays free for backups; death of any kind unlocks it.

        Beside the file itself, whatever links lead to it: bots that reach it by different ways meet at one lock.
        """
        if self.file is None:
            return True
        kept = sqlite3.connect(f"{self.file.resolve()}.lock", timeout=0, isolation_level=None, check_same_thread=False)
        try:
            kept.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            kept.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                return False
            raise
        self._kept = kept
        return True

    async def close(self) -> None:
        """Close every connection."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()
        await self.engine.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection whose queries all see the same state."""
        async with self.engine.connect() as connection:
            if not self.sqlite:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection that commits at the end of the block, or changes nothing when it raises.

        Others wait for the end of the block, in SQLite all who write, in PostgreSQL those who want what it has locked:
        nothing that takes long may be waited for in it. Raises ``LeaseLost`` where others have taken over.
        """
        async with self._lock if self.sqlite else nullcontext(), self.engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                if self.token is not None and not await processes.there(connection, self.token):
                    raise LeaseLost
                token = _writing.set(True)
                try:
                    yield connection
                finally:
                    _writing.reset(token)

    def check_not_writing(self) -> None:
        """Raise ``RuntimeError`` inside a write transaction, also in a task that was begun in one."""
        if _writing.get():
            raise RuntimeError("inside a write transaction nothing is computed: everybody else's writes wait for it")


def in_sqlite(url: str | URL) -> bool:
    """Return whether a database is one of SQLite, which is for one bot. Needs no driver."""
    return make_url(url).get_backend_name() == "sqlite"


def sqlite_file(url: str | URL) -> Path | None:
    """Return the file of an SQLite database, None for one in memory and for PostgreSQL. Needs no driver."""
    at = make_url(url)
    in_memory = at.database in (None, "", ":memory:")
    return Path(str(at.database)) if at.get_backend_name() == "sqlite" and not in_memory else None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions on its own: ``_begin_sqlite`` does.
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for pragma in (
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={int(BUSY_SECONDS * 1000)}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
    finally:
        cursor.close()


def _reset_sqlite(connection: Any, _record: Any, state: PoolResetState) -> None:
    # Asking costs nothing; a rollback of nothing is a trip to the connection's thread and back, for every transaction.
    if not state.terminate_only and connection.driver_connection.in_transaction:
        connection.rollback()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def alembic_config() -> Config:
    """Return the configuration of the migrations, independent of the working directory."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Apply the migrations up to ``revision`` on an open connection."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def downgrade(connection: Connection, revision: str) -> None:
    """Take back the migrations down to ``revision`` (``base`` for all) on an open connection."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.downgrade(config, revision)


def revisions(connection: Connection) -> tuple[str | None, str]:
    """Return the revision the database is at, None for an empty one, and the newest one there is."""
    newest = _scripts().get_current_head()
    assert newest is not None
    return MigrationContext.configure(connection).get_current_revision(), newest


def _has_tables(connection: Connection) -> bool:
    return bool(set(inspect(connection).get_table_names()) - {"alembic_version"})


def known_revisions() -> set[str]:
    """Return every revision this program knows."""
    return {script.revision for script in _scripts().walk_revisions()}


@cache
def _scripts() -> ScriptDirectory:
    """Return the migrations there are. Reading them takes longer than opening a database that needs none."""
    return ScriptDirectory.from_config(alembic_config())
