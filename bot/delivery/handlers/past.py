"""Takes the controls away from what belongs to an earlier turn: a board, a reminder, a late notice."""

from __future__ import annotations

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import rewrite
from bot.matches.writing.outbox_messages import Kind
from bot.messages.board import past_board
from bot.messages.notices import past_notice
from bot.storage.outbox import OutboxMessage


async def send_board(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave the picture of an earlier board, and what was done there."""
    payload = message.payload
    past = await context.services.queries.past(payload["match"], payload["ply"])
    if past is None:
        return None
    view = await past_board(context.renderer, past)
    return Done() if await rewrite(context, (payload["channel"], payload["message"]), view) else None


async def send_notice(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave a line of a reminder or late notice."""
    payload = message.payload
    past = await context.services.queries.past(payload["match"], payload["ply"])
    if past is None:
        return None
    view = past_notice(past, Kind(payload["notice"]))
    return Done() if await rewrite(context, (payload["channel"], payload["message"]), view) else None
