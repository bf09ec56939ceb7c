"""The page of a process for machines, on the loopback interface by default. Knows neither Discord nor commands.

Prometheus reads ``/metrics``. A supervisor that restarts the process reads ``/health``.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot.games import GAMES
from bot.storage import guilds, match_lists, outbox
from bot.storage.database import Database
from bot.storage.slots import Partition
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LOOPBACK = "127.0.0.1"
DATABASE_TIMEOUT = 5.0
"""Seconds the database may take to answer."""
OVERDUE = timedelta(minutes=5)
"""A message so long overdue, while no other is sent either, means that the dispatcher is stuck."""
LONGEST_WAIT = 10.0
"""Seconds a job may wait for a worker before that counts as trouble."""
MISSED_BEATS = 3
"""Missing heartbeats that count as trouble with the database."""


class PortError(Exception):
    """The page cannot be served on its port. The message is a sentence for the operator."""


class HealthPage:
    """Serves the page until it is closed.

    ``heartbeat`` is the time between two heartbeats of the bot. ``longest_wait`` returns the longest time in seconds
    that a job has been waiting for a worker. ``without_slot`` names what a process without a slot does.
    """

    def __init__(
        self,
        database: Database,
        port: int,
        clock: Callable[[], datetime],
        heartbeat: timedelta,
        longest_wait: Callable[[], float],
        host: str = LOOPBACK,
        without_slot: str = "standing by",
    ) -> None:
        self._database = database
        self._host = host
        self._port = port
        self._clock = clock
        self._heartbeat = heartbeat
        self._longest_wait = longest_wait
        self._without_slot = without_slot
        self._runner: web.AppRunner | None = None
        self.ready = False
        self.partition: Partition | None = Partition()
        """The servers this process serves; None while it stands by, and for a process that only thinks."""

    async def open(self) -> None:
        """Begin to serve. Raises ``PortError`` if the port is taken, or the address does not belong to this machine."""
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/health", self._health)
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

    async def close(self) -> None:
        """Stop serving."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _metrics(self, _request: web.Request) -> web.Response:
        waiting = running = float("nan")
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT), self._database.read() as tx:
                waiting, running = await outbox.pending(tx), await match_lists.running_everywhere(tx)
        except Exception:
            log.exception("pending messages and running matches cannot be counted")
        metrics.OUTBOX_PENDING.set(waiting)
        metrics.MATCHES_RUNNING.set(running)
        metrics.PROCESS.clear()
        slot = "none" if self.partition is None else str(self.partition.slot)
        metrics.PROCESS.labels(f"{socket.gethostname()}:{os.getpid()}", slot).set(1)
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _health(self, _request: web.Request) -> web.Response:
        """Answer 200 while the bot is connected, stores and sends, or stands by; otherwise 503 with the reason."""
        trouble = await self._trouble()
        well = self._without_slot if self.partition is None else "well"
        return web.json_response({"status": trouble or well}, status=503 if trouble else 200)

    async def _trouble(self) -> str | None:
        now, partition = self._clock(), self.partition or Partition()
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT), self._database.read() as tx:
                alive = await guilds.last_heartbeat(tx, partition.slot)
                stalled = await outbox.stalled(tx, now - OVERDUE, partition, GAMES.rules)
        except Exception:
            log.exception("the database does not answer")
            return "the database does not answer"
        if self.partition is None:
            return None
        if not self.ready:
            return "not connected to Discord"
        if alive is not None and now - alive > MISSED_BEATS * self._heartbeat:
            return f"nothing was stored for {(now - alive).total_seconds():.0f} seconds"
        if stalled:
            return f"outbox messages are not being sent: {stalled} overdue"
        waiting = self._longest_wait()
        return f"work is waiting for {waiting:.0f} seconds" if waiting > LONGEST_WAIT else None
