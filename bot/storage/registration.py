"""Registers a process among those that share a PostgreSQL database: its token, its lease, and news from the others.

A process that does not renew its lease is removed by the others, which may then claim its work. From then on its token
opens no transaction: ``Database.write`` checks it first, and keeps the process from being removed until the transaction
ends.

After the database was away, no process has renewed its lease. So a process removes others only after it has renewed its
own over one connection for as long as a lease lasts: by then every living process has renewed, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import engines, processes
from bot.storage.database import Database
from bot.storage.errors import LeaseLost, StorageError, place
from bot.storage.exclusive_use import is_locked
from bot.storage.records import Rules
from bot.storage.transactions import cancel_all
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=9)
"""The length of a lease; a process renews it three times as often."""
CHANNEL = "tavoliere"
COALESCED = 0.25
"""Seconds within which news goes out once."""


SKEW = 2.0
"""Seconds by which the clocks of this machine and the database may differ before that is told."""
_RUNNING = getattr(time, "CLOCK_BOOTTIME", None)
"""A clock that goes on while the machine is suspended, where the system has one."""


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Measures elapsed seconds by two clocks: one that is never set, and the time of day."""

    running: float
    of_day: float

    @classmethod
    def started(cls) -> Stopwatch:
        return cls(time.monotonic() if _RUNNING is None else time.clock_gettime(_RUNNING), time.time())

    def elapsed(self) -> float:
        """Return the seconds since the start by the clock that counts more: a pause of the machine may stop one."""
        now = Stopwatch.started()
        return max(now.running - self.running, now.of_day - self.of_day)


class Registration:
    """A process among others, from ``open`` to ``close``.

    ``on_news`` is called when another process has news, ``on_lost`` once when others have taken over from this one.
    ``rules`` are those that this process can play by.
    """

    def __init__(
        self,
        database: Database,
        role: str,
        on_news: Callable[[], None],
        on_lost: Callable[[], None],
        lease: timedelta | None = None,
        rules: Rules | None = None,
    ) -> None:
        self._database = database
        database.signals.on_commit.append(self.tell)
        self._role = role
        self._on_news = on_news
        self._on_lost = on_lost
        self.lease = LEASE if lease is None else lease
        """The length of this process's lease."""
        self._rules = rules
        self._token = 0
        self._renewed: Stopwatch | None = None
        """When the lease was renewed last."""
        self._skew = 0.0
        """By how many seconds the machine's clock is ahead of the database's."""
        self._steady_since = 0.0
        """Since when the lease has been renewed in time over one connection, by the event loop's clock."""
        self._told = asyncio.Event()
        self._listening = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def open(self) -> int:
        """Register, and write under the token from now on; return it.

        Raises ``StorageError`` while the database is being copied or restored.
        """
        async with self._database.write() as tx:
            if await is_locked(tx):
                raise StorageError(
                    f"The database {place(self._database.url)} is being copied or restored: begin when that is done."
                )
            name = f"{socket.gethostname()}:{os.getpid()}"
            self._token = await processes.add(tx, name, self._role, self.lease, self._rules)
        self._database.token = self._token
        self._keeping = asyncio.create_task(self._keep(), name="registration")
        await self._listening.wait()
        return self._token

    def current(self) -> bool:
        """Return whether the lease was renewed in time, so that no process can have removed this one."""
        return self._renewed is not None and self._renewed.elapsed() < self.lease.total_seconds()

    def has_lapsed(self) -> bool:
        """Return whether the lease has expired since it was renewed, so that others may have taken over."""
        return self._renewed is not None and not self.current()

    @property
    def warning(self) -> str | None:
        """Return a sentence about the machine's clock if it differs from the database's, None otherwise."""
        if abs(self._skew) <= SKEW:
            return None
        where = "ahead of" if self._skew > 0 else "behind"
        return (
            f"the clock of this machine is {abs(self._skew):.0f} seconds {where} the database's: set both by NTP, "
            "because deadlines of moves follow the machine that serves"
        )

    def tell(self) -> None:
        """Tell the other processes that there is news, soon and without waiting for it."""
        self._told.set()

    async def close(self) -> None:
        """Remove this process, so that the others may claim its work at once."""
        if self._keeping is None:
            return
        await cancel_all([self._keeping])
        self._keeping = None
        try:
            async with asyncio.timeout(self.lease.total_seconds()), self._database.write() as tx:
                await processes.remove(tx, self._token)
                await _notify(tx, self._token)
        except Exception as error:
            log.info("not signed off, the lease will expire", error=repr(error))

    async def _keep(self) -> None:
        """Stay registered for ever, over lost connections; cancel it to stop."""
        while True:
            try:
                async with self._connection() as connection:
                    self._steady_since = asyncio.get_running_loop().time()
                    self._listening.set()
                    # News sent while this process did not listen is lost, so look for it.
                    self._on_news()
                    while True:
                        async with asyncio.timeout(self.lease.total_seconds()):
                            await self._renew(connection)
                        await self._pass_news_on(connection)
            except LeaseLost as lost:
                metrics.LEASES_LOST.inc()
                log.error("lease lost", token=self._token, error=str(lost))
                self._on_lost()
                return
            except Exception as error:
                log.warning("connection for news and lease lost", error=repr(error))
            self._listening.set()
            await asyncio.sleep(self.lease.total_seconds() / 12)

    async def _renew(self, connection: AsyncConnection) -> None:
        """Renew the lease, and remove processes that could have renewed theirs but did not. Raises ``LeaseLost``."""
        asked_at = asyncio.get_running_loop().time()
        renewing = Stopwatch.started()
        renewed = await processes.renew(connection, self._token, self.lease)
        if renewed is None:
            raise LeaseLost
        earlier_warning = self.warning
        # The difference lies between these two; what may be due to the way there and back does not count.
        least, most = renewing.of_day - renewed.at.timestamp(), time.time() - renewed.at.timestamp()
        self._skew = max(least, min(0.0, most))
        metrics.CLOCK_SKEW_SECONDS.set(self._skew)
        if self.warning is not None and earlier_warning is None:
            log.warning(self.warning)
        self._renewed = renewing
        if not renewed.in_time:
            self._steady_since = asked_at
        if asked_at - self._steady_since < self.lease.total_seconds():
            return
        ended = await processes.end_suspended(connection, engines.IDLE_SECONDS)
        if ended:
            log.warning("connections of a suspended process ended, which held locks", connections=ended)
        removed = await processes.remove_expired(connection)
        if removed:
            log.warning("processes gone without a word, what they had claimed is free", tokens=removed)
            self._on_news()

    async def _pass_news_on(self, connection: AsyncConnection) -> None:
        """Send news to the others until the lease has to be renewed."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.lease.total_seconds() / 3
        while (remaining := until - loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(remaining):
                    await self._told.wait()
            if not self._told.is_set():
                return
            self._told.clear()
            # The lease is renewed over the same connection, which carries out one statement at a time.
            async with asyncio.timeout(self.lease.total_seconds()):
                await _notify(connection, self._token)
            await asyncio.sleep(min(COALESCED, max(0.0, until - loop.time())))

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection that is never inside a transaction, and listens to the others."""
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self.lease.total_seconds()):
                connection = await stack.enter_async_context(self._database.direct.connect())
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                driver: Any = (await connection.get_raw_connection()).driver_connection
                # Never given back to the pool: it would go on listening there.
                stack.push_async_callback(connection.invalidate)
                await driver.add_listener(CHANNEL, self._on_notification)
            yield connection

    def _on_notification(self, _connection: Any, _process: int, _channel: str, payload: object) -> None:
        if str(payload) != str(self._token):
            self._on_news()


async def _notify(connection: AsyncConnection, token: int) -> None:
    """Tell the others that a process has news."""
    await connection.execute(select(func.pg_notify(CHANNEL, str(token))))
