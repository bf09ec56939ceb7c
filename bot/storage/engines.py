"""Makes engines for an SQLite file, a PostgreSQL server, or a transaction pool such as PgBouncer before one.

Connections give up when the machine of a PostgreSQL server vanishes. With the defaults of driver and system they would
wait a minute for the first of several servers, and a quarter of an hour for the answer to a statement.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from functools import partial
from inspect import signature
from typing import Any

from sqlalchemy import URL, Connection, Dialect, PoolResetState, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage import sqlite_connections
from bot.storage.patience import WORK

APPLICATION = "tavoliere"
"""The name of all connections to PostgreSQL, as ``pg_stat_activity`` shows it."""
BUSY_SECONDS = 15.0
IDLE_SECONDS = 10
"""Seconds after which PostgreSQL ends a transaction whose process sends no more statements."""
_POOL: dict[str, Any] = {"pool_size": 10, "max_overflow": 5, "pool_use_lifo": True}
"""Connections kept, and more for a rush. The last one used goes out first: its server has its plans cached."""
TRUSTED_SECONDS = 1.0
"""Seconds after its last use for which a connection is taken for alive without a ping, which is three round trips."""
LET_IN_WITHIN = 4.0
"""Seconds that each of several servers has to accept a connection before the next is tried."""
ALONE_WITHIN = 10.0
"""Seconds that the only server has."""
SILENT_SECONDS = 10
"""Seconds without an acknowledgement after which a connection is given up."""
_PROBES = {"TCP_KEEPIDLE": SILENT_SECONDS // 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": SILENT_SECONDS // 2}
"""Seconds until an idle connection is probed, seconds between probes, and failed probes that end it."""


def sqlite_engine(url: URL) -> AsyncEngine:
    connected = {"timeout": BUSY_SECONDS, "async_creator_fn": sqlite_connections.connect}
    engine = create_async_engine(url, connect_args=connected, pool_reset_on_return=None, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    event.listen(engine.sync_engine, "reset", _reset_sqlite)
    return engine


def postgresql_engine(url: URL, *, limited: bool = False) -> AsyncEngine:
    """Return an engine for a PostgreSQL server; with ``limited``, the server ends statements that take too long."""
    # A process that is suspended inside a transaction loses its locks.
    patience = {"idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s"}
    if limited:
        patience["statement_timeout"] = f"{WORK.transaction:.0f}s"
    return _server_engine(url, server_settings=patience)


def pooled_engine(url: URL) -> AsyncEngine:
    """Return an engine for a PostgreSQL server behind a pool: nothing outlives a transaction on a connection.

    So no statement is prepared under a name, and nothing is set for a session; each transaction sets its own timeout
    (``Database.write``).
    """
    return _server_engine(
        url, statement_cache_size=0, prepared_statement_cache_size=0, prepared_statement_name_func=lambda: ""
    )


async def connect(host: str | Sequence[str] | None = None, port: Any = None, **options: Any) -> Any:
    """Connect to the first server that accepts and is as the options of ``asyncpg.connect`` want it.

    Raises the last server's error, or ``asyncpg.InterfaceError`` for impossible options and ports.
    """
    import asyncpg  # type: ignore[import-untyped]

    unknown = options.keys() - signature(asyncpg.connect).parameters
    if unknown:
        hint = " (`ssl` is what `sslmode` is elsewhere)" if "sslmode" in unknown else ""
        raise asyncpg.InterfaceError(f"its address has options that asyncpg lacks: {', '.join(sorted(unknown))}{hint}")
    ports = [port] if port is None or isinstance(port, int) else list(port)
    if not all(number is None or 0 < number < 2**16 for number in ports):
        raise asyncpg.InterfaceError("its address has a port that cannot be: they go from 1 to 65535")
    if host is None or isinstance(host, str):
        return watch_connection(await asyncpg.connect(host=host, port=port, **{"timeout": ALONE_WITHIN} | options))
    failure: Exception | None = None
    for server, server_port in zip(host, ports, strict=True):
        try:
            connection = await asyncpg.connect(host=server, port=server_port, **options | {"timeout": LET_IN_WITHIN})
        except (OSError, asyncpg.PostgresError, asyncpg.TargetServerAttributeNotMatched) as error:
            failure = error
        else:
            return watch_connection(connection)
    assert failure is not None
    raise failure


def watch_connection(connection: Any) -> Any:
    """Have the system give up a connection whose other end is silent, as far as it can; return the connection."""
    # The driver has no public way to its socket.
    link = connection._transport.get_extra_info("socket")
    if link.family in (socket.AF_INET, socket.AF_INET6):
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (_PROBES | {"TCP_USER_TIMEOUT": SILENT_SECONDS * 1000}).items():
            if (option := getattr(socket, name, None)) is not None:
                link.setsockopt(socket.IPPROTO_TCP, option, value)
    return connection


def _server_engine(url: URL, **options: Any) -> AsyncEngine:
    settings = {"application_name": APPLICATION} | options.pop("server_settings", {})
    connected = options | {"async_creator_fn": connect, "server_settings": settings}
    engine = create_async_engine(url, hide_parameters=True, connect_args=connected, **_POOL)
    event.listen(engine.sync_engine, "invalidate", _abandon)
    event.listen(engine.sync_engine, "checkin", _note_use)
    event.listen(engine.sync_engine, "checkout", partial(_ping_idle, engine.dialect))
    return engine


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _ping_idle(dialect: Dialect, connection: Any, record: Any, _proxy: Any) -> None:
    # A closed connection knows that it is; one that was cut, or whose server was suspended, does not.
    used = record.info.get("used")
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError
    if used is None or time.monotonic() - used < TRUSTED_SECONDS:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        if dialect.is_disconnect(error, connection, None):
            raise InvalidatePoolError from error
        raise


def _abandon(connection: Any, _record: Any, _error: BaseException | None) -> None:
    # SQLAlchemy would say goodbye to a server that does not answer, and wait two seconds for its goodbye.
    connection.driver_connection.terminate()


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions on its own: ``_begin_sqlite`` does.
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for pragma in (
            "synchronous=FULL",
            "foreign_keys=ON",
            # What is deleted is overwritten in the file, too.
            "secure_delete=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
    finally:
        cursor.close()


def _reset_sqlite(connection: Any, _record: Any, state: PoolResetState) -> None:
    connection.driver_connection.begin = None
    # The check is free; a needless rollback costs every transaction a trip to the connection's thread and back.
    if not state.terminate_only and connection.driver_connection.in_transaction:
        connection.rollback()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    driver: Any = connection.connection.driver_connection
    driver.begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
