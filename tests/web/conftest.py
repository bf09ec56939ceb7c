"""The page of the bot in a simulated Discord, and browsers that use it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.compute import rate_limit
from bot.matches.model import judging
from bot.settings import Settings
from tests.demo.conftest import browser, started_browser
from tests.support.acting import challenge_accepted
from tests.support.ports import free_port
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser
from tests.web.running import Running, running

__all__ = ["browser", "started_browser"]


@pytest.fixture(scope="session")
def usual_settings(usual_settings: Settings) -> Settings:
    """The usual settings, with the page switched on."""
    port = free_port()
    return usual_settings.model_copy(update={"web_port": port, "web_url": f"http://localhost:{port}"})


@pytest_asyncio.fixture
async def browsers(sim: SimulatedDiscord) -> AsyncIterator[Callable[[], Browser]]:
    """Makes browsers; each has cookies of its own."""
    # The simulation waits for whatever still runs, also for a connection that is kept for later.
    connector = aiohttp.TCPConnector(force_close=True)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
        access = lambda: sim.bot.context.services.page_access  # noqa: E731
        yield lambda: Browser(sim.settings.web_url, access, sim.guild.id, http)


@pytest_asyncio.fixture
async def thread(sim: SimulatedDiscord) -> int:
    """The thread of a match of Yonmoque between Alice, who moves first, and Bob."""
    return await challenge_accepted(sim)


@pytest_asyncio.fixture(loop_scope="session")
async def run(
    tmp_path: Path, empty_database: Path, drawn_once: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Running]:
    """A running bot with the board page, for tests in a real browser."""
    # A script asks for more in a second than the bot allows a person.
    monkeypatch.setattr(rate_limit, "BUDGET", 1e9)
    monkeypatch.setattr(judging, "MOST_NODES", 4_000)  # a review takes seconds, not a minute
    async with running(Path(shutil.copy(empty_database, tmp_path))) as begun:
        yield begun


@pytest_asyncio.fixture(loop_scope="session")
async def public_run(
    tmp_path: Path, empty_database: Path, drawn_once: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Running]:
    """A running bot whose page is for people without an account, too."""
    monkeypatch.setattr(rate_limit, "BUDGET", 1e9)
    async with running(Path(shutil.copy(empty_database, tmp_path)), web_public=True) as begun:
        yield begun
