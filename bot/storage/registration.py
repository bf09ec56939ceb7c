"""How a process takes part among those that share a PostgreSQL database: it has a token, renews its lease, and is told
when another has stored something that concerns all.

Whoever does not renew their lease is removed by the others, and what they had claimed is free again. From then on their
token opens no transaction: ``Database.write`` looks for it first, and keeps it from being removed until it is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.errors import LeaseLost
from bot.storage.queries import processes

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=9)
"""How long a process counts as alive after it has last said so; it says so three times as often."""
BOT, THINKER = "bot", "thinker"
"""What a process is there for: to be connected to Discord, or to play the turns of computer players."""
CHANNEL = "tavoliere"
COALESCED = 0.25
"""Seconds within which news are told once."""


class Registration:
    """A process among others, from ``open`` to ``close``.

    ``on_news`` is called when another process has news, ``on_lost`` once when others have taken over from this one.
    """

    def __init__(
        self,
        database: Database,
        role: str,
        on_news: Callable[[], None],
        on_lost: Callable[[], None],
        lease: timedelta | None = None,
    ) -> None:
        self._database = database
        self._role = role
        self._on_news = on_news
        self._on_lost = on_lost
        self._lease = LEASE if lease is None else lease
        self._token = 0
        self._told = asyncio.Event()
        self._listening = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def open(self) -> int:
        """Register, and write under the token from now on; return it."""
        async with self._database.write() as tx:
            self._token = await processes.add(tx, f"{socket.gethostname()}:{os.getpid()}", self._role, self._lease)
        self._database.token = self._token
        self._keeping = asyncio.create_task(self._keep(), name="registration")
        await self._listening.wait()
        return self._token

    def tell(self) -> None:
        """Tell the other processes that there are news, soon and without waiting for it."""
        self._told.set()

    async def close(self) -> None:
        """Leave what was claimed to the others, at once."""
        if self._keeping is None:
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        self._keeping = None
        try:
            async with asyncio.timeout(self._lease.total_seconds()), self._database.write() as tx:
                await processes.remove(tx, self._token)
                await _notify(tx, self._token)
        except Exception as error:
            log.info("not signed off, the lease will expire", error=repr(error))

    async def _keep(self) -> None:
        """Stay registered for ever, over lost connections; cancel it to stop."""
        while True:
            try:
                async with self._connection() as connection:
                    self._listening.set()
                    # What was told while nobody listened is found by looking.
                    self._on_news()
                    while True:
                        await self._renew(connection)
                        await self._pass_news_on(connection)
            except LeaseLost as lost:
                log.error("lease lost", token=self._token, error=str(lost))
                self._on_lost()
                return
            except Exception as error:
                log.warning("connection for news and lease lost", error=repr(error))
            self._listening.set()
            await asyncio.sleep(self._lease.total_seconds() / 12)

    async def _renew(self, connection: AsyncConnection) -> None:
        """Renew the lease, and remove those who have not. Raises ``LeaseLost``."""
        if not await processes.renew(connection, self._token, self._lease):
            raise LeaseLost
        removed = await processes.remove_expired(connection)
        if removed:
            log.warning("processes gone without a word, what they had claimed is free", tokens=removed)
            self._on_news()

    async def _pass_news_on(self, connection: AsyncConnection) -> None:
        """Tell the others what there is to tell until the lease has to be renewed."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._lease.total_seconds() / 3
        while (left := until - loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._told.wait()
                    self._told.clear()
                    await asyncio.shield(_notify(connection, self._token))
                    await asyncio.sleep(COALESCED)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection of our own that is never inside a transaction, and hears what others tell."""
        async with self._database.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await driver.add_listener(CHANNEL, self._heard)
            try:
                yield connection
            finally:
                # Not given back to the pool: it would go on listening there.
                await connection.invalidate()

    def _heard(self, _connection: Any, _process: int, _channel: str, payload: object) -> None:
        if payload != str(self._token):
            self._on_news()


async def _notify(connection: AsyncConnection, token: int) -> None:
    await connection.execute(select(func.pg_notify(CHANNEL, str(token))))
