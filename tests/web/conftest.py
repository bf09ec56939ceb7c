"""The page of the bot in a simulated Discord, and browsers that use it."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable

import aiohttp
import pytest
import pytest_asyncio

from bot.settings import Settings
from tests.support.acting import challenge_accepted
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The usual settings, with the page switched on."""
    port = free_port()
    return settings.model_copy(update={"web_port": port, "web_url": f"http://localhost:{port}"})


@pytest_asyncio.fixture
async def browsers(sim: SimulatedDiscord) -> AsyncIterator[Callable[[], Browser]]:
    """Makes browsers; each has cookies of its own."""
    # The simulation waits for whatever still runs, also for a connection that is kept for later.
    connector = aiohttp.TCPConnector(force_close=True)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
        yield lambda: Browser(sim, http)


@pytest_asyncio.fixture
async def thread(sim: SimulatedDiscord) -> int:
    """The thread of a match of Yonmoque between Alice, who moves first, and Bob."""
    return await challenge_accepted(sim)
