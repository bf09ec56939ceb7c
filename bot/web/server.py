"""The server of the board page: opened and closed with the bot, on a port of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from aiohttp import web

from bot.matches.service_context import Idle
from bot.requests.context import BotContext
from bot.storage.transactions import cancel_all
from bot.web.api import Api
from bot.web.guards import LARGEST_BODY, Guard
from bot.web.live import News
from bot.web.pages import Pages
from bot.web.puzzles import PuzzleApi
from bot.web.reviews import ReviewApi
from bot.web.sharing import ShareApi

log = structlog.get_logger(__name__)

CLOSING = 3.0
"""Seconds the end waits for requests."""


APIS = Api, PuzzleApi, ReviewApi, ShareApi
"""The interfaces of which the page's consists."""


class WebPortError(Exception):
    """The page cannot be served on its port. The message is a sentence for the operator."""


class WebServer:
    """Serves the page at ``WEB_PORT`` until it is closed. ``wake`` tells open pages that something was stored."""

    def __init__(self, context: BotContext, idle: Callable[[], Idle]) -> None:
        settings = context.settings
        assert settings.web_port is not None
        self._host, self._port = settings.web_host, settings.web_port
        self.news = News(context.services, idle)
        self._telling: asyncio.Task[None] | None = None
        guard = Guard(settings.web_url or f"http://localhost:{self._port}")
        app = web.Application(middlewares=[guard.middleware], client_max_size=LARGEST_BODY)
        pages = Pages(context)
        pages.add_to(app.router)
        for api in APIS:
            api(lambda: context, lambda: self.news, pages.visitor).add_to(app.router)
        # Without an access log: addresses hold links.
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSING, keepalive_timeout=30.0)

    async def open(self) -> None:
        """Begin to serve. Raises ``WebPortError``."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise WebPortError(
                f"WEB_PORT is {self._port} and WEB_HOST {self._host}, but that address cannot be used: "
                f"{error.strerror}. Choose another one."
            ) from error
        self._telling = asyncio.create_task(self.news.run(), name="pages")
        log.info("board page served", port=self._port)

    def wake(self) -> None:
        """Tell open pages soon of what has changed."""
        self.news.wake()

    async def close(self) -> None:
        """Close every socket and stop serving."""
        if self._telling is not None:
            await cancel_all([self._telling])
        await self.news.close()
        await self._runner.cleanup()
