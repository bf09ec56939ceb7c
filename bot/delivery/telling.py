"""Gathers what the policy of news (``bot.matches.model.policies.news``) asks for, and tells people as it answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.posting import Posted, post
from bot.matches.model import usual_hours
from bot.matches.model.pace import is_live
from bot.matches.model.policies import news
from bot.matches.model.policies.news import Announcement, Kind, Occasion, Reader, Telling
from bot.matches.model.time_zones import known_zone
from bot.matches.services.preferences import quiet_hours
from bot.matches.writing import outbox_messages
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages.layout import Outgoing
from bot.storage import abuse_counters, challenges, mentions, notices, quiet_turns
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.challenges import Challenge
from bot.storage.homes import is_private
from bot.storage.mentions import Attention
from bot.storage.notices import Notice
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Match


async def of_turn(
    context: DeliveryContext, message: OutboxMessage, match: Match, attention: Attention | None = None
) -> Telling:
    """Return how the person to move in a running match is told of their turn.

    ``attention`` is what they have done lately, where it was read with the match.

    It is the same at every attempt at a message, in any process, except for live matches, for ``silent``, and for a
    person who moves in another match meanwhile.
    """
    person = match.mover.person
    if not person.mentionable:
        return news.NOT_TOLD
    services, now = context.services, context.services.clock()
    if attention is None:
        attention = await services.read(mentions.attention, match, person.id)
    preferences = await services.personal_settings.recent_preferences(person.id)
    reader = Reader(
        notified=match.mover.seat in message.payload.get("notified", ()),
        at_board=services.presence.is_here(match.id, person.id, now),
        acted_at=attention.acted_at,
        here_at=attention.here_at,
        owes_answer=attention.mentioned,
        answer_until=attention.waits_until,
        news=news.where(match.mover.news or preferences.news, direct=match.direct),
        reminders=preferences.reminders,
        usual_hours=preferences.usual_hours,
        has_quiet_hours=preferences.quiet_from not in (None, preferences.quiet_until),
        quiet=quiet_hours(preferences, now),
    )
    turn = news.Turn(
        at=message.created_at,
        turn_at=match.turn_at,
        live=is_live(match.pace),
        new=match.board_message_id is None,
        deadline_at=match.deadline_at,
        remind_at=match.remind_at,
        held_back=message.kind == MessageKind.TURN_LATER,
        mentioned=bool(message.payload.get("mentioned")),
    )
    if match.answered:
        return news.of_answered_turn(turn, reader)
    telling = news.of_turn(turn, reader)
    if telling.heard and news.weighs_usual_hours(turn, reader):
        moved = await services.read(mentions.recent_moves, person.id, turn.at - usual_hours.LEARNED_IN)
        zone = known_zone(preferences.zone)
        hours = usual_hours.usual_hours(moved, zone)
        heard_at = None if hours is None else usual_hours.heard_at(hours, turn.at, zone)
        telling = news.of_turn(turn, reader, news.heard_later(turn, reader, heard_at, now))
    if telling.heard and not turn.live and not _is_first(context, message, match.guild_id, person.id):
        return replace(telling, silent=True)
    return telling


def _is_first(context: DeliveryContext, message: OutboxMessage, guild_id: int, user_id: int) -> bool:
    """Begin to mention a person, and return whether no other message of this process is about to."""
    return context.services.presence.mention(guild_id, user_id, message.id, context.services.clock())


async def remember(
    context: DeliveryContext, message: OutboxMessage, match: Match, telling: Telling, tx: AsyncConnection
) -> None:
    """Store what follows for the person to move from how a message told them of their turn."""
    ply = message.payload["ply"]
    if telling.directly:
        # A turn that was held back by a pause is told again when that is over.
        occasion = f":{message.key}" if message.kind == MessageKind.TURN_LATER else ""
        await outbox_messages.turn_directly(tx, match.id, ply, context.services.clock(), occasion)
    if telling.quiet is not None:
        await quiet_turns.note(tx, match.mover.person.id, match.guild_id, *telling.quiet)
    if telling.later is not None:
        await mentions.hold(tx, match, ply, telling.later, mentioned=telling.mention)
    if telling.heard:
        await mentions.note(tx, match.id, ply, message.begun_at or message.created_at)


async def put_notice(context: DeliveryContext, tx: AsyncConnection, match_id: int, shown: Notice) -> None:
    """Store where a notice stands. One of the same kind and turn, from before a pause or another pace, is over."""
    kinds = {MessageKind(shown.kind)}
    await outbox_messages.retire_notices(tx, match_id, shown.ply + 1, context.services.clock(), kinds)
    await notices.put(tx, match_id, shown)


async def announced(
    context: DeliveryContext, message: OutboxMessage, match: Match, kind: Kind, outgoing: Outgoing
) -> Outgoing:
    """Return a message about a match as those whom it is for are told of it in its place."""
    return (await told_of(context, message, match, kind, outgoing))[0]


async def told_of(
    context: DeliveryContext, message: OutboxMessage, match: Match, kind: Kind, outgoing: Outgoing
) -> tuple[Outgoing, list[int]]:
    """Return a message about a match as those whom it is for are told of it in its place, and who is told directly.

    These are given by their seats.
    """
    occasion = Occasion(kind, message.created_at, live=is_live(match.pace), alone=match.alone)
    notified = {seat.person.id for seat in match.seats if seat.seat in message.payload.get("notified", ())}
    announcement = await _announcement(context, occasion, match.guild_id, outgoing, notified, match)
    directly = [seat.seat for seat in match.seats if seat.person.id in announcement.directly]
    return replace(outgoing, mentions=announcement.mentions, silent=announcement.silent), directly


async def invited(
    context: DeliveryContext,
    message: OutboxMessage,
    guild_id: int,
    outgoing: Outgoing,
    challenge: Challenge | None = None,
) -> Outgoing:
    """Return a challenge, or the invitation to a cup, as those whom it invites in a server are told of it."""
    occasion = Occasion(Kind.CHALLENGE, message.created_at, live=challenge is not None and is_live(challenge.pace))
    announcement = await _announcement(context, occasion, guild_id, outgoing, challenge=challenge)
    return replace(outgoing, mentions=announcement.mentions, silent=announcement.silent)


async def _announcement(
    context: DeliveryContext,
    occasion: Occasion,
    guild_id: int,
    outgoing: Outgoing,
    notified: Collection[int] = (),
    match: Match | None = None,
    challenge: Challenge | None = None,
) -> Announcement:
    services, readers = context.services, dict[int, Reader]()
    for user_id in outgoing.mentions:
        acted_at, owes_answer = None, False
        if occasion.weighs_acts and match is not None:
            attention = await services.read(mentions.attention, match, user_id)
            acted_at, owes_answer = attention.acted_at, attention.mentioned
        elif occasion.weighs_acts:
            acted_at = await services.read(mentions.last_act, guild_id, user_id)
        if (occasion.weighs_answers and match is None) or occasion.kind is Kind.WIN_TO_CLAIM:
            owes_answer = await services.read(mentions.unanswered, guild_id, user_id)
        challenged, mentioned_today = False, 0
        if challenge is not None:
            challenged = await services.read(challenges.waits_for, challenge.id, user_id)
            mentioned_today = await services.read(_mentions_by, challenge.challenger_id, user_id, occasion.at)
        preferences = await services.personal_settings.recent_preferences(user_id)
        seat = None if match is None else match.seat_of(user_id)
        readers[user_id] = Reader(
            news=news.where((None if seat is None else seat.news) or preferences.news, direct=is_private(guild_id)),
            quiet=quiet_hours(preferences, services.clock()),
            challenged=challenged,
            mentioned_today=mentioned_today,
            notified=user_id in notified,
            at_board=match is not None and services.presence.is_here(match.id, user_id, services.clock()),
            acted_at=acted_at,
            owes_answer=owes_answer,
            reminders=preferences.reminders,
        )
    return news.announce(occasion, readers)


async def _mentions_by(tx: AsyncConnection, challenger_id: int, user_id: int, at: datetime) -> int:
    challenger = f"{await abuse_counters.number(tx, challenger_id)}"
    return len(await abuse_counters.times(tx, user_id, AbuseCounter.CHALLENGED, challenger, at))


async def note_challenged(tx: AsyncConnection, challenge: Challenge, user_ids: Collection[int], at: datetime) -> None:
    """Note whom a challenge has mentioned."""
    challenger = f"{await abuse_counters.number(tx, challenge.challenger_id)}"
    for user_id in user_ids:
        await abuse_counters.note(tx, user_id, AbuseCounter.CHALLENGED, challenger, at)


async def told_together(context: DeliveryContext, about: Sequence[Match]) -> tuple[list[Match], list[Match]]:
    """Return those of a person's matches that a message in the place of the first may name, and the others.

    All who read that place see what it names. Matches outside of servers with the bot are left out: what their person
    does not take directly cannot be told there.
    """
    in_servers = [match for match in about if context.client.get_guild(match.guild_id) is not None]
    if len(in_servers) < 2:
        return in_servers, []
    first, together, elsewhere = in_servers[0], list[Match](), list[Match]()
    place = await discord_calls.place(context.client, first.place_id)
    place = place or await discord_calls.place(context.client, first.channel_id)
    for match in in_servers:
        opens = match.place_id if match.private else match.channel_id
        here = match.place_id == first.place_id or (
            place is not None
            and match.guild_id == first.guild_id
            and bool(discord_calls.seen_by_readers(place, [opens]))
        )
        (together if here else elsewhere).append(match)
    return together, elsewhere


async def refused(
    context: DeliveryContext,
    message: OutboxMessage,
    match: Match,
    outgoing: Outgoing,
    *,
    of_server: bool = False,
) -> Outgoing:
    """Return what a person did not take directly, as the channel of a match tells it: about the match or its server."""
    about = None if of_server else match
    occasion = Occasion(Kind.REFUSED, message.created_at)
    announcement = await _announcement(context, occasion, match.guild_id, outgoing, match=about)
    told = replace(outgoing, mentions=announcement.mentions, silent=announcement.silent)
    first = all(_is_first(context, message, match.guild_id, user_id) for user_id in told.mentions if not told.silent)
    return replace(told, silent=told.silent or not first)


async def post_told(context: DeliveryContext, message: OutboxMessage, match: Match, outgoing: Outgoing) -> Posted:
    """Post a message as ``post`` does; if it fails, another one may be first to mention the person to move."""
    try:
        return await post(context, message, match, outgoing)
    except BaseException:
        context.services.presence.not_mentioned(match.guild_id, message.id)
        raise
