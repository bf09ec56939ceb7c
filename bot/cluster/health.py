"""The health and metrics endpoint, on the loopback interface by default. Knows neither Discord nor commands.

Prometheus reads ``/metrics``. Supervisors that restart the process read ``/live``, which fails only if a restart helps.
Proxies and updates, which wait until the process serves people, read ``/ready`` (or ``/health``, which is the same).
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

import structlog
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot import __version__
from bot.cluster import figures
from bot.games import GAMES
from bot.storage import guilds, outbox
from bot.storage.database import Database
from bot.storage.processes import BOT
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LOOPBACK = "127.0.0.1"
DATABASE_TIMEOUT = 5.0
"""Seconds the database may take to answer."""
OVERDUE = timedelta(minutes=5)
"""A message so long overdue, while no other is sent either, means that the dispatcher is stuck."""
LONGEST_WAIT = 10.0
"""Seconds a job may wait for a worker before that counts as trouble, unless it is one in the background."""
MISSED_ROUNDS = 3
"""Missing heartbeats that count as trouble with the database."""


class PortError(Exception):
    """The page cannot be served on its port. The message is a sentence for the operator."""


class HealthPage:
    """Serves the page until it is closed.

    ``heartbeat`` is the time between two heartbeats of the bot. ``longest_wait`` returns the longest time in seconds
    that a job has been waiting for a worker. ``passive`` names what a process does that does not serve people.
    """

    def __init__(
        self,
        database: Database,
        port: int,
        clock: Callable[[], datetime],
        heartbeat: timedelta,
        longest_wait: Callable[[], float],
        host: str = LOOPBACK,
        passive: str = "standing by",
        role: str = BOT,
    ) -> None:
        self._database = database
        self._host = host
        self._port = port
        self._clock = clock
        self._heartbeat = heartbeat
        self._longest_wait = longest_wait
        self._passive = passive
        self._role = role
        self._runner: web.AppRunner | None = None
        self._measuring = AsyncExitStack()
        self.refresh: Callable[[], None] = lambda: None
        """Brings metrics up to date that are read only when they are asked for."""
        self.connected: Callable[[], bool] = lambda: False
        """Returns whether all shards are connected."""
        self.ended: Callable[[], str | None] = lambda: None
        """Returns which part of the process has ended for good, so that only a restart helps."""
        self.trouble: Callable[[], str | None] = lambda: None
        """Returns what keeps the process from its work, apart from the database and Discord."""
        self.connecting: Callable[[], str | None] = lambda: None
        """Returns why the process is not connected to Discord, or could not be if it has to, if it knows."""
        self.warnings: Callable[[], Iterable[str]] = tuple
        """Returns warnings for the operator."""
        self.active: Callable[[], bool] = lambda: False
        """Returns whether this process serves people: neither stands by nor only thinks."""

    async def open(self) -> None:
        """Begin to serve. Raises ``PortError`` if the port is taken, or the address does not belong to this machine."""
        metrics.BUILD.info({"version": __version__})
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/live", self._live)
        app.router.add_get("/ready", self._ready)
        app.router.add_get("/health", self._ready)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            elsewhere = "" if self._host == LOOPBACK else f" and METRICS_HOST {self._host}"
            which = "that address" if elsewhere else "that port"
            raise PortError(
                f"METRICS_PORT is {self._port}{elsewhere}, but {which} cannot be used: {error.strerror}. "
                "Choose another one."
            ) from error

        await self._measuring.enter_async_context(figures.measured_lag())

    async def close(self) -> None:
        """Stop serving."""
        await self._measuring.aclose()
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _metrics(self, _request: web.Request) -> web.Response:
        whole = b""
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT):
                whole = generate_latest(await figures.of_database(self._database, self._clock(), self._served_within))
        except Exception:
            log.exception("figures of the whole database cannot be read")
        figures.of_pool(self._database)
        self.refresh()
        metrics.PROCESS.clear()
        state = "active" if self.active() else self._passive
        metrics.PROCESS.labels(f"{socket.gethostname()}:{os.getpid()}", self._role, state).set(1)
        return web.Response(body=generate_latest() + whole, headers={"Content-Type": CONTENT_TYPE_LATEST})

    @property
    def _served_within(self) -> timedelta:
        return MISSED_ROUNDS * self._heartbeat

    async def _live(self, _request: web.Request) -> web.Response:
        """Answer 200 unless a restart would help. A database or a Discord that is away is no reason for one."""
        ended = self.ended()
        status = "live" if ended is None else f"{ended} has ended"
        return web.json_response({"status": status}, status=200 if ended is None else 503)

    async def _ready(self, _request: web.Request) -> web.Response:
        """Answer 200 while the bot is connected, stores and sends, or stands by; otherwise 503 with the reason."""
        trouble = await self._trouble()
        well = "well" if self.active() else self._passive
        told: dict[str, object] = {"status": trouble or well}
        if warnings := list(self.warnings()):
            told["warnings"] = warnings
        return web.json_response(told, status=503 if trouble else 200)

    async def _trouble(self) -> str | None:
        now = self._clock()
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT), self._database.read() as tx:
                alive = await guilds.last_heartbeat(tx)
                stalled = await outbox.count_stalled(tx, now - OVERDUE, GAMES.rules)
        except Exception:
            log.exception("the database does not answer")
            return self._database.failures.trouble() or "the database does not answer"
        if (trouble := self._database.failures.trouble()) is not None:
            return trouble
        if (trouble := self.trouble()) is not None:
            return trouble
        if not self.active():
            return self.connecting()
        if not self.connected():
            return self.connecting() or "not connected to Discord"
        if alive is not None and now - alive > self._served_within:
            return f"nothing was stored for {(now - alive).total_seconds():.0f} seconds"
        if stalled:
            return f"outbox messages are not being sent: {stalled} overdue"
        waiting = self._longest_wait()
        return f"work is waiting for {waiting:.0f} seconds" if waiting > LONGEST_WAIT else None
