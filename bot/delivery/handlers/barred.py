"""Tells a person directly that they are barred. Without direct messages they learn it when they try to play."""

from __future__ import annotations

from functools import partial

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import notify_directly
from bot.messages.notices import barred
from bot.storage import people
from bot.storage.outbox import OutboxMessage
from bot.storage.records import EVERYWHERE


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Send the news of a bar, unless it has been lifted meanwhile.

    People outside the server are not told: a stranger could write to them by that, under the name of any server.
    """
    async with context.database.read() as tx:
        bar = await people.bar(tx, message.payload["bar"])
    if bar is None:
        return None
    guild = context.client.get_guild(bar.guild_id)
    here = guild is not None and not await discord_calls.has_left(context.client, bar.guild_id, bar.user_id)
    if not here and bar.guild_id != EVERYWHERE:
        return None
    await notify_directly(context, message, bar.user_id, partial(barred, bar, "" if guild is None else guild.name))
    return Done()
