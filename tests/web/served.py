"""The page of a bot without Discord: the real server on real services and a real database, for sockets and attacks."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest_asyncio

from bot.compute.queue import ComputeQueue
from bot.compute.rate_limit import RateLimit
from bot.matches.service_context import ServiceContext, plain_idle
from bot.matches.services import create_services
from bot.messages.pictures import BoardRenderer
from bot.requests.context import BotContext
from bot.settings import Settings
from bot.storage.database import Database
from bot.web.server import WebServer
from tests.matches.conftest import GUILD, Crowd
from tests.requests.conftest import Members
from tests.support.ports import free_port
from tests.web.browser import Browser


@dataclass
class Served:
    """A page that is served, and the people who play on it."""

    crowd: Crowd
    settings: Settings
    http: aiohttp.ClientSession
    members: Members = field(default_factory=Members)
    seconds: float = 0.0
    """What the clock of the budget shows."""
    server: WebServer = field(init=False)

    def __post_init__(self) -> None:
        crowd = self.crowd
        context = ServiceContext(crowd.database, lambda: crowd.now, crowd.queue, random=Random(1))
        crowd.services = create_services(context)
        renderer, limit = BoardRenderer(context), RateLimit(lambda: self.seconds)
        self.context = BotContext(crowd.services, renderer, self.settings, limit, self.members)
        self.server = WebServer(self.context, lambda: plain_idle)

    def browser(self) -> Browser:
        """Return a new browser."""
        return Browser(self.settings.page_url, lambda: self.crowd.services.page_access, GUILD, self.http)


@asynccontextmanager
async def served_on(url: str, web_url: str = "", **options: Any) -> AsyncIterator[Served]:
    """Serve a page on a database, with further settings."""
    port, database = free_port(), Database(url, limited=True)
    settings = Settings(_env_file=None, web_port=port, web_url=web_url or f"http://localhost:{port}", **options)
    async with ComputeQueue() as queue, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        served = Served(Crowd(database, queue), settings, http)
        await served.server.open()
        try:
            yield served
        finally:
            await served.server.close()
            await database.close()


@pytest_asyncio.fixture
async def served(tmp_path: Path, empty_database: Path) -> AsyncIterator[Served]:
    """A page on a database file of the test's own."""
    async with served_on(f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}") as one:
        yield one


@pytest_asyncio.fixture
async def public(tmp_path: Path, empty_database: Path) -> AsyncIterator[Served]:
    """A page with WEB_PUBLIC on, reached without a proxy."""
    url = f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}"
    async with served_on(url, web_public=True) as one:
        yield one
