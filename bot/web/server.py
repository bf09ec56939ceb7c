"""The server of the board page: opened and closed with the bot, on a port of its own."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from typing import Any

import structlog
from aiohttp import web

from bot.matches.service_context import Idle
from bot.requests.context import BotContext
from bot.storage.transactions import cancel_all
from bot.web.api import Api
from bot.web.guards import HEADERS, LARGEST_BODY, Guard
from bot.web.guests import Guests
from bot.web.live import OpenPages
from bot.web.matches import add_matches
from bot.web.pages import Pages
from bot.web.plans import add_plans
from bot.web.puzzles import add_puzzles
from bot.web.reviews import add_reviews
from bot.web.sharing import add_sharing

log = structlog.get_logger(__name__)

CLOSING = 3.0
"""Seconds the end waits for requests."""
KEEPALIVE = 30.0
"""Seconds for which a connection is kept open for a further request."""


ROUTES = add_matches, add_plans, add_puzzles, add_reviews, add_sharing
"""Each adds addresses that the page asks for boards, moves and everything else."""


class WebPortError(Exception):
    """The page cannot be served on its port. The message is a sentence for the operator."""


class _Connection(web.RequestHandler):
    """A connection that refuses what is no HTTP in one line of the log, and with the headers of other answers."""

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the answer to a request that no handler has answered."""
        if status >= 500:
            answer = super().handle_error(request, status, exc, message)
        else:
            log.info("request refused that is no HTTP", error=type(exc).__name__)
            answer = web.Response(status=status, text="This is no request.")
            answer.force_close()
        answer.headers.update(HEADERS)
        return answer

    def log_exception(self, *told: Any, **more: Any) -> None:
        """Log an error of the server, but none for a body that cannot be read after its answer."""
        if not isinstance(more.get("exc_info"), web.RequestPayloadError):
            super().log_exception(*told, **more)


class WebServer:
    """Serves the page at ``WEB_PORT`` until it is closed. ``wake`` tells open pages that something was stored."""

    def __init__(self, context: BotContext, idle: Callable[[], Idle]) -> None:
        settings = context.settings
        assert settings.web_port is not None
        self._host, self._port = settings.web_host, settings.web_port
        self.news = OpenPages(context.services, idle)
        self._telling: asyncio.Task[None] | None = None
        guard = Guard(settings.web_url or f"http://localhost:{self._port}")
        pages = Pages(context)
        app = web.Application(middlewares=[guard.middleware, pages.middleware], client_max_size=LARGEST_BODY)
        app.on_response_prepare.append(guard.add_headers)
        pages.add_to(app.router)
        api = Api(lambda: context, lambda: self.news, pages.visitor, app.router)
        for add in ROUTES:
            add(api)
        if settings.web_public:
            Guests(context, lambda: self.news).add_to(app.router)
        self._runner = web.AppRunner(app, shutdown_timeout=CLOSING)
        self._listening: asyncio.Server | None = None

    async def open(self) -> None:
        """Begin to serve. Raises ``WebPortError``, and can then be called again."""
        if self._runner.server is None:
            await self._runner.setup()
        loop, server = asyncio.get_running_loop(), self._runner.server
        assert server is not None

        def connection() -> _Connection:
            # Without an access log: addresses hold links.
            return _Connection(server, loop=loop, access_log=None, keepalive_timeout=KEEPALIVE)  # type: ignore[arg-type]

        try:
            self._listening = await loop.create_server(connection, self._host, self._port)
        except OSError as error:
            raise WebPortError(
                f"WEB_PORT is {self._port} and WEB_HOST {self._host}, but that address cannot be used: "
                f"{error.strerror}. Choose another one."
            ) from error
        self._telling = asyncio.create_task(self.news.run(), name="pages")
        log.info("board page served", port=self._port)

    async def close(self) -> None:
        """Close every socket and stop serving."""
        if self._telling is not None:
            await cancel_all([self._telling])
        if self._listening is not None:
            self._listening.close()
        await self.news.close()
        await self._runner.cleanup()


def why_not_served(host: str, port: int) -> str | None:
    """Return why no page can be served on a port; None if one can."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.create_server(address[:2], family=family):
            return None
    except OSError as error:
        # The sentence of ``create_server`` names the address once more.
        return os.strerror(error.errno) if error.errno is not None and error.errno in errno.errorcode else str(error)
