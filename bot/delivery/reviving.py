"""Retries dropped messages once a server lets the bot post again, because it was invited again or got a permission."""

from __future__ import annotations

import discord

from bot.delivery import discord_calls
from bot.matches.services import Services
from bot.storage import outbox


async def revive_dropped(client: discord.Client, services: Services, guild_id: int) -> None:
    """Retry dropped messages about a server, in places where the bot may post."""
    async with services.context.database.read() as tx:
        dropped = await outbox.dropped(tx, guild_id)
    again = [message_id for message_id, places in dropped.items() if _may_post(client, places)]
    if again:
        async with services.context.database.write() as tx:
            await outbox.revive(tx, again, services.context.clock())
        services.context.wake()


def _may_post(client: discord.Client, place_ids: list[int]) -> bool:
    places = map(client.get_channel, place_ids)
    return any(discord_calls.may_post(place) for place in places if place is not None)
