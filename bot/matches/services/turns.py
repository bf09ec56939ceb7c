"""Turns: a move, in one transaction from the interaction to the outbox.

The rules run before the transaction, on the ply the person saw. The transaction checks the ply, so any change in
between makes the attempt stale instead of wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.refusals import Stale
from bot.matches.model.turn import PlayedTurn, TurnRequest, check_to_move, in_notation, played_turn
from bot.matches.service_context import ServiceContext
from bot.matches.services.forfeits import Forfeits
from bot.matches.services.turn_transaction import TurnTransaction
from bot.matches.writing import outbox_messages
from bot.storage import guilds, interactions, matches
from bot.storage.records import Match, MoveKind, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class MoveReceipt:
    """The answer to a person who moved: the canonical text of the move, and the match as it was before."""

    match: Match
    text: str


class _TimeUp(Exception):
    """The time was up before the move, and the server's settings end the match."""


class Turns:
    """Plays moves, and posts boards again."""

    def __init__(self, context: ServiceContext, transaction: TurnTransaction, forfeits: Forfeits) -> None:
        self._context = context
        self._transaction = transaction
        self._forfeits = forfeits

    @retried
    async def play(self, request: TurnRequest, text: str, *, confirmed: bool = False) -> MoveReceipt:
        """Play a move as typed or built.

        Raises ``Refusal``: the match is not this server's, over, another person's turn or at another ply, the time is
        up, the move is illegal, or it needs a confirmation and is not ``confirmed``.
        """
        try:
            turn = await self._play(request, text, confirmed=confirmed)
        except Stale:
            # A person who pressed twice has played: they get the same answer again, not that they are late.
            match = await self._transaction.repeated(request, MoveKind.MOVE, text)
            if match is None:
                raise
            return MoveReceipt(match, text)
        return MoveReceipt(turn.match, turn.text)

    async def was_processed(self, request_id: RequestId) -> bool:
        """Return whether a request was carried out before."""
        async with self._context.database.read() as tx:
            return await interactions.was_processed(tx, request_id)

    async def _play(self, request: TurnRequest, text: str, *, confirmed: bool) -> PlayedTurn:
        match, _state = await self._transaction.asked(request)
        seat, before = check_to_move(match, request), await self._transaction.state(match)
        text = in_notation(match.game, text)
        turn = await self._context.compute(played_turn, match, before, seat.seat, text, request.at, confirmed=confirmed)
        try:
            async with self._transaction.writing(request.interaction_id) as tx:
                message = await self._transaction.append_checked(tx, turn, partial(_check_time, at=request.at))
                if seat.person != request.person:
                    await matches.change_seat(tx, match.id, seat.seat, name=request.person.name)
        except _TimeUp:
            await self._forfeits.time_out(match.id)
            raise Stale(_("Your time ran out before that move, so you lost the match.")) from None
        self._transaction.committed(turn, message)
        return turn

    @retried
    async def post_again(self, match: Match, channel_id: int | None, interaction_id: RequestId) -> bool:
        """Have the board of ``match`` posted once more; ``channel_id`` moves the match to another channel.

        Return False, and do nothing, if the board is on its way or the match has changed since.
        """
        try:
            async with self._transaction.unchanged(match, interaction_id) as (tx, current):
                if current.board_message_id != match.board_message_id:
                    return False
                if await outbox_messages.board_on_its_way(tx, current):
                    return False
                if channel_id is not None:
                    await matches.change(tx, match.id, channel_id=channel_id, thread_id=None)
                notified = [seat.seat for seat in match.seats] if match.board_ply == match.ply else []
                at = self._context.clock()
                await outbox_messages.board_again(tx, current, interaction_id, at, notified=notified)
        except Stale:
            return False
        self._context.wake()
        return True


async def _check_time(tx: AsyncConnection, match: Match, at: datetime) -> None:
    """Raise ``_TimeUp`` if the time was up before a move made ``at`` that moment, and that ends the match by itself.

    A server's settings may say so; against computer players no person would claim the win.
    """
    if match.time_ends_at is None or match.time_ends_at > at:
        return
    if match.alone or (await guilds.settings(tx, match.guild_id)).automatic:
        raise _TimeUp
