"""Stored matches, and spans of time."""

from __future__ import annotations

from sqlalchemy import select

from bot.storage import matches, tables
from bot.storage.records import Match
from tests.support.simulated_discord import SimulatedDiscord

HOUR, DAY = 3600, 86400


async def number_of(sim: SimulatedDiscord, match: int = 1) -> int:
    """Return the number of the first, second or later match of the server; 0 if there are not so many."""
    of_server = select(tables.matches.c.id).where(tables.matches.c.guild_id == sim.guild.id)
    async with sim.bot.context.services.database.read() as tx:
        numbers = (await tx.execute(of_server.order_by(tables.matches.c.id))).scalars().all()
    return numbers[match - 1] if match <= len(numbers) else 0


async def stored(sim: SimulatedDiscord, match: int = 1) -> Match:
    """Return the first, second or later match of the server."""
    return await with_number(sim, await number_of(sim, match))


async def with_number(sim: SimulatedDiscord, number: int) -> Match:
    """Return the match with a number."""
    found = await sim.bot.context.services.read(matches.get, number)
    assert found is not None
    return found
