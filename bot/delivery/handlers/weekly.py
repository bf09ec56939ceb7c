"""Posts what was played in a server in a week, once and silently."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

import discord

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import UndeliverableError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import post_once
from bot.messages.weekly import weekly_post
from bot.storage.outbox import OutboxMessage


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the week of a server, unless an earlier attempt did, or nothing was played."""
    places = [await discord_calls.place(context.client, one) for one in message.payload["channels"]]
    place = next((one for one in places if one is not None), None)
    if place is None:
        raise UndeliverableError("every channel for it is gone")

    def seen(channel_ids: Collection[int]) -> list[int]:
        return [one for one in channel_ids if one == place.id or _seen_by_readers(place, one)]

    week = await context.services.weekly_posts.week(message.payload["guild"], message.created_at, seen)
    if week is None:
        return None
    await post_once(context, message, place.id, weekly_post(week, date.fromisoformat(message.payload["week"])))
    return Done()


def _seen_by_readers(read: discord_calls.ServerPlace, other_id: int) -> bool:
    """Return whether all who read a channel or thread may certainly see another one."""
    guild = read.guild
    other = guild.get_channel_or_thread(other_id)
    if other is None or (isinstance(other, discord.Thread) and other.is_private()):
        return False
    reading, seeing = (one.parent if isinstance(one, discord.Thread) else one for one in (read, other))
    if reading is None or seeing is None:
        return False
    closed = any(allowed.view_channel is False for allowed in seeing.overwrites.values())
    open_to_all = seeing.permissions_for(guild.default_role).view_channel and not closed
    return open_to_all or reading.overwrites == seeing.overwrites
