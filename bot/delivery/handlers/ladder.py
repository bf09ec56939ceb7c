"""Has a week of a ladder paired, and posts who plays whom, once and silently, unless the weekly post shows it.

Tells people that they are out of it.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

import structlog

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.handlers import weekly
from bot.delivery.posting import notify_directly, post_once
from bot.matches.model.ladders import out_by
from bot.messages import ladder as messages
from bot.messages.wording import title
from bot.storage import ladders, matches
from bot.storage.outbox import OutboxMessage

log = structlog.get_logger(__name__)


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Begin the matches of a week and post them, where no weekly post is to show them; without any there is no post.

    Where no board can stand, no match begins: ``/settings`` and ``/ladder`` say why.
    """
    guild_id, week = message.payload["guild"], datetime.fromisoformat(message.payload["week"])
    ladder = await context.services.read(ladders.get, guild_id)
    if ladder is None:
        return None
    place = await discord_calls.place(context.client, ladder.channel_id)
    if place is None or not discord_calls.may_post(place):
        log.warning(
            "ladder not paired: its channel is gone or refuses boards", server=guild_id, channel=ladder.channel_id
        )
        return None
    has_left, sees = partial(discord_calls.has_left, context.client), partial(discord_calls.sees, place)
    await context.services.ladders.pair(guild_id, week, has_left, sees)
    view = await context.services.ladders.view(guild_id, week)
    if view is None or not view.matches:
        return None
    # A message that an earlier version stored names no channels of a weekly post.
    if await weekly.shows(context, message.payload.get("channels", ()), view.ladder.channel_id):
        return Done()
    await post_once(context, message, view.ladder.channel_id, messages.weekly_post(view, week))
    return Done()


async def send_out(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person directly that they are out of a ladder, by what they did in a match."""
    async with context.services.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
        played = await matches.moves_of(tx, message.payload["match"])
    out = None if match is None else out_by(match, played)
    if match is None or out is None or out.user_id < 1:
        return None
    await notify_directly(context, message, out.user_id, partial(messages.out, out.why, title(match)))
    return Done()
