"""The running bot as requests see it: services, pictures, settings, limits, and lookups at Discord.

Knows neither Discord nor HTTP: ``DiscordLookup`` declares the lookups, and the client brings their implementation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import ceil
from typing import Protocol

from bot.compute.concurrency_limit import ConcurrencyLimit
from bot.compute.rate_limit import RateLimit
from bot.languages.speaking import CommandLinks
from bot.matches.model.refusals import Refusal, Restarting
from bot.matches.services import Services
from bot.messages.pictures import BoardRenderer
from bot.settings import Settings
from bot.storage.homes import channel_of, is_private, private_home
from bot.storage.records import Person
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

ACKNOWLEDGEMENTS_AT_ONCE, ACKNOWLEDGEMENT_PAUSE = 3, 0.01
"""How many requests of one person are acknowledged at once, and the longest pause in seconds before the next.

At a tenth of a second each, sixty are acknowledged within the three seconds that Discord gives.
"""
REQUEST, SUGGESTION, EXPORT = 1.0, 0.25, 15.0
"""The points that a command or click, a list of suggestions, and an export of all data take from a person's budget."""


@dataclass(frozen=True, slots=True)
class ChosenPerson:
    """A person whom a command or menu names.

    ``bot`` is true of bots, ``itself`` of this one; ``member`` says whether they are in the server.
    """

    person: Person
    bot: bool = False
    itself: bool = False
    member: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request comes from: a channel or thread of a server, or the direct messages of the bot and a person.

    There ``direct`` is true and ``guild_id`` None. ``parent_id`` is the channel of a thread. ``language`` is the tag of
    the language that the server, or there the person, has in Discord. ``missing_permissions`` names those that the bot
    lacks to play there. ``needs_mention`` is true of a private thread that the bot is not in: it can answer there, but
    not post. ``may_post`` says whether the person may post there. ``own_thread`` is true of a thread that the bot has
    opened, for a match, and ``private`` of a private thread. ``outside`` is true where the person asks in a group or a
    server without the bot, and plays the bot in direct messages. There they play others where they are: that place is
    ``answered`` (``bot.storage.homes``).
    """

    guild_id: int | None = None
    channel_id: int | None = None
    parent_id: int | None = None
    language: str = "en"
    missing_permissions: tuple[str, ...] = ()
    may_post: bool = True
    needs_mention: bool = False
    own_thread: bool = False
    private: bool = False
    direct: bool = False
    outside: bool = False
    answered: bool = False

    @classmethod
    def of_home(cls, home: int, language: str = "en") -> Place:
        """Return a home as a place, where nothing is known of the channel: a server, or direct messages."""
        if is_private(home):
            return cls(None, channel_of(home), language=language, direct=True)
        return cls(home, language=language)

    @property
    def home(self) -> int | None:
        """Where what is played here belongs: the server or the private home; None elsewhere."""
        private = (self.direct or self.answered) and self.channel_id is not None
        return private_home(self.channel_id or 0) if private else self.guild_id

    @property
    def bot_may_post(self) -> bool:
        return not self.missing_permissions and not self.needs_mention


class DiscordLookup(Protocol):
    """Lookups of servers, channels, members and messages."""

    async def message_is_gone(self, channel_id: int, message_id: int) -> bool:
        """Return whether a message is certainly deleted. A message that Discord cannot look up now is not."""

    async def has_left(self, guild_id: int, user_id: int) -> bool:
        """Return whether a person is certainly no longer in a server."""

    async def member(self, guild_id: int, user_id: int) -> ChosenPerson | None:
        """Return a member of a server, or None for a person who is not in it. Raises ``UnavailableError``."""

    def may_post(self, guild_id: int, channel_id: int) -> bool | None:
        """Return whether the bot may post boards in a channel or thread of a server, None for one it does not know."""

    async def place(self, guild_id: int, channel_id: int, user_id: int) -> Place | None:
        """Return a channel or thread of a server as a place for what a person does there; None if it is not known."""

    async def visible(self, guild_id: int, channel_ids: Iterable[int], user_id: int) -> frozenset[int]:
        """Return which of some channels and threads of a server a person may see."""

    def channel_names(self, guild_id: int, channel_ids: Iterable[int]) -> Mapping[int, str]:
        """Return the names of those channels and threads of a server that are known."""


class InFlightTracker:
    """Counts the requests that are acknowledged, carried out or answered, so that a stop can wait for them."""

    def __init__(self) -> None:
        self._count = 0
        self._closed = False
        self._free = asyncio.Event()
        self._free.set()

    @property
    def closed(self) -> bool:
        """Whether the bot takes no new requests any more."""
        return self._closed

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Count the work done in the block."""
        self._count += 1
        self._free.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._free.set()

    def check_open(self) -> None:
        """Raise ``Restarting`` once the bot takes no new requests."""
        if self._closed:
            raise Restarting(_("I'm restarting. Nothing is lost; try again in a minute."))

    async def wait_until_idle(self, seconds: float) -> None:
        """Wait, at most ``seconds``, until no request is acknowledged, carried out or answered."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._free.wait(), seconds)

    async def close(self, seconds: float) -> None:
        """Take no new requests and wait, at most ``seconds``, for those that have begun."""
        self._closed = True
        await self.wait_until_idle(seconds)


@dataclass(frozen=True, slots=True)
class BotContext:
    """One running bot, as requests see it."""

    services: Services
    renderer: BoardRenderer
    settings: Settings
    rate_limit: RateLimit
    lookup: DiscordLookup
    in_flight: InFlightTracker = field(default_factory=InFlightTracker)
    install_url: str = ""
    """Where a person installs the bot for themselves; empty if they may not."""
    concurrency_limit: ConcurrencyLimit = field(default_factory=ConcurrencyLimit)
    acknowledgement_limit: ConcurrencyLimit = field(
        default_factory=lambda: ConcurrencyLimit(ACKNOWLEDGEMENTS_AT_ONCE, ACKNOWLEDGEMENT_PAUSE)
    )
    command_links: CommandLinks = field(default_factory=CommandLinks)

    def check_rate_limit(self, who: Hashable, points: float = REQUEST) -> None:
        """Take points from the budget of a person, by their id, or of guests.

        Raises ``Refusal`` where it is spent, or while the bot stops. What costs nothing is not refused to a person who
        has overdrawn their budget.
        """
        self.in_flight.check_open()
        if points and (wait := ceil(self.rate_limit.spend(who, points))):
            raise Refusal(
                _n(
                    "That was a lot at once. Try again in {n} second.",
                    "That was a lot at once. Try again in {n} seconds.",
                    wait,
                )
            )
