"""Opens the database, brings its schema up to date and gives out transactions.

A write is one ``BEGIN IMMEDIATE`` transaction; inside one process writes queue up fairly behind a lock, and another
process's lock is waited for as long as ``BUSY_SECONDS``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, PoolResetState, event, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

BUSY_SECONDS = 15.0
MIGRATIONS = Path(__file__).with_name("migrations")


class Database:
    """One database, SQLite or PostgreSQL. Open it before use and close it afterwards."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._lock = asyncio.Lock()
        self.engine = self._create_engine()

    def _create_engine(self) -> AsyncEngine:
        if not self.sqlite:
            return create_async_engine(self.url, pool_pre_ping=True)
        engine = create_async_engine(self.url, connect_args={"timeout": BUSY_SECONDS}, pool_reset_on_return=None)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        event.listen(engine.sync_engine, "reset", _reset_sqlite)
        return engine

    async def open(self) -> None:
        """Create the database where there is none and apply the migrations it lacks."""
        if self.sqlite and self.url.database not in (None, "", ":memory:"):
            Path(str(self.url.database)).parent.mkdir(parents=True, exist_ok=True)
        async with self.engine.connect() as connection:
            await connection.run_sync(upgrade)

    async def close(self) -> None:
        """Close every connection."""
        await self.engine.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection whose queries all see the same state."""
        async with self.engine.connect() as connection, connection.begin():
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection that commits at the end of the block, or changes nothing when it raises."""
        async with self._lock, self.engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                yield connection


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions on its own: ``_begin_sqlite`` does.
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for pragma in (
            "journal_mode=WAL",
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


def revisions(connection: Connection) -> tuple[str | None, str | None]:
    """Return the revision the database is at and the newest one there is."""
    newest = ScriptDirectory.from_config(alembic_config()).get_current_head()
    return MigrationContext.configure(connection).get_current_revision(), newest
