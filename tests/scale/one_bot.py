"""A bot above the network on a PostgreSQL database, which does everything at once as in earnest, and how long its turns
take. What it posts goes to a fake Discord that answers at once, and nothing is drawn.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

import discord
import structlog

from bot.compute.queue import ComputeQueue
from bot.matches.model.actor import Actor
from bot.matches.service_context import ServiceContext
from bot.matches.services import Services
from bot.storage import processes
from bot.storage.database import Database
from bot.storage.processes import BOT
from bot.storage.records import Person
from tests.lifecycle.fake_discord import FakeDiscord, PostedMessage
from tests.lifecycle.harness import Bot

LONG_LEASE = timedelta(days=1)
MOST_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Taken:
    """How long a turn took, in seconds: until it was stored, and until its board was posted."""

    answered: float
    posted: float


class QuickDiscord(FakeDiscord):
    """A fake Discord that tells when a board is posted."""

    def __init__(self) -> None:
        super().__init__(lambda: datetime.now(UTC))
        self.posts = 0
        self._awaited: dict[str, asyncio.Event] = {}

    def board_of(self, match_id: int) -> asyncio.Event:
        """Return what is set once another board of a match is posted."""
        return self._awaited.setdefault(str(match_id), asyncio.Event())

    def post(
        self, channel_id: int, view: discord.ui.LayoutView, notified: tuple[int, ...], nonce: str
    ) -> PostedMessage:
        """Post a message."""
        message = super().post(channel_id, view, notified, nonce)
        self.posts += 1
        for kind, about, *_ in (control.split(":") for control in message.custom_ids):
            if kind in ("play", "rematch") and (event := self._awaited.pop(about, None)) is not None:
                event.set()
        return message


@dataclass
class OneBot:
    """The bot."""

    database: Database
    services: Services
    discord: QuickDiscord
    _interactions: Iterator[int] = field(default_factory=lambda: count(10**9))

    def interaction(self) -> int:
        """Return the id of another interaction."""
        return next(self._interactions)

    def actor(self, guild_id: int, person: Person) -> Actor:
        """Return a person who asks for something now."""
        return Actor(guild_id, person, self.interaction(), datetime.now(UTC), 20)

    async def turn(self, guild_id: int, match_id: int, person: Person, text: str) -> Taken:
        """Take a turn, and wait for the board that follows."""
        posted = self.discord.board_of(match_id)
        begun = time.perf_counter()
        request = (Actor(guild_id, person, self.interaction(), datetime.now(UTC)), match_id, None)
        await self.services.turns.play(*request, text, confirmed=True)
        answered = time.perf_counter() - begun
        async with asyncio.timeout(MOST_SECONDS):
            await posted.wait()
        return Taken(answered, time.perf_counter() - begun)


@asynccontextmanager
async def one_bot(url: str) -> AsyncIterator[OneBot]:
    """Run a bot on a database that is up to date."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    database, fake = Database(url), QuickDiscord()
    async with ComputeQueue() as queue:
        try:
            async with database.write() as tx:
                token = await processes.add(tx, "bot", BOT, LONG_LEASE)
            database.token = token
            context = ServiceContext(database, lambda: datetime.now(UTC), queue)
            bot = Bot.of(context, queue, fake, time.monotonic)
            tasks = [asyncio.create_task(work.run()) for work in (bot.dispatcher, bot.scheduler)]
            try:
                yield OneBot(database, bot.services, fake)
            finally:
                await bot.dispatcher.close()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await database.close()
