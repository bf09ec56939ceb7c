"""What views and commands reach through the client: the services, the studio and the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from bot.matches.refusals import Refusal
from bot.matches.services import Services
from bot.settings import Settings
from bot.storage.records import Person
from bot.views.pictures import Studio


@dataclass(frozen=True, slots=True)
class Host:
    """One running bot, as far as views and commands are concerned."""

    services: Services
    studio: Studio
    settings: Settings


def host_of(interaction: discord.Interaction[Any]) -> Host:
    """Return the host of the client an interaction came to."""
    host = interaction.client.host
    assert isinstance(host, Host)
    return host


def person_of(interaction: discord.Interaction[Any]) -> Person:
    """Return who is asking."""
    return Person(interaction.user.id, interaction.user.display_name)


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
