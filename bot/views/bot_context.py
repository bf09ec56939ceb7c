"""What views and commands reach through the client: the services, the renderer and the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import discord

from bot.compute.concurrency_limit import ConcurrencyLimit
from bot.compute.rate_limit import RateLimit
from bot.matches.model.refusals import Refusal
from bot.matches.model.turn import TurnRequest
from bot.matches.services import Services
from bot.messages.pictures import BoardRenderer
from bot.messages.wording import one_line
from bot.settings import Settings
from bot.storage.people import Preferences
from bot.storage.records import Person
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

REQUEST, SUGGESTION, EXPORT = 1.0, 0.25, 15.0
"""What is taken from a person's budget for a command or a click, for suggestions while they type, and for all data."""


class InFlightTracker:
    """Knows how many interactions are being worked on, so that a stop can let them be finished."""

    def __init__(self) -> None:
        self._count = 0
        self._closed = False
        self._free = asyncio.Event()
        self._free.set()

    @property
    def closed(self) -> bool:
        """Whether nothing new is taken any more."""
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
        """Raise ``Refusal`` once nothing new is taken."""
        if self._closed:
            raise Refusal(_("I'm restarting. Nothing is lost; try again in a minute."))

    async def finished(self, seconds: float) -> None:
        """Wait, at most ``seconds``, until nothing is being worked on."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._free.wait(), seconds)

    async def close(self, seconds: float) -> None:
        """Take nothing new and wait, at most ``seconds``, until what was begun is done."""
        self._closed = True
        await self.finished(seconds)


async def always(_interaction: discord.Interaction[Any]) -> bool:
    """Claim every interaction, as a bot does that has no others beside it."""
    return True


@dataclass(frozen=True, slots=True)
class BotContext:
    """One running bot, as far as views and commands are concerned.

    ``claim`` says of each interaction, before it is acknowledged, whether it is this bot's to answer: while a slot
    changes hands two bots hear of it.
    """

    services: Services
    renderer: BoardRenderer
    settings: Settings
    rate_limit: RateLimit
    claim: Callable[[discord.Interaction[Any]], Awaitable[bool]] = always
    in_flight: InFlightTracker = field(default_factory=InFlightTracker)
    concurrency_limit: ConcurrencyLimit = field(default_factory=ConcurrencyLimit)

    def check_rate_limit(self, interaction: discord.Interaction[Any], points: float = REQUEST) -> None:
        """Raise ``Refusal`` for somebody who asks for more than anybody needs, and for all when the bot stops."""
        self.in_flight.check_open()
        wait = ceil(self.rate_limit.spend(interaction.user.id, points))
        if wait:
            raise Refusal(
                _n(
                    "That was a lot at once. Try again in {n} second.",
                    "That was a lot at once. Try again in {n} seconds.",
                    wait,
                )
            )


def context_of(interaction: discord.Interaction[Any]) -> BotContext:
    """Return the context of the client an interaction came to."""
    context = interaction.client.context
    assert isinstance(context, BotContext)
    return context


def person_of(interaction: discord.Interaction[Any]) -> Person:
    """Return who is asking."""
    return known_as(interaction.user)


def request_of(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> TurnRequest:
    """Return what is asked for in a match; ``ply`` is the ply of the control that was used. Raises ``Refusal``."""
    at = context_of(interaction).services.context.clock()
    return TurnRequest(guild_of(interaction), match_id, person_of(interaction), interaction.id, at, ply)


def known_as(user: discord.abc.User) -> Person:
    """Return somebody under the name shown in the server."""
    return Person(user.id, one_line(user.display_name) or user.name)


async def wanted_by(interaction: discord.Interaction[Any]) -> Preferences:
    """Return how whoever is asking likes to see things."""
    return await context_of(interaction).services.personal_settings.preferences(interaction.user.id)


def guild_of(interaction: discord.Interaction[Any]) -> int:
    """Return the server an interaction comes from. Raises ``Refusal`` for direct messages."""
    if interaction.guild_id is None:
        raise Refusal(_("Matches are played in servers. Use this in a server's channel."))
    return interaction.guild_id


def check_manages(interaction: discord.Interaction[Any]) -> None:
    """Raise ``Refusal`` for whoever may not manage the server an interaction comes from."""
    if not interaction.permissions.manage_guild:
        raise Refusal(_("Only people who can manage this server can do that."))


def place_of(interaction: discord.Interaction[Any]) -> int:
    """Return the thread or channel an interaction comes from. Raises ``Refusal`` where there is none."""
    if interaction.channel_id is None:
        raise Refusal(_("Matches are played in channels. Use this in one of them."))
    return interaction.channel_id
