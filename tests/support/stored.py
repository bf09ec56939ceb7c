"""Stored matches, and spans of time."""

from __future__ import annotations

from bot.storage import matches
from bot.storage.records import Match
from tests.support.simulated_discord import SimulatedDiscord

HOUR, DAY = 3600, 86400


async def stored(sim: SimulatedDiscord, number: int = 1) -> Match:
    assert sim.bot.database is not None
    async with sim.bot.database.read() as tx:
        match = await matches.get(tx, number)
    assert match is not None
    return match
