"""One handler for each kind of message in the outbox."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.delivery.context import DeliveryContext, Languages
from bot.delivery.dispatcher import Done, Handler
from bot.delivery.handlers import (
    board,
    card,
    cup,
    digest,
    ladder,
    notice,
    offer,
    puzzle,
    share,
    thread,
    turn,
    weekly,
)
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage.outbox import OutboxMessage
from renderers.i18n import speaking

_SENDERS: Mapping[MessageKind, Callable[[DeliveryContext, OutboxMessage], Awaitable[Done | None]]] = {
    MessageKind.CARD: card.send,
    MessageKind.THREAD: thread.send,
    MessageKind.BOARD: board.send,
    MessageKind.RETIRE_BOARD: board.retire_board,
    MessageKind.RETIRE_NOTICE: board.retire_notice,
    MessageKind.TURN: turn.send,
    MessageKind.TURNS: turn.send_after_quiet_hours,
    MessageKind.TURN_LATER: turn.send_later,
    MessageKind.DIGEST: digest.send,
    MessageKind.OFFER: offer.send,
    MessageKind.REMINDER: notice.send,
    MessageKind.REMINDERS: notice.send_together,
    MessageKind.LATE: notice.send,
    MessageKind.NEWS_DIRECTLY: notice.send_directly,
    MessageKind.VOIDED: board.send_voided,
    MessageKind.BARRED: notice.send_barred,
    MessageKind.DAILY_PUZZLE: puzzle.send_daily,
    MessageKind.DAILY_COUNT: puzzle.send_count,
    MessageKind.WEEKLY: weekly.send,
    MessageKind.SHARE: share.send,
    MessageKind.CHALLENGE_MEMBERS: card.check_members,
    MessageKind.CUP: cup.send,
    MessageKind.CUP_RESULT: cup.send_result,
    MessageKind.CUP_MEMBER: cup.check_member,
    MessageKind.CUP_OUT: cup.send_out,
    MessageKind.LADDER: ladder.send,
    MessageKind.LADDER_OUT: ladder.send_out,
    MessageKind.GRACE: notice.send_grace,
    MessageKind.GRACE_BOARD: board.send_deadline,
    MessageKind.UNCOUNTED: board.change,
    MessageKind.DEADLINE: board.send_deadline,
}
_ALONE = {MessageKind.RETIRE_BOARD, MessageKind.RETIRE_NOTICE}
_REPEATABLE = _ALONE | {
    MessageKind.DAILY_COUNT,
    MessageKind.CUP_MEMBER,
    MessageKind.CHALLENGE_MEMBERS,
    MessageKind.GRACE_BOARD,
    MessageKind.UNCOUNTED,
    MessageKind.DEADLINE,
}


def create_handlers(context: DeliveryContext) -> Mapping[str, Handler]:
    """Return the handlers by kind; each sets the language of the message that it posts."""
    languages = Languages(context)

    def handler(kind: MessageKind) -> Handler:
        async def send(message: OutboxMessage) -> Done | None:
            with speaking(await languages.of(message)):
                return await _SENDERS[kind](context, message)

        return Handler(send, kind in _REPEATABLE, kind in _ALONE)

    return {kind: handler(kind) for kind in _SENDERS}
