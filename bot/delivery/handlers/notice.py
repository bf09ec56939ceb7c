"""Posts reminders that time is running out and late notices that it is up, and tells people that they are barred."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import discord_calls, telling
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import (
    Posted,
    find_posted,
    notify_directly,
    post,
    rewrite,
)
from bot.matches.model.policies.news import Kind
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import notices as messages
from bot.storage import bars, match_lists, matches, notices, people
from bot.storage.notices import Notice
from bot.storage.outbox import OutboxMessage
from bot.storage.records import EVERYWHERE, MatchState


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post a notice that still holds, or find one posted before the match went on, so that it loses its button."""
    kind, ply = MessageKind(message.kind), message.payload["ply"]
    compose = messages.reminder if kind is MessageKind.REMINDER else messages.late
    async with context.services.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
        if match is None:
            return None
        # Of a match that is over only the marker is used, by which a notice posted before is found.
        outgoing = compose(replace(match, ply=ply, to_move=match.to_move or 0))
    # The match is still at that ply, with time left (reminder) or without (late notice).
    late = kind is MessageKind.LATE
    if match.state is MatchState.RUNNING and match.ply == ply and match.flagged is late:
        outgoing = await telling.announced(
            context, message, match, Kind.WIN_TO_CLAIM if late else Kind.REMINDER, outgoing
        )
        posted: Posted | None = await post(context, message, match, outgoing)
    else:
        posted = await find_posted(context, message, match, outgoing.marker)
    if posted is None:
        return None
    return Done(partial(notices.put, match_id=match.id, notice=Notice(ply, kind, *posted)))


async def send_grace(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person directly that a day away was spent, unless they have moved; who takes no direct messages, there."""
    async with context.services.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
        if match is None or match.state is not MatchState.RUNNING or match.ply != message.payload["ply"]:
            return None
        person = match.mover.person
        if match.deadline_at is None or not person.mentionable:
            return None
    if await notify_directly(context, message, person.id, partial(messages.grace, match)):
        return Done()
    outgoing = await telling.announced(context, message, match, Kind.GRACE, messages.reminder(match))
    posted = await post(context, message, match, outgoing)
    return Done(partial(notices.put, match_id=match.id, notice=Notice(match.ply, MessageKind.REMINDER, *posted)))


async def send_together(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post one reminder of several matches that still wait for a person."""
    async with context.services.database.read() as tx:
        found = [(await matches.get(tx, number), ply) for number, ply in message.payload["turns"]]
        asked = [(match, ply) for match, ply in found if match is not None]
        waiting = [one for one, ply in asked if one.state is MatchState.RUNNING and one.ply == ply and not one.flagged]
        reminded = bool(waiting) and (await people.preferences(tx, waiting[0].mover.person.id)).reminders
    posted: Posted | None = None
    for match, ply in asked:
        # It stands under the first match that waited when it was posted.
        posted = posted or await find_posted(context, message, match, messages.reminder_marker(match.id, ply))
    if posted is None and reminded:
        posted = await post(context, message, waiting[0], messages.reminders(waiting))
    if posted is None:
        return None
    place = posted

    async def store(tx: AsyncConnection) -> None:
        for match, ply in asked:
            await notices.put(tx, match.id, Notice(ply, MessageKind.REMINDERS, *place))

    return Done(store)


async def rewrite_together(context: DeliveryContext, guild_id: int, user_id: int, posted: Posted) -> bool:
    """Leave in a reminder of several matches those that still wait for the person; return whether it exists."""
    waiting = []
    async with context.services.database.read() as tx:
        for match in await match_lists.running_of(tx, guild_id, user_id):
            if match.mover.person.id == user_id:
                standing = await notices.at_ply(tx, match.id, match.ply)
                waiting += [match] if posted[1] in [notice.message_id for notice in standing] else []
    view = messages.reminders(waiting).view if waiting else messages.nothing_waits()
    return await rewrite(context, posted, view)


async def send_barred(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person directly that they are barred, unless the bar has been lifted meanwhile.

    People outside the server are not told: a stranger could write to them by that, under the name of any server.
    Without direct messages, people learn it when they try to play.
    """
    async with context.services.database.read() as tx:
        bar = await bars.get(tx, message.payload["bar"])
    if bar is None:
        return None
    guild = context.client.get_guild(bar.guild_id)
    here = guild is not None and not await discord_calls.has_left(context.client, bar.guild_id, bar.user_id)
    if not here and bar.guild_id != EVERYWHERE:
        return None
    text = partial(messages.bar_notice, bar, "" if guild is None else guild.name)
    await notify_directly(context, message, bar.user_id, text)
    return Done()
