"""Several bots, each a process of its own, on one PostgreSQL database and the same fake Discord, under a clock that
stands still until it is moved.

What people do comes to one bot after the other; the first keeps the time, like the holder of a slot. A bot that is
killed is killed by the system, wherever it is just then.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing.process import BaseProcess
from types import SimpleNamespace
from typing import Any

import discord
import structlog
from sqlalchemy import select

from bot.delivery.posting import nonce
from bot.storage.database import Database
from bot.storage.tables import generation, outbox
from tests.lifecycle.bot_apart import live
from tests.lifecycle.harness import MANY
from tests.lifecycle.shared_harness import Onlooker, SharedHarness
from tests.support.forkserver import forkserver
from tests.support.processes.line import Line

log = structlog.get_logger(__name__)

_ITERATION = 0.0005
"""Seconds that stand for an iteration of the event loop of a bot in this process."""
_LOOKED_EVERY = 0.01
_MOST_SECONDS = 120.0


@dataclass
class Apart:
    """A bot in a process of its own. ``backends`` are the processes of the database that serve it."""

    process: BaseProcess
    line: Line
    token: int = 0
    backends: list[int] = field(default_factory=list)
    listening: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True)
class Across:
    """An object of a bot whose methods are called over the line."""

    call: Callable[..., Coroutine[Any, Any, Any]]
    path: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Across:
        return Across(self.call, (*self.path, name))

    def __call__(self, *arguments: Any, **options: Any) -> Coroutine[Any, Any, Any]:
        return self.call(*self.path, arguments, options)


class ApartHarness(SharedHarness):
    """``number`` bots on the database at ``url``, which has every table."""

    def __init__(self, url: str, number: int) -> None:
        self._url = url
        self._onlooker = Onlooker(url)
        self.prepare()
        self._looking = Database(url)
        self._delivering: asyncio.Task[None] | None = None
        self._unclaimed: list[str] = []
        """Posts of bots that did not hold the claim."""
        self._apart = [self.run(self._begun()) for _ in range(number)]
        self._turns = cycle(range(number))

    @property
    def database(self) -> Database:
        """The database, as a program that is no bot sees it."""
        return self._looking

    @property
    def services(self) -> Any:
        """The services of the bot that the next request comes to."""
        bot = self._apart[next(self._turns)]
        return Across(lambda *what: self._ask(bot, "call", *what))

    @property
    def downtime(self) -> Any:
        """The downtime of the first bot, which keeps the heartbeats."""
        return Across(lambda what, *_: self._ask(self._apart[0], what))

    async def lapse(self, iterations: int) -> None:
        """Wait as long as a bot in this process takes for so many iterations of its event loop."""
        await asyncio.sleep(iterations * _ITERATION)

    def keep_time(self) -> None:
        """Have the first bot do what is due."""
        self.run(self._ask(self._apart[0], "do_due"))

    async def let_computers_move(self) -> None:
        """Have the bots take the turns of computer players until there are no more."""
        while any(await asyncio.gather(*(self._ask(bot, "computer_turns") for bot in self._apart))):
            pass

    def kill(self) -> None:
        """Kill the bots that are busy, or else the first. Others take their places."""
        self.run(self._replace_killed([bot for bot in self._apart if bot.line.waiting] or self._apart[:1]))
        self.discord.trouble.clear()

    def stop(self) -> None:
        """Stop the first bot in good order. Another one takes its place."""

        async def stop() -> None:
            await self._ask(self._apart[0], "end")
            await self._replace_killed(self._apart[:1])

        self.run(stop())

    def close(self) -> None:
        """End for good."""
        for bot in self._apart:
            self.run(self._killed(bot))
        self.run(self._looking.close())
        self._onlooker.close()
        assert not self._unclaimed, f"posted by bots that had not claimed it: {self._unclaimed}"
        self.loop.close()

    async def _begun(self) -> Apart:
        own, other = socket.socketpair()
        process = forkserver.Process(target=live, args=(other, self._url), daemon=True)
        await asyncio.to_thread(process.start)
        other.close()
        self.starts += 1

        async def answer(what: str, *arguments: Any) -> Any:
            return await getattr(self, f"_{what}")(bot, *arguments)

        bot = Apart(process, Line(*await asyncio.open_connection(sock=own), answer))
        bot.listening = asyncio.create_task(bot.line.run())
        bot.token = await self._ask(bot, "token")
        return bot

    async def _ask(self, bot: Apart, *question: Any) -> Any:
        async with asyncio.timeout(_MOST_SECONDS):
            return await bot.line.ask(self.now, *question)

    async def _replace_killed(self, bots: list[Apart]) -> None:
        for bot in bots:
            await self._killed(bot)
        delivering, self._delivering = self._delivering, None
        if delivering is not None:
            delivering.cancel()
            await asyncio.gather(delivering, return_exceptions=True)
        self._apart = [bot for bot in self._apart if bot not in bots]
        self._apart += [await self._begun() for _ in bots]

    async def _killed(self, bot: Apart) -> None:
        """Kill a bot, and wait until the database has done what it was told to before."""
        bot.process.kill()
        await asyncio.to_thread(bot.process.join)
        assert bot.listening is not None
        await bot.listening
        async with asyncio.timeout(_MOST_SECONDS):
            await asyncio.to_thread(self._unserved, bot.backends)
        # As the others do once its lease has expired.
        await asyncio.to_thread(self._onlooker.execute, "DELETE FROM processes WHERE id = :id", id=bot.token)

    def _unserved(self, backends: list[int]) -> None:
        """Wait until none of some processes of the database is there any more."""
        while self._onlooker.execute("SELECT pid FROM pg_stat_activity WHERE pid = ANY(:pids)", pids=backends):
            time.sleep(_LOOKED_EVERY)

    async def _deliver(self) -> None:
        for _ in range(MANY):
            await asyncio.gather(*(self._ask(bot, "send") for bot in self._apart))
            number, due = await self.pending()
            if not number:
                return
            if due is not None and due > self.now:
                self.slow += due - self.now
                self.now = due
        waiting = self._onlooker.execute(
            "SELECT key, state, attempts, due_at, error, claimed_by FROM outbox WHERE state IN ('pending', 'sending')"
        )
        raise AssertionError(f"{number} outbox messages are never sent: {waiting}")

    async def _check_claim(self, bot: Apart, destination: int, nonce_given: str) -> None:
        """Note what a bot posts of which it does not hold the claim just now."""
        now = select(generation.c.value).scalar_subquery().label("generation")
        theirs = select(outbox, now).where(outbox.c.claimed_by == bot.token, outbox.c.done_at.is_(None))
        async with self._looking.read() as tx:
            claimed: list[Any] = list(await tx.execute(theirs))
        if nonce_given not in {nonce(row, destination) for row in claimed}:
            self._unclaimed.append(f"bot {bot.token} to {destination}, while it was at {[row.key for row in claimed]}")

    async def _deliver_until_stalled(self) -> bool:
        self.discord.stalled.clear()
        self._delivering = asyncio.create_task(self._deliver())
        stalling = asyncio.create_task(self.discord.stalled.wait())
        await asyncio.wait((self._delivering, stalling), return_when=asyncio.FIRST_COMPLETED)
        stalling.cancel()
        if not self._delivering.done():
            return True
        delivered, self._delivering = self._delivering, None
        delivered.result()
        return False

    # What bots tell, and ask of Discord

    async def _connected(self, bot: Apart, backend: int) -> None:
        bot.backends.append(backend)

    async def _failed(self, _bot: Apart, entry: str) -> None:
        log.error("a bot has failed", entry=entry)

    async def _post(
        self, bot: Apart, channel_id: int, components: list[Any], notified: tuple[int, ...], nonce: str
    ) -> Any:
        await self._check_claim(bot, channel_id, nonce)
        return await self.discord.call(lambda: self.discord.post(channel_id, _shown(components), notified, nonce))

    async def _write_to(self, bot: Apart, user_id: int, text: str, nonce: str) -> Any:
        await self._check_claim(bot, user_id, nonce)
        return await self.discord.call(lambda: self.discord.post_directly(user_id, text, nonce))

    async def _edit(self, _bot: Apart, channel_id: int, message_id: int, components: list[Any]) -> bool:
        with suppress(discord.NotFound):
            await self.discord.call(lambda: self.discord.edit(channel_id, message_id, _shown(components)))
            return True
        return False

    async def _find(self, _bot: Apart, message_id: int) -> Any:
        return await self.discord.call(lambda: self.discord.find(message_id))

    async def _history(self, _bot: Apart, channel_id: int, limit: int | None, after: Any) -> list[Any]:
        found: list[Any] = await self.discord.call(lambda: self.discord.history(channel_id, limit, after))
        return found


def _shown(components: list[Any]) -> Any:
    """Return what stands for a view that has these components."""
    return SimpleNamespace(to_components=lambda: components)
