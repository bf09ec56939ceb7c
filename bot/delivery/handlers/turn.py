"""Tells a person that it is their turn where they want it: with the board, by direct message, or not at all.

A person who takes no direct messages is told in the channel from then on, and once why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import structlog

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.discord_calls import RefusedError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import find_in, nonce, post
from bot.matches.model.pace import is_live
from bot.matches.services.preferences import quiet_hours
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import board, notices
from bot.messages.layout import Outgoing
from bot.storage import matches
from bot.storage.matches import Notice
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Match, MatchState, News, Person
from renderers.i18n import speaking

log = structlog.get_logger(__name__)
DIRECTLY = News.DIRECT, News.BOTH


@dataclass(frozen=True, slots=True)
class TurnNews:
    """Where a person is told of their turn now: in the channel, directly, or later, after their quiet hours.

    ``quiet`` is when these hours began and end.
    """

    mention: bool
    directly: bool = False
    quiet: tuple[datetime, datetime] | None = None


async def news_of(context: DeliveryContext, message: OutboxMessage, match: Match) -> TurnNews:
    """Return where the person to move is told of their turn: nowhere if they know of it already."""
    if match.state is MatchState.OVER or not match.mover.person.mentionable:
        return TurnNews(mention=True)
    if match.mover.seat in message.payload.get("notified", ()):
        return TurnNews(mention=False)
    person, now = match.mover.person.id, context.services.clock()
    if is_live(match.pace) and context.services.presence.is_here(match.id, person, now):
        return TurnNews(mention=False)
    wanted = await context.services.personal_settings.recent_preferences(person)
    news = match.mover.news or wanted.news
    quiet = None if news is News.NONE else quiet_hours(wanted, now)
    if quiet is not None:
        return TurnNews(mention=False, quiet=quiet)
    return TurnNews(mention=news in (News.CHANNEL, News.BOTH), directly=news in DIRECTLY)


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Send the person to move the board by direct message, unless the match has gone on."""
    match_view = await context.services.queries.find_match_view(message.payload["match"])
    if match_view is None or not _waits(match_view.match, message.payload["ply"]):
        return None
    match, settings = match_view.match, context.services.personal_settings
    person = match.mover.person
    wanted, guild = await settings.recent_preferences(person.id), context.client.get_guild(match.guild_id)
    with speaking(await language_of(context, person.id)):
        server = "" if guild is None else guild.name
        outgoing = await board.direct_board(context.renderer, match_view, wanted, server, page=context.page)
    if await _sent(context, message, person, outgoing):
        return Done()
    # Who is told in the channel, too, was mentioned there.
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
        outgoing = notices.turns_directly(waiting, page=context.page)
    if await _sent(context, message, person, outgoing):
        return Done()
    return await _tell_here(context, message, [one for one in waiting if one.guild_id == waiting[0].guild_id])


def _waits(match: Match, ply: int) -> bool:
    """Return whether a match still waits for the person to move at a ply."""
    return match.state is MatchState.RUNNING and match.ply == ply and match.mover.person.mentionable


async def _sent(context: DeliveryContext, message: OutboxMessage, person: Person, outgoing: Outgoing) -> bool:
    """Send a direct message, unless an earlier attempt did; return False for a person who takes none."""
    try:
        if message.attempts and outgoing.marker:
            place_id = await discord_calls.direct_place(context.client, person.id)
            since = message.begun_at or message.created_at
            if await find_in(context, place_id, outgoing.marker, since) is not None:
                return True
        await discord_calls.send_directly(context.client, person.id, outgoing, nonce(message, person.id))
    except RefusedError as error:
        log.info("direct message refused", user=person.id, outbox_message=message.key, error=str(error))
        return False
    return True


async def _tell_here(
    context: DeliveryContext, message: OutboxMessage, waiting: Sequence[Match], *, mention: bool = True
) -> Done:
    """Tell a person who takes no direct messages in the channel; from then on they are told there, and once why."""
    match, settings = waiting[0], context.services.personal_settings
    person = match.mover.person
    wanted = await settings.recent_preferences(person.id)
    outgoing = notices.turns_here(waiting, refused=(match.mover.news or wanted.news) in DIRECTLY)
    posted = await post(context, message, match, outgoing if mention else replace(outgoing, mentions=()))
    await settings.refuse_direct_news(person.id)
    return Done(partial(matches.put_notice, match_id=match.id, notice=Notice(match.ply, MessageKind.TURN, *posted)))
