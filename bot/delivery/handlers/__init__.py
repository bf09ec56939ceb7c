"""One handler for each kind of message in the outbox."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done, Handler
from bot.delivery.handlers import (
    board,
    card,
    cup,
    notice,
    offer,
    puzzle,
    retire_controls,
    share,
    thread,
)
from bot.delivery.languages import Languages
from bot.matches.writing.outbox_messages import Kind
from bot.storage.outbox import OutboxMessage
from renderers.i18n import speaking

_SENDERS: Mapping[Kind, Callable[[DeliveryContext, OutboxMessage], Awaitable[Done | None]]] = {
    Kind.CARD: card.send,
    Kind.THREAD: thread.send,
    Kind.BOARD: board.send,
    Kind.RETIRE_BOARD: retire_controls.send_board,
    Kind.RETIRE_NOTICE: retire_controls.send_notice,
    Kind.OFFER: offer.send,
    Kind.REMINDER: notice.send,
    Kind.LATE: notice.send,
    Kind.VOIDED: board.send_voided,
    Kind.BARRED: notice.send_barred,
    Kind.DAILY_PUZZLE: puzzle.send_daily,
    Kind.DAILY_COUNT: puzzle.send_count,
    Kind.SHARE: share.send,
    Kind.CUP: cup.send,
    Kind.CUP_RESULT: cup.send_result,
    Kind.CUP_MEMBER: cup.check_member,
    Kind.CUP_OUT: cup.send_out,
    Kind.UNCOUNTED: board.send_uncounted,
}
_ALONE = {Kind.RETIRE_BOARD, Kind.RETIRE_NOTICE}
_REPEATABLE = _ALONE | {Kind.DAILY_COUNT, Kind.CUP_MEMBER, Kind.UNCOUNTED}


def create_handlers(context: DeliveryContext) -> Mapping[str, Handler]:
    """Return the handlers by kind; each sets the language of the message that it posts."""
    languages = Languages(context)

    def handler(kind: Kind) -> Handler:
        async def send(message: OutboxMessage) -> Done | None:
            with speaking(await languages.of(message)):
                return await _SENDERS[kind](context, message)

        return Handler(send, kind in _REPEATABLE, kind in _ALONE)

    return {kind: handler(kind) for kind in _SENDERS}
