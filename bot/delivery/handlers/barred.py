"""Tells a person directly that they are barred. Without direct messages they learn it when they try to play."""

from __future__ import annotations

from functools import partial

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import notify_directly
from bot.messages.notices import barred
from bot.storage import people
from bot.storage.outbox import OutboxMessage


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Send the news of a bar, unless it has been lifted meanwhile."""
    async with context.database.read() as tx:
        bar = await people.bar(tx, message.payload["bar"])
    if bar is None:
        return None
    guild = context.client.get_guild(bar.guild_id)
    await notify_directly(context, message, bar.user_id, partial(barred, bar, None if guild is None else guild.name))
    return Done()
