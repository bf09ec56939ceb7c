"""How a database is connected to: an SQLite file, a PostgreSQL server, or one behind a pool that gives connections out
for a transaction each, as PgBouncer does.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, PoolResetState, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.connecting import connect

BUSY_SECONDS = 15.0
IDLE_SECONDS = 10
"""Seconds after which PostgreSQL ends a transaction whose process asks for nothing more."""
_POOL: dict[str, Any] = {"pool_size": 10, "max_overflow": 5, "pool_use_lifo": True, "pool_pre_ping": True}
"""A rush needs more connections than are used otherwise; the one used last is used first, for the server keeps what it
has planned with the connection."""


def sqlite_engine(url: URL) -> AsyncEngine:
    """Return an engine for an SQLite database."""
    engine = create_async_engine(
        url, connect_args={"timeout": BUSY_SECONDS}, pool_reset_on_return=None, hide_parameters=True
    )
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    event.listen(engine.sync_engine, "reset", _reset_sqlite)
    return engine


def postgresql_engine(url: URL) -> AsyncEngine:
    """Return an engine for a PostgreSQL server."""
    # A process that is suspended in the middle of a transaction does not keep what it has locked.
    patience = {"idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s"}
    return _server_engine(url, server_settings=patience)


def pooled_engine(url: URL) -> AsyncEngine:
    """Return an engine for a PostgreSQL server behind a pool: nothing outlives a transaction on a connection.

    So no statement is prepared under a name, and nothing is set for a session; the patience of a transaction is set in
    it (``Database.write``).
    """
    return _server_engine(
        url, statement_cache_size=0, prepared_statement_cache_size=0, prepared_statement_name_func=lambda: ""
    )


def _server_engine(url: URL, **options: Any) -> AsyncEngine:
    connected = options | {"async_creator_fn": connect}
    return create_async_engine(url, hide_parameters=True, connect_args=connected, **_POOL)


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
