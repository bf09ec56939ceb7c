"""What views and commands reach through the client: the services, the studio and the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import discord
from discord.ext import commands

from bot.matches.refusals import Refusal
from bot.matches.services import Services
from bot.settings import Settings
from bot.storage.records import Person, Preferences
from bot.views.pictures import Studio

MOST_REQUESTS, IN_SECONDS = 60, 30
"""How many interactions of one person are answered in how many seconds."""
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that set the direction of all that follows: what they do does not end with the name they are in."""


def _who(interaction: discord.Interaction[Any]) -> int:
    return interaction.user.id


class Desk:
    """Knows how many interactions are being worked on, so that a stop can let them be finished."""

    def __init__(self) -> None:
        self._count = 0
        self._closed = False
        self._free = asyncio.Event()
        self._free.set()

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
        """Raise ``Refusal`` once the desk is being closed."""
        if self._closed:
            raise Refusal("I am being restarted. Try again in a minute; nothing is lost.")

    async def close(self, patience: float) -> None:
        """Take nothing new and wait, at most ``patience`` seconds, until what was begun is done."""
        self._closed = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._free.wait(), patience)


@dataclass(frozen=True, slots=True)
class Host:
    """One running bot, as far as views and commands are concerned."""

    services: Services
    studio: Studio
    settings: Settings
    desk: Desk = field(default_factory=Desk)
    haste: commands.CooldownMapping[discord.Interaction[Any]] = field(
        default_factory=lambda: commands.CooldownMapping.from_cooldown(MOST_REQUESTS, IN_SECONDS, _who)
    )

    def check_haste(self, interaction: discord.Interaction[Any]) -> None:
        """Raise ``Refusal`` for somebody who asks for more than anybody needs, and for all when the bot stops."""
        self.desk.check_open()
        wait = self.haste.update_rate_limit(interaction, self.services.context.clock().timestamp())
        if wait is not None:
            raise Refusal(f"That was a lot at once. Try again in {wait:.0f} seconds.")


def host_of(interaction: discord.Interaction[Any]) -> Host:
    """Return the host of the client an interaction came to."""
    host = interaction.client.host
    assert isinstance(host, Host)
    return host


def person_of(interaction: discord.Interaction[Any]) -> Person:
    """Return who is asking."""
    return known_as(interaction.user)


def known_as(user: discord.abc.User) -> Person:
    """Return somebody under the name shown in the server, less what would turn the words around it round."""
    name = " ".join(user.display_name.translate(_TURNING).split())
    return Person(user.id, name or user.name)


async def wanted_by(interaction: discord.Interaction[Any]) -> Preferences:
    """Return how whoever is asking likes to see things."""
    return await host_of(interaction).services.personal.preferences(interaction.user.id)


def guild_of(interaction: discord.Interaction[Any]) -> int:
    """Return the server an interaction comes from. Raises ``Refusal`` for direct messages."""
    if interaction.guild_id is None:
        raise Refusal("Matches live in servers. Use this in a channel of yours.")
    return interaction.guild_id


def place_of(interaction: discord.Interaction[Any]) -> int:
    """Return the thread or channel an interaction comes from. Raises ``Refusal`` where there is none."""
    if interaction.channel_id is None:
        raise Refusal("Matches live in channels. Use this in one of them.")
    return interaction.channel_id
