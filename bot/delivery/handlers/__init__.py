"""One handler for each kind of message in the outbox."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done, Handler
from bot.delivery.handlers import barred, board, card, notice, offer, past, puzzle, thread, voided
from bot.matches.writing.outbox_messages import Kind
from bot.storage.records import OutboxMessage

_SENDERS: Mapping[Kind, Callable[[DeliveryContext, OutboxMessage], Awaitable[Done | None]]] = {
    Kind.CARD: card.send,
    Kind.THREAD: thread.send,
    Kind.BOARD: board.send,
    Kind.PAST_BOARD: past.send_board,
    Kind.PAST_NOTICE: past.send_notice,
    Kind.OFFER: offer.send,
    Kind.REMINDER: notice.send,
    Kind.LATE: notice.send,
    Kind.VOIDED: voided.send,
    Kind.BARRED: barred.send,
    Kind.DAILY_PUZZLE: puzzle.send_daily,
    Kind.DAILY_COUNT: puzzle.send_count,
    Kind.SHARE: puzzle.send_share,
}
_REPEATABLE = {Kind.PAST_BOARD, Kind.PAST_NOTICE, Kind.DAILY_COUNT}


def create_handlers(context: DeliveryContext) -> Mapping[str, Handler]:
    """Return the handler of every kind."""
    return {kind: Handler(partial(send, context), kind in _REPEATABLE) for kind, send in _SENDERS.items()}
