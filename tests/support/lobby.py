"""Three people who play Rectangles of Distinction together."""

from __future__ import annotations

import discord

from tests.support.acting import cards
from tests.support.simulated_discord import SimulatedDiscord


async def lobby(sim: SimulatedDiscord) -> discord.Message:
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", first="challenger")
    return cards(sim)[-1]


async def three_playing(sim: SimulatedDiscord) -> int:
    card = await lobby(sim)
    await sim.bob.click(card, label="Join")
    await sim.carol.click(card, label="Join")
    await sim.alice.click(card, label="Start")
    return card.id
