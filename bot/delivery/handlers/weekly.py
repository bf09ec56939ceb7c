"""Posts what was played in a server in a week, and who plays whom in its ladder, once and silently."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial

import structlog
from sqlalchemy.exc import DBAPIError

from bot.compute.job import JobDropped
from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import UndeliverableError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import post_once
from bot.games import game_named
from bot.games.faults import leaving_out
from bot.matches.model.refusals import Refusal
from bot.messages.layout import Outgoing
from bot.messages.pictures import PUBLIC, Picture, nameless
from bot.messages.weekly import weekly_post
from bot.storage.errors import StorageError
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Match

log = structlog.get_logger(__name__)

_NO_FAULTS_OF_GAMES = (JobDropped, Refusal, StorageError, DBAPIError)


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the week of a server, unless an earlier attempt did, or there is nothing to tell.

    It goes to the first of its channels that takes it: Discord may refuse what permissions seem to allow.
    """
    own, refused = message.payload["channels"][0], []
    for place in await _places(context, message.payload["channels"]):
        outgoing = await _week(context, message, place)
        if outgoing is None:
            return None
        try:
            await post_once(context, message, place.id, outgoing)
        except UndeliverableError as error:
            refused.append(str(error))
            continue
        if place.id != own:
            log.warning("weekly post in another channel: its own is gone or refuses it", channel=own, instead=place.id)
        return Done()
    raise UndeliverableError("; ".join(refused) or "every channel for it is gone")


async def _week(context: DeliveryContext, message: OutboxMessage, place: discord_calls.ServerPlace) -> Outgoing | None:
    """Return what all who read a place may see of the week of a server; None if there is nothing to tell."""
    guild_id, until = message.payload["guild"], message.created_at
    week = await context.services.weekly_posts.week(guild_id, until, partial(discord_calls.seen_by_readers, place))
    pairs = await _pairs(context, message, place)
    if week is None and not pairs:
        return None
    picture = None if week is None else await final_board(context, week.worth_a_look)
    return weekly_post(week, pairs, date.fromisoformat(message.payload["week"]), picture)


async def final_board(context: DeliveryContext, match: Match) -> Picture | None:
    """Draw how a match ended; None where it cannot be shown any more, or its game fails to draw it."""
    with suppress(Refusal), leaving_out(game_named(match.game), passing=_NO_FAULTS_OF_GAMES):
        game_state = await context.services.game_states.of(match)
        return await context.renderer.look(nameless(match), game_state, match.front, PUBLIC)
    return None


async def shows(context: DeliveryContext, channel_ids: Collection[int], other_id: int) -> bool:
    """Return whether the bot may make a weekly post in a channel where it may tell what is played in another one."""
    places = await _places(context, channel_ids)
    return bool(places) and _may_tell(places[0], other_id)


async def _pairs(context: DeliveryContext, message: OutboxMessage, place: discord_calls.ServerPlace) -> Sequence[Match]:
    """Return the matches of the ladder that began just before, if all readers may see them."""
    if "ladder" not in message.payload:
        return ()
    week = datetime.fromisoformat(message.payload["ladder"])
    view = await context.services.ladders.view(message.payload["guild"], week)
    return () if view is None or not _may_tell(place, view.ladder.channel_id) else view.matches


async def _places(context: DeliveryContext, channel_ids: Collection[int]) -> list[discord_calls.ServerPlace]:
    """Return the channels and threads in which the bot may post, or else the first that is still there."""
    every = [await discord_calls.place(context.client, channel_id) for channel_id in channel_ids]
    places = [place for place in every if place is not None]
    return list(filter(discord_calls.may_post, places)) or places[:1]


def _may_tell(place: discord_calls.ServerPlace, other_id: int) -> bool:
    return discord_calls.may_post(place) and bool(discord_calls.seen_by_readers(place, [other_id]))
