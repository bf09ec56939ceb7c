"""The demo given to a test, and the browser it is looked at with: tests in the browser share a loop with it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from bot import demo
from bot.demo import front_page
from bot.demo.discord_server import DiscordServer
from bot.demo.page_server import PageServer
from bot.matches.model import judging
from tests.demo.browser_window import DESKTOP, PHONE, Window, chromium
from tests.demo.tiny_bot import TinyBot
from tests.support.processes.processes import Running, command


@dataclass
class Given:
    """A demo that runs in this process, with a bot that does as it is told."""

    bot: TinyBot
    server: DiscordServer
    page: PageServer
    url: str
    running: asyncio.Task[None]

    def fill(self, count: int) -> None:
        """Have Bob write many messages into the first channel."""
        backend = self.server.backend
        bob = next(user.id for user in backend.users.values() if user.name == "bob")
        for number in range(count):
            backend.create_message(self.server.guild.channel_ids[0], bob, f"Word {number}")

    async def hang_up(self) -> None:
        """Break the connections of all pages."""
        for socket in list(self.page._sockets):
            await socket.close()


@asynccontextmanager
async def giving(directory: Path) -> AsyncIterator[Given]:
    """Give the demo in ``directory``; end it if the test has not."""
    made: list[TinyBot] = []
    founded: list[front_page.Scenery] = []
    pages: list[PageServer] = []
    lines: asyncio.Queue[str] = asyncio.Queue()

    def create(_: object) -> TinyBot:
        made.append(TinyBot())
        return made[0]

    def found() -> front_page.Scenery:
        founded.append(original())
        return founded[0]

    class KnownPage(PageServer):
        def __init__(self, server: DiscordServer) -> None:
            super().__init__(server)
            pages.append(self)

    with pytest.MonkeyPatch.context() as patched:
        original = front_page.make_scenery
        patched.setattr(front_page, "make_scenery", found)
        patched.setattr("bot.demo.page_server.PageServer", KnownPage)
        patched.setenv("TMPDIR", str(directory))
        running = asyncio.ensure_future(demo.run(open_browser=False, say=lines.put_nowait, create=create))
        first = asyncio.ensure_future(lines.get())
        await asyncio.wait((first, running), return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    try:
        yield Given(made[0], founded[0].server, pages[0], first.result().split()[-1], running)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest_asyncio.fixture
async def given(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Given]:
    """Give the demo to one test."""
    async with giving(tmp_path_factory.mktemp("demo")) as one:
        yield one


@pytest_asyncio.fixture(name="demo", loop_scope="session")
async def demo_with_messages(tmp_path: Path) -> AsyncIterator[Given]:
    """Give the demo to a test in the browser, with some messages in it."""
    async with giving(tmp_path) as one:
        one.fill(3)
        yield one


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def started_browser() -> AsyncIterator[Browser]:
    """One browser for all tests: starting it takes longer than most of them."""
    async with chromium() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def browser(started_browser: Browser) -> AsyncIterator[Browser]:
    """A browser without windows, which remembers nothing."""
    yield started_browser
    for context in started_browser.contexts:
        await context.close()


@dataclass(frozen=True)
class Table:
    """A page of the command ``demo``, and the browser it is looked at with."""

    browser: Browser
    url: str

    async def window(self, person: str) -> Window:
        """Open a window: Bob's is a phone's."""
        return await Window.open(self.browser, self.url, person, PHONE if person == "Bob" else DESKTOP)


def quick_reviews() -> None:
    """Have the bot of this process take seconds for a review, not a minute."""
    judging.MOST_NODES = 4_000


@pytest_asyncio.fixture(loop_scope="session")
async def table(browser: Browser, tmp_path: Path) -> AsyncIterator[Table]:
    """A page of the command in a process of its own, forked: ``test_command`` starts the real one."""
    place = tmp_path / "demo"
    place.mkdir()
    demo = await Running.start(command(place, "demo", "--no-browser", "--port", "0", bound=quick_reviews, tmpdir=place))
    try:
        yield Table(browser, (await demo.first_line("http")).split()[-1])
    finally:
        await demo.end(signal.SIGKILL)
