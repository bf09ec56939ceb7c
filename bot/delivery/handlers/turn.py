"""Tells a person that it is their turn where they want it: with the board, by direct message, or not at all.

A person who takes no direct messages is told in the channel from then on, and once why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.discord_calls import RefusedError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import Posted, find_in, nonce, post, rewrite
from bot.matches import presence
from bot.matches.model import usual_hours
from bot.matches.model.pace import is_live
from bot.matches.services.match_queries import EarlierTurn, MatchView
from bot.matches.services.preferences import quiet_hours
from bot.matches.writing import outbox_messages
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import board
from bot.messages import notices as messages
from bot.messages.layout import Outgoing
from bot.storage import match_lists, matches, mentions, notices, people
from bot.storage.mentions import Attention
from bot.storage.notices import Notice
from bot.storage.outbox import OutboxMessage
from bot.storage.people import Preferences
from bot.storage.records import EntryKind, Match, MatchState, News, Person, Seat
from renderers.i18n import speaking

log = structlog.get_logger(__name__)
DIRECTLY = News.DIRECT, News.BOTH


@dataclass(frozen=True, slots=True)
class TurnNews:
    """Where a person is told of their turn now: in the channel, directly, or later.

    A ``silent`` mention makes no sound. ``quiet`` is when their quiet hours began and end, after which they are told;
    ``later`` is when they are told because they are there, or with a sound because they never move in this hour.
    """

    mention: bool
    silent: bool = False
    directly: bool = False
    quiet: tuple[datetime, datetime] | None = None
    later: datetime | None = None


async def news_of(context: DeliveryContext, message: OutboxMessage, match: Match) -> TurnNews:
    """Return where the person to move in a running match is told of their turn: nowhere if they know of it already.

    It is the same at every attempt at a message, in any process, except for live matches, for ``silent``, and for a
    person who moves in another match meanwhile.
    """
    if not match.mover.person.mentionable:
        return TurnNews(mention=False)
    if match.mover.seat in message.payload.get("notified", ()):
        return TurnNews(mention=False)
    person, now = match.mover.person.id, context.services.clock()
    if is_live(match.pace) and context.services.presence.is_here(match.id, person, now):
        return TurnNews(mention=False)
    attention = await attention_of(context, match, person)
    if _has_looked_in(attention, message, match):
        return TurnNews(mention=False)
    if message.kind != MessageKind.TURN_LATER and _is_here(attention, message, match):
        if match.board_message_id is None:
            return TurnNews(mention=True, silent=True)  # by which Discord shows them the thread from now on
        # Live matches are over too soon for that.
        later = None if is_live(match.pace) else message.created_at + presence.TOLD_AFTER
        return TurnNews(mention=False, later=later)
    wanted = await context.services.personal_settings.recent_preferences(person)
    news = match.mover.news or wanted.news
    quiet = None if news is News.NONE else quiet_hours(wanted, now)
    if quiet is not None:
        return TurnNews(mention=False, quiet=quiet)
    mention = news in (News.CHANNEL, News.BOTH)
    heard_at = await _heard_at(context, message, match, attention, wanted) if news is News.CHANNEL else None
    loud = mention and heard_at is None and _makes_sound(context, message, match, attention)
    return TurnNews(mention=mention, silent=not loud, directly=news in DIRECTLY, later=heard_at)


async def _heard_at(
    context: DeliveryContext, message: OutboxMessage, match: Match, attention: Attention, wanted: Preferences
) -> datetime | None:
    """Return when the person to move hears of a turn that begins in an hour of the day in which they never move.

    None is for now. Quiet hours of their own decide alone.
    """
    own, began = wanted.quiet_from not in (None, wanted.quiet_until), message.created_at
    if own or not wanted.usual_hours or message.kind == MessageKind.TURN_LATER or attention.mentioned:
        return None
    short = match.deadline_at is not None and match.deadline_at - began < usual_hours.SHORT
    if short or (attention.here_at is not None and began - attention.here_at < usual_hours.AROUND):
        return None
    moved = await context.services.read(mentions.recent_moves, match.mover.person.id, began - usual_hours.LEARNED_IN)
    hours = usual_hours.usual_hours(moved)
    heard_at = None if hours is None else usual_hours.heard_at(hours, began)
    if heard_at is None or heard_at <= context.services.clock():
        return None
    # A reminder would be heard before.
    lost = not wanted.reminders and match.remind_at is not None and match.remind_at < heard_at
    return None if lost else heard_at


def _makes_sound(context: DeliveryContext, message: OutboxMessage, match: Match, attention: Attention) -> bool:
    """Return whether a mention of the person to move is heard: no other one waits for their answer, or is under way."""
    if is_live(match.pace):  # which leaves no time to look again
        return True
    mention, now = context.services.presence.mention, context.services.clock()
    return not attention.mentioned and mention(match.guild_id, match.mover.person.id, message.id, now)


async def attention_of(context: DeliveryContext, match: Match, user_id: int) -> Attention:
    """Return what a person has done in a match lately, and whether another mention waits for their answer."""
    return await context.services.read(mentions.attention, match, user_id)


async def end_told(context: DeliveryContext, message: OutboxMessage, match: Match, outgoing: Outgoing) -> Outgoing:
    """Return the board of a match that is over as its people are told of it.

    A person who has just moved against the bot is there to see its reply. A result asks nothing of them, so it makes no
    sound, unless they may be playing live.
    """
    told = outgoing.mentions
    if match.alone:
        told = tuple([one for one in told if not has_just_acted(await attention_of(context, match, one), message)])
    return replace(outgoing, mentions=told, silent=not is_live(match.pace))


def has_just_acted(attention: Attention, message: OutboxMessage) -> bool:
    """Return whether a person acted in a match so shortly before a message that they know what it tells."""
    return attention.acted_at is not None and message.created_at - attention.acted_at < presence.JUST_NOW


def _is_here(attention: Attention, message: OutboxMessage, match: Match) -> bool:
    """Return whether a person sees the board of a message by themselves: they move in the server at about that time."""
    if has_just_acted(attention, message):
        return True
    # They do not know of a new match yet, and a live one leaves no time to be told later.
    if attention.here_at is None or match.board_message_id is None or is_live(match.pace):
        return False
    return abs(message.created_at - attention.here_at) < presence.HERE


def _has_looked_in(attention: Attention, message: OutboxMessage, match: Match) -> bool:
    """Return whether a person who was mentioned without a sound has moved elsewhere since: **Next** led them there."""
    return bool(
        message.payload.get("mentioned") and attention.here_at is not None and attention.here_at > match.turn_at
    )


async def post_told(context: DeliveryContext, message: OutboxMessage, match: Match, outgoing: Outgoing) -> Posted:
    """Post a message as ``post`` does; if it fails, another one may be first to mention the person to move."""
    try:
        return await post(context, message, match, outgoing)
    except BaseException:
        context.services.presence.not_mentioned(match.guild_id, message.id)
        raise


async def remember(
    context: DeliveryContext, message: OutboxMessage, match: Match, news: TurnNews, tx: AsyncConnection
) -> None:
    """Store what follows for the person to move from how a message told them of their turn."""
    ply = message.payload["ply"]
    if news.directly:
        await outbox_messages.turn_directly(tx, match.id, ply, context.services.clock())
    if news.quiet is not None:
        await people.note_quiet_turn(tx, match.mover.person.id, match.guild_id, *news.quiet)
    if news.later is not None:
        await mentions.hold(tx, match, ply, news.later, mentioned=news.mention)
    if news.mention and not news.silent:
        await mentions.note(tx, match.id, ply, message.begun_at or message.created_at)


async def send_later(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person of a turn that was held back, unless they were reminded of it.

    Who was mentioned without a sound hears of it now, or not at all: they have looked in, or hear of another turn.
    """
    match, ply = await context.services.read(matches.get, message.payload["match"]), message.payload["ply"]
    if match is None or not _waits(match, ply) or (match.deadline_at is not None and match.remind_at is None):
        return None
    news, posted = await news_of(context, message, match), None
    if news.mention and not (message.payload.get("mentioned") and news.silent):
        outgoing = replace(messages.turns_here([match], refused=False), silent=news.silent)
        posted = await post_told(context, message, match, outgoing)

    async def store(tx: AsyncConnection) -> None:
        if posted is not None:
            await notices.put(tx, match.id, Notice(ply, MessageKind.TURN, *posted))
        await remember(context, message, match, news, tx)

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
    # Who is told in the channel, too, was mentioned there.
    wanted = await context.services.personal_settings.recent_preferences(match.mover.person.id)
    mentioned = (match.mover.news or wanted.news) is News.BOTH
    return await _tell_here(context, message, [match], mention=not mentioned)


async def send_after_quiet_hours(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a person of all turns that began in their quiet hours and still wait for them, in one message."""
    async with context.services.database.read() as tx:
        found = [(await matches.get(tx, number), ply) for number, ply in message.payload["turns"]]
    waiting = [match for match, ply in found if match is not None and _waits(match, ply)]
    if not waiting:
        return None
    person = waiting[0].mover.person
    with speaking(await language_of(context, person.id)):
        outgoing = messages.turns_directly(waiting, page=context.page)
    sent = await sent_directly(context, message, person, outgoing)
    if sent is not None:
        return Done(partial(_note, waiting, Notice(0, MessageKind.TURNS, *sent), context))
    return await _tell_here(context, message, [one for one in waiting if one.guild_id == waiting[0].guild_id])


def _waits(match: Match, ply: int) -> bool:
    """Return whether a match still waits for the person to move at a ply."""
    return match.state is MatchState.RUNNING and match.ply == ply and match.mover.person.mentionable


async def _direct_board(context: DeliveryContext, match_view: MatchView) -> Outgoing:
    """Return a running match for a direct message to the person to move, in their language."""
    match, settings = match_view.match, context.services.personal_settings
    person, guild = match.mover.person, context.client.get_guild(match.guild_id)
    wanted, server = await settings.recent_preferences(person.id), "" if guild is None else guild.name
    with speaking(await language_of(context, person.id)):
        return await board.direct_board(context.renderer, match_view, wanted, server, page=context.page)


async def _note(waiting: Sequence[Match], shown: Notice, context: DeliveryContext, tx: AsyncConnection) -> None:
    """Store where a direct message about turns stands, and have it rewritten if one has been played meanwhile."""
    for match in sorted(waiting, key=lambda match: match.id):
        known = await matches.get(tx, match.id, lock=True)
        if known is None:
            continue
        await notices.put(tx, match.id, replace(shown, ply=match.ply))
        if known.board_ply is not None and known.board_ply > match.ply:
            await outbox_messages.retire_notices(tx, match.id, known.board_ply, context.services.clock())


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


async def sent_directly(
    context: DeliveryContext, message: OutboxMessage, person: Person, outgoing: Outgoing
) -> Posted | None:
    """Send a direct message, unless an earlier attempt did; return None for a person who takes none."""
    try:
        if message.attempts and outgoing.marker:
            place_id = await discord_calls.direct_place(context.client, person.id)
            since = message.begun_at or message.created_at
            found = await find_in(context, place_id, outgoing.marker, since)
            if found is not None:
                return place_id, found
        return await discord_calls.send_directly(context.client, person.id, outgoing, nonce(message, person.id))
    except RefusedError as error:
        log.info("direct message refused", user=person.id, outbox_message=message.key, error=str(error))
        return None


async def _tell_here(
    context: DeliveryContext, message: OutboxMessage, waiting: Sequence[Match], *, mention: bool = True
) -> Done:
    """Tell a person who takes no direct messages in the channel; from then on they are told there, and once why.

    They hear it like any other mention: not if they have just acted in the match, or have to answer another one.
    """
    match, settings = waiting[0], context.services.personal_settings
    person, loud = match.mover.person, False
    if mention:
        attention = await attention_of(context, match, person.id)
        loud = not has_just_acted(attention, message) and _makes_sound(context, message, match, attention)
    wanted = await settings.recent_preferences(person.id)
    outgoing = messages.turns_here(waiting, refused=(match.mover.news or wanted.news) in DIRECTLY)
    outgoing = replace(outgoing, mentions=outgoing.mentions if mention else (), silent=not loud)
    posted = await post_told(context, message, match, outgoing)
    await settings.refuse_direct_news(person.id)

    async def store(tx: AsyncConnection) -> None:
        await notices.put(tx, match.id, Notice(match.ply, MessageKind.TURN, *posted))
        if loud:
            await mentions.note(tx, match.id, match.ply, message.begun_at or message.created_at)

    return Done(store)
