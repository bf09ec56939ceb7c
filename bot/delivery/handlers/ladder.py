"""Has a week of a ladder paired, and posts who plays whom, once and silently, unless the weekly post shows it."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.handlers import weekly
from bot.delivery.posting import post_once
from bot.messages import ladder as messages
from bot.storage.outbox import OutboxMessage


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Begin the matches of a week and post them, where no weekly post is to show them; without any there is no post."""
    guild_id, week = message.payload["guild"], datetime.fromisoformat(message.payload["week"])
    await context.services.ladders.pair(guild_id, week, partial(discord_calls.has_left, context.client))
    view = await context.services.ladders.view(guild_id, week)
    if view is None or not view.matches:
        return None
    # A message that an earlier version stored names no channels of a weekly post.
    if await weekly.shows(context, message.payload.get("channels", ()), view.ladder.channel_id):
        return Done()
    await post_once(context, message, view.ladder.channel_id, messages.weekly_post(view, week))
    return Done()
