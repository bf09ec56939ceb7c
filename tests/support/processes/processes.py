"""Bots in processes of their own, and their output."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.support.forkserver import forkserver
from tests.support.processes.command import Command, execute
from tests.support.processes.loopback import TEST_SECONDS, TOKEN, Loopback

ROOT = Path(__file__).parents[3]
KEPT = ("PATH", "HOME", "LANG", "SYSTEMROOT", "TMPDIR")


def command(folder: Path, *arguments: object, bound: Callable[[], None] | None = None, **settings: object) -> Command:
    """Return a command given in a folder, in an environment with these settings and no others."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # A daemon, as the bots of tests are, may have no processes of its own.
    given = {"PICTURE_WORKERS": "0", "THINKERS": "0"} | {name.upper(): str(value) for name, value in settings.items()}
    environment = kept | {"PYTHONPATH": str(ROOT)} | given
    return Command(tuple(map(str, arguments)), str(folder), environment, bound)


def executed(wanted: Command) -> subprocess.CompletedProcess[str]:
    """Run the real ``python -m bot`` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *wanted.arguments],
        cwd=wanted.folder,
        env=wanted.environment,
        preexec_fn=wanted.bound,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TEST_SECONDS,
        check=False,
    )


class Somewhere(Protocol):
    """A Discord: its address, and the event that is set when a bot there writes a line."""

    address: str
    news: asyncio.Event


@dataclass
class Running:
    """A command that runs, and every line it has written so far. ``news`` is set when there is another."""

    process: Any
    news: asyncio.Event
    lines: list[str] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    server: asyncio.Server | None = None

    @classmethod
    async def start(cls, wanted: Command, discord: Somewhere | None = None) -> Running:
        """Start a command, on a Discord if it is to run a bot."""
        news = asyncio.Event() if discord is None else discord.news
        running = cls(None, news)
        server = await asyncio.start_server(running._hear, "127.0.0.1", 0, limit=2**24)
        address = None if discord is None else discord.address
        running.process = forkserver.Process(
            target=execute, args=(wanted, server.sockets[0].getsockname(), address), daemon=True
        )
        running.process.start()
        running.server = server
        return running

    async def logged(self, event: str) -> dict[str, Any]:
        """Wait for a line about an event; return the first. Raises ``AssertionError`` with the log where none comes."""

        def found() -> dict[str, Any] | None:
            return next(iter(self.told(lambda line: line["event"] == event)), None)

        try:
            async with asyncio.timeout(TEST_SECONDS):
                while (entry := found()) is None:
                    assert not self.over.is_set(), f"the bot has ended before {event!r}\n{self.log}"
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"no {event!r} within {TEST_SECONDS:.0f} seconds\n{self.log}") from None
        return entry

    async def first_line(self, words: str = "") -> str:
        """Wait for the first line it writes, or the first with some words."""
        async with asyncio.timeout(TEST_SECONDS):
            while not (found := [line for line in self.lines if words in line]):
                assert not self.over.is_set(), "the command has ended without a word"
                self.news.clear()
                await self.news.wait()
        return found[0]

    async def ready(self) -> Running:
        """Wait until people can play."""
        await self.logged("ready")
        return self

    def told(self, wanted: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Return the logged lines that satisfy a condition."""
        entries = [json.loads(line) for line in self.lines if line.startswith("{")]
        return [entry for entry in entries if wanted(entry)]

    def send(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.process.pid, number)

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, unless it has ended by itself, and wait for the end; return the exit code."""
        if not self.over.is_set():
            with contextlib.suppress(ProcessLookupError):
                self.send(number)
        return await self.ended()

    async def ended(self) -> int:
        """Wait for the end; return the exit code."""
        async with asyncio.timeout(TEST_SECONDS):
            await self.over.wait()
            assert self.server is not None
            self.server.close()
            await asyncio.to_thread(self.process.join)
        assert self.process.exitcode is not None
        return int(self.process.exitcode)

    @property
    def log(self) -> str:
        """Everything it has written."""
        return "\n".join(self.lines)

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            async for line in reader:
                self.lines.append(line.decode().rstrip("\n"))
                self.news.set()
        writer.close()
        self.over.set()
        self.news.set()


async def run_bot(
    folder: Path, discord: Loopback, *, bound: Callable[[], None] | None = None, **settings: Any
) -> Running:
    """Start a bot on a Discord; it logs JSON unless the settings say otherwise. ``bound`` is called first, there."""
    wanted = {"discord_token": TOKEN, "log_format": "json"} | settings
    return await Running.start(command(folder, "run", bound=bound, **wanted), discord)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit code of a command, and its output."""

    code: int
    text: str


async def bot(folder: Path, *arguments: object, **settings: Any) -> Outcome:
    """Give a command in a folder and wait for its end."""
    running = await Running.start(command(folder, *arguments, **settings))
    return Outcome(await running.ended(), running.log)
