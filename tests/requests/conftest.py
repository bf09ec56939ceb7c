"""A person's requests to the services on a real database file, as a way in without Discord builds them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest_asyncio

from bot.compute.rate_limit import RateLimit
from bot.messages.pictures import BoardRenderer
from bot.requests.context import BotContext, ChosenPerson, Place
from bot.requests.request import Request
from bot.settings import Settings
from bot.storage.people import Preferences
from tests.matches.conftest import ALICE, CHANNEL, GUILD, Crowd, crowd_on


@dataclass
class Members:
    """A Discord that knows no message and no channel; all people are members of its servers but those who ``left``."""

    left: set[int] = field(default_factory=set)

    async def message_is_gone(self, channel_id: int, message_id: int) -> bool:
        return False

    async def has_left(self, guild_id: int, user_id: int) -> bool:
        return user_id in self.left

    async def member(self, guild_id: int, user_id: int) -> ChosenPerson | None:
        return None

    def may_post(self, guild_id: int, channel_id: int) -> bool | None:
        return None

    async def place(self, guild_id: int, channel_id: int, user_id: int) -> Place | None:
        return None

    async def visible(self, guild_id: int, channel_ids: Iterable[int], user_id: int) -> frozenset[int]:
        return frozenset(channel_ids)

    def channel_names(self, guild_id: int, channel_ids: Iterable[int]) -> Mapping[int, str]:
        return {}


@dataclass
class Door:
    """A way in: builds requests of Alice to one bot."""

    crowd: Crowd
    seconds: float = 0.0
    """The time on the clock of the budget."""
    context: BotContext = field(init=False)

    def __post_init__(self) -> None:
        services = self.crowd.services
        renderer, limit = BoardRenderer(services), RateLimit(lambda: self.seconds)
        self.context = BotContext(services, renderer, Settings(_env_file=None), limit, Members())

    def request(self, place: Place = Place(GUILD, CHANNEL), locale: str = "en") -> Request:  # noqa: B008
        """Return a new request."""
        preferences, number = Preferences(), self.crowd.interaction()
        return Request(self.context, number, place, ALICE, False, locale, preferences, self.crowd.now)


@pytest_asyncio.fixture
async def door(tmp_path: Path, empty_database: Path) -> AsyncIterator[Door]:
    async with crowd_on(Path(shutil.copy(empty_database, tmp_path))) as crowd:
        yield Door(crowd)
