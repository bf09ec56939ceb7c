"""Permissions of the bot, taken away and given back."""

from __future__ import annotations

import discord

from bot.views.permissions import PERMISSIONS
from tests.support.simulated_discord import SimulatedDiscord, grant


def without(*names: str) -> discord.Permissions:
    """Return the invited permissions less some."""
    return discord.Permissions(PERMISSIONS.value & ~discord.Permissions(**dict.fromkeys(names, True)).value)


def regrant(sim: SimulatedDiscord, permissions: discord.Permissions) -> None:
    """Give the bot these permissions in the whole server from now on, and no others."""
    grant(sim.guild, permissions)
    sim.env.backend.announce_role_updates(sim.guild.id, sim.env.backend.guilds[sim.guild.id].roles.values())
