"""Posts reminders that time is running out and late notices that it is up, and tells people that they are barred."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import discord_calls, telling
from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.dispatcher import Done
from bot.delivery.posting import (
    Posted,
    find_posted,
    notify_directly,
    post,
    rewrite,
    sent_directly,
)
from bot.matches.model.pace import is_live
from bot.matches.model.policies.news import Kind
from bot.matches.services.preferences import quiet_hours
from bot.matches.writing import outbox_messages
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import notices as messages
from bot.storage import bars, match_lists, matches, notices
from bot.storage.notices import Notice
from bot.storage.outbox import OutboxMessage
from bot.storage.records import EVERYWHERE, Match, MatchState, News
from renderers.i18n import speaking


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
        reads = Kind.WIN_TO_CLAIM if late else Kind.REMINDER
        if not late and await _is_early(context, match):
            outgoing = messages.reminder(match, early=True)
        outgoing, directly = await telling.told_of(context, message, match, reads, outgoing)
        # A reminder is there to be heard; that an untimed match can be closed soon stands there for all.
        needed = late or match.pace is None or bool(outgoing.mentions)
        posted: Posted | None = await post(context, message, match, outgoing) if needed else None
    else:
        posted, directly = await find_posted(context, message, match, outgoing.marker), []
    if posted is None:
        # Who has come to want news directly since this was stored is told there.
        return Done(partial(tell_directly, context, kind, match, directly)) if directly else None
    shown = Notice(ply, kind, *posted)

    async def store(tx: AsyncConnection) -> None:
        await telling.put_notice(context, tx, match.id, shown)
        if late:
            await tell_directly(context, kind, match, directly, tx)

    return Done(store)


async def tell_directly(
    context: DeliveryContext, kind: MessageKind, match: Match, seats: Collection[int], tx: AsyncConnection
) -> None:
    """Queue direct messages to the people of some seats about a match as it stands."""
    for seat in seats:
        await outbox_messages.news_directly(tx, kind, seat, [(match.id, match.ply)], context.services.clock())


async def send_directly(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person directly what they do not want to hear in the channel.

    A reminder comes there if they take no direct messages, of each match.
    """
    payload, kind = message.payload, MessageKind(message.payload["news"])
    turns = await _turns(context, message)
    told = [match for match, ply in turns if match.ply == ply and _is_news(kind, match)]
    if not told or not told[0].seats[payload["seat"]].person.mentionable:
        return None
    match, person = told[0], told[0].seats[payload["seat"]].person
    preferences = await context.services.personal_settings.recent_preferences(person.id)
    with speaking(await language_of(context, person.id)):
        early = kind is MessageKind.REMINDER and await _is_early(context, match)
        outgoing = messages.told_directly(kind, told, early=early)
    silent = kind is MessageKind.BOARD or quiet_hours(preferences, context.services.clock()) is not None
    if (
        await sent_directly(context, message, person, replace(outgoing, silent=silent))
        or kind is not MessageKind.REMINDER
    ):
        return Done()
    await context.services.personal_settings.refuse_direct_news(person.id)
    if (match.seats[payload["seat"]].news or preferences.news) is News.BOTH:
        return Done()  # the channel has it, too
    outgoing = await telling.announced(context, message, match, Kind.REMINDER, messages.reminder(match))
    posted = await post(context, message, match, outgoing)

    async def store(tx: AsyncConnection) -> None:
        await telling.put_notice(context, tx, match.id, Notice(match.ply, MessageKind.REMINDER, *posted))
        await outbox_messages.reminders(tx, told[1:], context.services.clock())

    return Done(store)


async def _is_early(context: DeliveryContext, match: Match) -> bool:
    """Return whether the time of the person to move runs out in quiet hours of theirs that have not begun."""
    if match.deadline_at is None or match.pace is None or is_live(match.pace):
        return False
    preferences = await context.services.personal_settings.recent_preferences(match.mover.person.id)
    quiet = quiet_hours(preferences, match.deadline_at)
    return quiet is not None and context.services.clock() < quiet[0]


def _is_news(kind: MessageKind, match: Match) -> bool:
    """Return whether a match stands as it did when news of it was stored: over, or running, with time left or not."""
    if kind is MessageKind.BOARD:
        return match.state is MatchState.OVER
    return match.state is MatchState.RUNNING and match.flagged is (kind is MessageKind.LATE)


async def _turns(context: DeliveryContext, message: OutboxMessage) -> list[tuple[Match, int]]:
    """Return the matches that a message is about which are still stored, each with the ply of its turn."""
    async with context.services.database.read() as tx:
        stored = [(await matches.get(tx, number), ply) for number, ply in message.payload["turns"]]
    return [(match, ply) for match, ply in stored if match is not None]


async def send_grace(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person directly that a day away was spent, and for which matches; who takes no messages, in the channel.

    Who wants no news of their turns sees it on the boards.
    """
    settings = context.services.personal_settings
    async with context.services.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
        # Earlier versions stored no seat: theirs is that of the person to move.
        seat = None if match is None else message.payload.get("seat", match.to_move)
        if match is None or seat is None or not (person := match.seats[seat].person).mentionable:
            return None
        waiting = await match_lists.waiting_since(tx, person.id, None)
        only = message.payload.get("matches")
    with_grace = [
        match for match in waiting if match.graces and not match.flagged and (only is None or match.id in only)
    ]
    preferences = await settings.recent_preferences(person.id)
    if not with_grace or preferences.news is News.NONE:
        return None
    with speaking(await language_of(context, person.id)):
        outgoing = messages.grace(with_grace)
    quiet = quiet_hours(preferences, context.services.clock())
    if await sent_directly(context, message, person, replace(outgoing, silent=quiet is not None)) is not None:
        return Done()
    here, elsewhere = await telling.told_together(context, with_grace)
    if not here:
        return None
    several = len(here) > 1
    outgoing = messages.reminders(here) if several else messages.reminder(here[0])
    outgoing = await telling.announced(context, message, here[0], Kind.GRACE, outgoing)
    posted = await post(context, message, here[0], outgoing)

    async def store(tx: AsyncConnection) -> None:
        kind = MessageKind.REMINDERS if several else MessageKind.REMINDER
        for match in here:
            await telling.put_notice(context, tx, match.id, Notice(match.ply, kind, *posted))
        if elsewhere:
            await outbox_messages.grace_elsewhere(tx, message.id, elsewhere, context.services.clock())

    return Done(store)


async def send_together(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post one reminder of several matches that still wait for a person, and have others post those it may not name."""
    turns = await _turns(context, message)
    waiting = [
        match for match, ply in turns if match.state is MatchState.RUNNING and match.ply == ply and not match.flagged
    ]
    posted: Posted | None = None
    for match, ply in turns:
        # It stands under the first match that waited when it was posted.
        posted = posted or await find_posted(context, message, match, messages.reminder_marker(match.id, ply))
    here, elsewhere = waiting, list[Match]()
    if waiting and not waiting[0].direct:
        here, elsewhere = await telling.told_together(context, waiting)
    if posted is None and here:
        preferences = await context.services.personal_settings.recent_preferences(here[0].mover.person.id)
        if preferences.reminders:
            quiet = quiet_hours(preferences, context.services.clock())
            outgoing = replace(messages.reminders(here), silent=quiet is not None)
            posted = await post(context, message, here[0], outgoing)
    if posted is None:
        return None
    place = posted

    async def store(tx: AsyncConnection) -> None:
        for match, ply in turns:
            if match not in elsewhere:
                await telling.put_notice(context, tx, match.id, Notice(ply, MessageKind.REMINDERS, *place))
        await outbox_messages.reminders(tx, elsewhere, context.services.clock())

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
