"""Tells the people of a match that it was voided; the message replaces its board, which loses its controls."""

from __future__ import annotations

from functools import partial

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.handlers.board import is_replaced, remember
from bot.delivery.posting import post, unmentioned
from bot.messages import board
from bot.storage import matches
from bot.storage.outbox import OutboxMessage


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the message. It has no picture, so a match whose moves cannot be replayed can be voided, too."""
    async with context.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
    if match is None or is_replaced(message, match):
        return None
    posted = await post(context, message, match, unmentioned(message, match, board.voided(match)))
    return Done(partial(remember, context, match, match.ply, posted))
