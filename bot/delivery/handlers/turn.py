"""Tells a person that it is their turn where they want it: with the board, by direct message, or not at all.

A person who takes no direct messages is told in the channel from then on, and once why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import telling
from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.dispatcher import Done
from bot.delivery.posting import Posted, rewrite, sent_directly
from bot.matches.model.policies.news import DIRECTLY
from bot.matches.services.match_queries import EarlierTurn, MatchView
from bot.matches.writing import outbox_messages
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import board
from bot.messages import notices as messages
from bot.messages.layout import Outgoing
from bot.storage import match_lists, matches, mentions, notices
from bot.storage.notices import Notice
from bot.storage.outbox import OutboxMessage
from bot.storage.records import EntryKind, Match, MatchState, News, Seat
from renderers.i18n import speaking


async def send_later(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person of a turn that was held back, unless they were reminded of it.

    Who was mentioned without a sound hears of it now, or not at all: they have looked in, or hear of another turn.
    """
    match, ply = await context.services.read(matches.get, message.payload["match"]), message.payload["ply"]
    if match is None or not _waits(match, ply) or (match.deadline_at is not None and match.remind_at is None):
        return None
    told, posted = await telling.of_turn(context, message, match), None
    if told.mention and not (message.payload.get("mentioned") and told.silent):
        outgoing = replace(messages.turns_here([match], refused=False), silent=told.silent)
        posted = await telling.post_told(context, message, match, outgoing)

    async def store(tx: AsyncConnection) -> None:
        if posted is not None:
            await telling.put_notice(context, tx, match.id, Notice(ply, MessageKind.TURN, *posted))
        await telling.remember(context, message, match, told, tx)

    return Done(store)


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Send the person to move the board by direct message, unless the match has gone on."""
    match_view = await context.services.queries.find_match_view(message.payload["match"])
    if match_view is None or not _waits(match_view.match, message.payload["ply"]):
        return None
    match = match_view.match
    outgoing = await _direct_board(context, match_view)
    sent = await sent_directly(context, message, match.mover.person, outgoing)
    if sent is not None:
        return Done(partial(_note, [match], Notice(match.ply, MessageKind.DIRECT_TURN, *sent), context))
    settings = context.services.personal_settings
    if match.answered:
        await settings.refuse_direct_news(match.mover.person.id)
        return None
    # Who is told in the channel, too, was mentioned there.
    preferences = await settings.recent_preferences(match.mover.person.id)
    mentioned = (match.mover.news or preferences.news) is News.BOTH
    return await _tell_here(context, message, [match], mention=not mentioned)


async def send_after_quiet_hours(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person of all turns that began in their quiet hours and still wait for them, in one message."""
    async with context.services.database.read() as tx:
        turns = [(await matches.get(tx, number), ply) for number, ply in message.payload["turns"]]
    waiting = [match for match, ply in turns if match is not None and _waits(match, ply)]
    if not waiting:
        return None
    person = waiting[0].mover.person
    with speaking(await language_of(context, person.id)):
        outgoing = messages.turns_directly(waiting, page=context.page)
    sent = await sent_directly(context, message, person, outgoing)
    if sent is not None:
        return Done(partial(_note, waiting, Notice(0, MessageKind.TURNS, *sent), context))
    here, elsewhere = await telling.told_together(context, waiting)
    if not here:
        await context.services.personal_settings.refuse_direct_news(person.id)
        return None
    return await _tell_here(context, message, here, elsewhere)


def _waits(match: Match, ply: int) -> bool:
    """Return whether a match still waits for the person to move at a ply."""
    return match.state is MatchState.RUNNING and match.ply == ply and match.mover.person.mentionable


async def _direct_board(context: DeliveryContext, match_view: MatchView) -> Outgoing:
    """Return a running match for a direct message to the person to move, in their language."""
    match, settings = match_view.match, context.services.personal_settings
    person, guild = match.mover.person, context.client.get_guild(match.guild_id)
    preferences, server = await settings.recent_preferences(person.id), "" if guild is None else guild.name
    with speaking(await language_of(context, person.id)):
        return await board.direct_board(context.renderer, match_view, preferences, server, page=context.page)


async def _note(waiting: Sequence[Match], shown: Notice, context: DeliveryContext, tx: AsyncConnection) -> None:
    """Store where a direct message about turns stands, and have it rewritten if one has been played meanwhile."""
    for match in sorted(waiting, key=lambda match: match.id):
        current = await matches.get(tx, match.id, lock=True)
        if current is None:
            continue
        await telling.put_notice(context, tx, match.id, replace(shown, ply=match.ply))
        if current.board_ply is not None and current.board_ply > match.ply:
            await outbox_messages.retire_notices(tx, match.id, current.board_ply, context.services.clock())


async def rewrite_deadline(context: DeliveryContext, match_view: MatchView, posted: Posted) -> None:
    """Put right until when there is time in a direct message to the person to move."""
    await rewrite(context, posted, (await _direct_board(context, match_view)).view)


async def retire(context: DeliveryContext, earlier: EarlierTurn, seat: Seat, posted: Posted) -> Done | None:
    """Leave of a direct message to the person of a seat that it was their turn, or that the match is over."""
    match, entry = earlier.match, earlier.entry
    if entry is not None and entry.kind is EntryKind.DROP and match.ply == entry.ply and match.to_move == seat.seat:
        # Another player has left a game of several: it is still the same turn.
        return Done(partial(_note, [match], Notice(match.ply, MessageKind.DIRECT_TURN, *posted), context))
    with speaking(await language_of(context, seat.person.id)):
        view = messages.retired_directly(match)
    return Done() if await rewrite(context, posted, view, ()) else None


async def rewrite_together(context: DeliveryContext, user_id: int, posted: Posted) -> Done | None:
    """Leave in a direct message about several turns those that still wait for the person."""
    waiting = []
    async with context.services.database.read() as tx:
        for match in await match_lists.waiting_since(tx, user_id, None):
            standing = await notices.at_ply(tx, match.id, match.ply)
            waiting += [match] if posted[1] in [notice.message_id for notice in standing] else []
    with speaking(await language_of(context, user_id)):
        view = messages.turns_directly(waiting, page=context.page).view if waiting else messages.nothing_waits()
    return Done() if await rewrite(context, posted, view) else None


async def _tell_here(
    context: DeliveryContext,
    message: OutboxMessage,
    waiting: Sequence[Match],
    elsewhere: Sequence[Match] = (),
    *,
    mention: bool = True,
) -> Done:
    """Tell a person who takes no direct messages in the channel; from then on they are told there, and once why.

    They hear it like any other mention: not if they have just acted in the match, or have to answer another one. What
    waits ``elsewhere`` is told in places of its own.
    """
    match, settings = waiting[0], context.services.personal_settings
    person = match.mover.person
    preferences = await settings.recent_preferences(person.id)
    outgoing = messages.turns_here(waiting, refused=(match.mover.news or preferences.news) in DIRECTLY)
    outgoing = await telling.refused(
        context, message, match, replace(outgoing, mentions=outgoing.mentions if mention else ())
    )
    posted = await telling.post_told(context, message, match, outgoing)
    await settings.refuse_direct_news(person.id)

    async def store(tx: AsyncConnection) -> None:
        await telling.put_notice(context, tx, match.id, Notice(match.ply, MessageKind.TURN, *posted))
        if not outgoing.silent:
            await mentions.note(tx, match.id, match.ply, message.begun_at or message.created_at)
        if elsewhere:
            now = context.services.clock()
            await outbox_messages.turns_after_quiet_hours(tx, f"{message.id}:{elsewhere[0].id}", elsewhere, now)

    return Done(store)
