"""``python -m bot demo``: starts the bot on a throw-away database behind a page, and leaves no trace."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import importlib.util
import signal
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import discord

from bot.settings import Settings
from bot.storage.transactions import cancel_all

if TYPE_CHECKING:
    from bot.demo.page_server import PageServer

NEEDED = {"simcord": "simcord", "aiohttp": "aiohttp"}
"""The packages of the ``demo`` extra, by the module that each provides."""

Create = Callable[[Settings], discord.Client]


class DemoError(Exception):
    """The demo cannot run. Its message tells the operator why and what to do."""


async def run(
    *,
    port: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], None] = print,
    create: Create | None = None,
) -> None:
    """Run the demo until a person on the page or a signal (Ctrl-C, SIGTERM, SIGHUP) ends it.

    ``port`` is any free one by default. ``say`` takes the lines for the terminal, ``create`` makes the bot, which is
    ``bot.client.create_bot`` unless a test has its own. Raises ``DemoError`` when it cannot begin.
    """
    require_packages()
    with _stopped_by_signals() as stopped, tempfile.TemporaryDirectory(prefix="tavoliere-demo-") as directory:
        async with _show(settings_for(Path(directory)), port or 0, create or _real_bot) as show:
            say(f"The page is ready: {show.url}")
            say("Ctrl-C ends the demo; nothing is kept.")
            if open_browser:
                # Some browsers keep their opener waiting, so a thread opens it.
                threading.Thread(target=_open, args=(show.url,), daemon=True).start()
            await _first_of(stopped.wait(), show.page.ended.wait(), show.running)
        say("The demo is over.")


def require_packages() -> None:
    """Raise ``DemoError`` unless the packages of the ``demo`` extra are installed."""
    missing = [package for module, package in NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise DemoError(
            f'The demo needs {", ".join(missing)}, which come with an extra: install "tavoliere[demo]", or '
            '".[demo]" in the folder of the source.'
        )


def settings_for(directory: Path) -> Settings:
    """Return settings for a demo that keeps its files in ``directory`` and logs only warnings.

    A ``.env`` file is not read.
    """
    database = (directory / "demo.db").as_posix()
    return Settings(
        _env_file=None,
        discord_token=None,
        database_url=f"sqlite+aiosqlite:///{database}",
        log_level="WARNING",
    )


def _real_bot(settings: Settings) -> discord.Client:
    from bot.client import create_bot
    from bot.matches.model.policies import news
    from bot.telemetry import logs

    logs.configure(settings)
    # People who look at the demo play for two: mentions tell them whose turn it is, however fast they are.
    news.JUST_NOW = news.HERE = timedelta(0)
    return create_bot(settings)


@dataclass(frozen=True, slots=True)
class _Show:
    """A running demo: its page, its address, and the bot."""

    page: PageServer
    url: str
    running: asyncio.Future[None]


@contextlib.asynccontextmanager
async def _show(settings: Settings, port: int, create: Create) -> AsyncIterator[_Show]:
    """Start the bot and its page; end both even after an error."""
    from bot.client import Tavoliere
    from bot.demo import front_page
    from bot.demo.discord_server import led_to
    from bot.demo.page_server import PageServer

    place = front_page.make_scenery()
    page = PageServer(place.server)
    async with contextlib.AsyncExitStack() as ending:
        ending.push_async_callback(place.server.close)
        try:
            await place.server.open(port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                in_use = f"Port {port} is in use. Choose another with --port, or take any free one with --port 0."
                raise DemoError(in_use) from error
            raise DemoError(f"The page cannot be served: {error}.") from error
        ending.enter_context(led_to(place.server.address))
        bot = create(settings)
        # Last in, first out: tell the pages, close the bot while its Discord still runs, then close the server.
        ending.push_async_callback(bot.close)
        ending.push_async_callback(page.close)
        if isinstance(bot, Tavoliere):
            await ending.enter_async_context(page.boards.shown(bot))
        await bot.login(place.server.token)
        running = asyncio.ensure_future(bot.connect())
        await _first_of(bot.wait_until_ready(), asyncio.shield(running))
        if isinstance(bot, Tavoliere):
            await ending.enter_async_context(page.boards.told())
            await page.welcome_all(await front_page.post(bot, place))
        yield _Show(page, f"http://{place.server.address}/", running)


def _open(url: str) -> None:
    """Show the page, unless the only browser would fill this terminal."""
    with contextlib.suppress(webbrowser.Error):
        if type(webbrowser.get()) is not webbrowser.GenericBrowser:
            webbrowser.open(url)


async def _first_of(*endings: object) -> None:
    """Wait until the first of them ends, and cancel the others. Raises what it raised."""
    tasks = [asyncio.ensure_future(ending) for ending in endings]  # type: ignore[call-overload]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await cancel_all(tasks)


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[asyncio.Event]:
    """Give an event that the first Ctrl-C, SIGTERM or SIGHUP sets. The second signal has its usual effect."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def stop(*_: object) -> None:
        restore()
        loop.call_soon_threadsafe(stopped.set)

    for number in numbers:
        signal.signal(number, stop)
    try:
        yield stopped
    finally:
        restore()
