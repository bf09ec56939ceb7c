"""Another server with the same bot, and a person in it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest_asyncio
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle

from bot.views.permissions import PERMISSIONS
from tests.support.simulated_discord import SimulatedDiscord, grant


@dataclass
class Elsewhere:
    """Another server with the bot, in which only Dora is."""

    guild: GuildHandle
    channel: ChannelHandle
    dora: MemberActor


@pytest_asyncio.fixture
async def elsewhere(sim: SimulatedDiscord) -> Elsewhere:
    return another_server(sim)


def another_server(sim: SimulatedDiscord) -> Elsewhere:
    """Have the bot join another server."""
    guild = sim.env.create_guild("Another server")
    grant(guild, PERMISSIONS)
    channel = guild.create_text_channel("games")
    return Elsewhere(guild, channel, guild.add_member(sim.env.create_user("dora")))
