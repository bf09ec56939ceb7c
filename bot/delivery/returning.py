"""Says what there was no place for, once a server lets the bot speak again: invited anew, or permitted anew."""

from __future__ import annotations

import discord

from bot.delivery import discord_calls
from bot.matches.services import Services
from bot.storage.queries import matches, outbox
from bot.storage.records import Match


async def say_again(client: discord.Client, services: Services, guild_id: int) -> None:
    """Have everything tried again that was refused in a server's matches, where the bot may post now."""
    async with services.context.database.read() as tx:
        found = [await matches.get(tx, match_id) for match_id in await outbox.refused(tx, guild_id)]
    again = [match.id for match in found if match is not None and _may_post(client, match)]
    if again:
        async with services.context.database.write() as tx:
            await outbox.revive(tx, again, services.context.clock())
        services.context.wake()


def _may_post(client: discord.Client, match: Match) -> bool:
    places = map(client.get_channel, (match.place_id, match.channel_id))
    return any(discord_calls.may_post(place) for place in places if place is not None)
