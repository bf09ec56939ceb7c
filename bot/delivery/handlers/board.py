"""Posts the board of a match, or that it was voided, and has the controls taken off the earlier board."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done, FollowUp
from bot.delivery.errors import UndeliverableError
from bot.delivery.handlers import retire_controls
from bot.delivery.posting import Posted, find_posted, notify_directly, post, rewrite, unmentioned
from bot.matches.services.match_queries import MatchView
from bot.matches.writing.move_log import board_posted
from bot.messages import board
from bot.storage import matches, outbox
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Match, MatchState, OutboxState


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the board of a ply, unless the match has gone on or another board has taken its place.

    Once the match has gone on, all boards of earlier plies are skipped together, except those that are being sent.
    """
    match_view = await context.services.queries.find_match_view(message.payload["match"])
    if match_view is None or is_replaced(message, match_view.match):
        return None
    ply, now_at = message.payload["ply"], match_view.match.ply
    if now_at == ply and not match_view.match.voided:
        posted: Posted | None = await _post(context, message, match_view)
    else:
        posted = await _find_overtaken(context, message, match_view.match)
    if posted is None:
        at = context.services.context.clock()
        skip = partial(outbox.skip_overtaken, topic=message.topic, kind=message.kind, ply=now_at, at=at)
        return Done(skip, OutboxState.SKIPPED)
    return Done(partial(remember, context, match_view.match, ply, posted))


async def send_uncounted(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Say on the board of a running match that it does not count for its cup, unless another board is on its way."""
    match_view = await context.services.queries.find_match_view(message.payload["match"])
    if match_view is None or match_view.match.state is MatchState.OVER:
        return None
    match = match_view.match
    if match.board_channel_id is None or match.board_message_id is None or match.board_ply != match.ply:
        return None
    shown = await board.board(context.renderer, match_view)
    posted = match.board_channel_id, match.board_message_id
    return Done() if await rewrite(context, posted, shown.view, shown.attached) else None


async def remember(
    context: DeliveryContext, match: Match, ply: int, posted: Posted, tx: AsyncConnection
) -> FollowUp | None:
    """Remember where the board of a ply stands; return how to retire the earlier board."""
    at, token = context.services.context.clock(), context.database.token
    retired = await board_posted(tx, match=match, ply=ply, posted=posted, at=at, token=token)
    if retired is None:
        return None
    return FollowUp(retired.message, partial(retire_controls.retire, context, retired), retired.more)


def is_replaced(message: OutboxMessage, match: Match) -> bool:
    """Return whether the board that this message replaces has been replaced already."""
    return "instead_of" in message.payload and match.board_message_id != message.payload["instead_of"]


async def _post(context: DeliveryContext, message: OutboxMessage, match_view: MatchView) -> Posted:
    outgoing = unmentioned(
        message, match_view.match, await board.board(context.renderer, match_view, page=context.page)
    )
    try:
        return await post(context, message, match_view.match, outgoing)
    except UndeliverableError:
        for seat in (mover for mover in match_view.match.movers if mover.person.mentionable):
            await notify_directly(context, message, seat.person.id, partial(board.lost_place, match_view.match))
        raise


async def _find_overtaken(context: DeliveryContext, message: OutboxMessage, match: Match) -> Posted | None:
    """Find a board that may have been posted before the match went on; its controls must be taken off."""
    shown = replace(match, ply=message.payload["ply"])
    # The match may have been over before it was voided.
    for state in MatchState if match.voided else (MatchState.RUNNING,):
        posted = await find_posted(context, message, match, board.marker(replace(shown, state=state)))
        if posted is not None:
            return posted
    return None


async def send_voided(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell the people of a match that it was voided; the message replaces the board, which loses its controls.

    It has no picture, so a match whose moves cannot be replayed can be voided, too.
    """
    async with context.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
    if match is None or is_replaced(message, match):
        return None
    posted = await post(context, message, match, unmentioned(message, match, board.voided(match)))
    return Done(partial(remember, context, match, match.ply, posted))
