"""What ``python -m bot demo`` does: starts the bot on a throw-away database behind a page, and leaves no trace."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import importlib.util
import os
import signal
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import discord

from bot.settings import Settings

if TYPE_CHECKING:
    from bot.demo.realtime import LivePreview

NEEDED = {
    "simcord": "simcord",
    "aiohttp": "aiohttp",
    "markdown_it": "markdown-it-py",
    "linkify_it": "linkify-it-py",
    "regex": "regex",
}
"""The packages of the ``demo`` extra, by the module each is known by."""

Create = Callable[[Settings], discord.Client]


class DemoError(Exception):
    """The demo cannot be given. Its message says why and what to do, to the person who asked for it."""


async def run(
    *,
    port: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], None] = print,
    create: Create | None = None,
) -> None:
    """Give the demo until it is ended on the page or by a signal (Ctrl-C, SIGTERM, SIGHUP).

    ``port`` is any free one by default. ``say`` takes the lines for the terminal, ``create`` makes the bot, which is
    ``bot.client.create_bot`` unless a test has its own. Raises ``DemoError`` when it cannot begin.
    """
    require_packages()
    with _stopped_by_signals() as stopped, tempfile.TemporaryDirectory(prefix="tavoliere-demo-") as directory:
        async with _page(settings_for(Path(directory)), port, create or _real_bot) as preview:
            say(f"Tavoliere, in a simulated Discord: {preview.url}")
            say("Open it twice to be two people. Ctrl-C ends the demo; nothing is kept.")
            if open_browser:
                # Some browsers keep their opener waiting; nobody waits for it.
                threading.Thread(target=_open, args=(preview.url,), daemon=True).start()
            await _first_of(stopped.wait(), preview.wait_closed(), preview.keep_live())
        say("The demo is over.")


def require_packages() -> None:
    """Raise ``DemoError`` unless the packages of the ``demo`` extra are installed."""
    missing = [package for module, package in NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise DemoError(
            f"The demo needs {', '.join(missing)}. In the directory of Tavoliere's source, run:\n"
            '    python -m pip install ".[demo]"'
        )


def settings_for(directory: Path) -> Settings:
    """Return settings for a demo that keeps what it must in ``directory`` and logs only what goes wrong.

    A ``.env`` file is not read.
    """
    database = (directory / "demo.db").as_posix()
    return Settings(
        _env_file=None,
        discord_token=None,
        database_url=f"sqlite+aiosqlite:///{database}",
        log_level="WARNING",
        threads=False,
    )


def _real_bot(settings: Settings) -> discord.Client:
    from bot import logs
    from bot.client import create_bot

    logs.configure(settings)
    return create_bot(settings)


@contextlib.asynccontextmanager
async def _page(settings: Settings, port: int | None, create: Create) -> AsyncIterator[LivePreview]:
    """Start the bot and its page; end both, whatever happens."""
    from simcord.backend.errors import SetupError

    from bot.demo import town
    from bot.demo.realtime import LiveEnv, LivePreview

    bot = create(settings)
    env = LiveEnv(bot)
    town.name_bot(env)
    bot.idle = env.external_wait  # type: ignore[attr-defined]
    async with contextlib.AsyncExitStack() as ending:
        # Last in, first out: the page goes, the bot is closed while its loop still serves it, the simulation ends.
        ending.push_async_callback(env.shutdown)
        ending.push_async_callback(bot.close)
        await env.start()
        ending.enter_context(env.time_context())
        place = town.found(env, bot)
        await town.welcome(bot, place)
        preview = LivePreview(env, place.channel, place.people, port=port or 0, timezone=local_timezone())
        try:
            await ending.enter_async_context(preview)
        except SetupError as error:
            raise DemoError(_no_page(port, error)) from error
        yield preview


def _no_page(port: int | None, error: Exception) -> str:
    cause = error.__cause__
    if isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE:
        return f"Port {port} is in use. Choose another with --port, or take any free one with --port 0."
    return f"The page cannot be served: {cause or error}."


def local_timezone() -> str:
    """Return a name for the time zone of this computer that both Python and browsers know."""
    now = datetime.now().astimezone()
    offset = now.utcoffset()
    hours = 0 if offset is None else round(offset.total_seconds() / 3600)
    localtime = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    for name in (os.environ.get("TZ", ""), localtime, f"Etc/GMT{-hours:+d}"):
        with contextlib.suppress(ZoneInfoNotFoundError, ValueError, OSError):
            if name and now.astimezone(ZoneInfo(name)).utcoffset() == offset:
                return name
    return "UTC"


def _open(url: str) -> None:
    """Show the page, unless the only browser there is would fill this terminal."""
    with contextlib.suppress(webbrowser.Error):
        if type(webbrowser.get()) is not webbrowser.GenericBrowser:
            webbrowser.open(url)


async def _first_of(*endings: object) -> None:
    """Wait until one of them is over, and cancel the others. Raises what it raised."""
    tasks = [asyncio.ensure_future(ending) for ending in endings]  # type: ignore[call-overload]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[asyncio.Event]:
    """An event that the first Ctrl-C, SIGTERM or SIGHUP sets. The second does what it always does."""
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
