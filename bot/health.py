"""A page for machines on the loopback interface: ``/metrics`` for Prometheus, ``/health`` for whoever restarts it."""

from __future__ import annotations

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot import metrics
from bot.storage.database import Database
from bot.storage.queries import matches, outbox

LOOPBACK = "127.0.0.1"


class HealthPage:
    """Serves the page until it is closed."""

    def __init__(self, database: Database, port: int) -> None:
        self._database = database
        self._port = port
        self._runner: web.AppRunner | None = None
        self.ready = False

    async def open(self) -> None:
        """Begin to serve. Raises ``OSError`` when the port is taken."""
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/health", self._health)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, LOOPBACK, self._port).start()

    async def close(self) -> None:
        """Stop serving."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _metrics(self, _request: web.Request) -> web.Response:
        async with self._database.read() as tx:
            metrics.OUTBOX_WAITING.set(await outbox.pending(tx))
            metrics.MATCHES_RUNNING.set(await matches.running_everywhere(tx))
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _health(self, _request: web.Request) -> web.Response:
        """Answer 200 while the bot is connected and its database answers, 503 otherwise."""
        try:
            async with self._database.read() as tx:
                waiting = await outbox.pending(tx)
        except Exception as error:
            return web.json_response({"status": "the database does not answer", "error": repr(error)}, status=503)
        if not self.ready:
            return web.json_response({"status": "not connected to Discord"}, status=503)
        return web.json_response({"status": "well", "outbox_waiting": waiting})
