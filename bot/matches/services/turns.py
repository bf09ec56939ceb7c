"""Turns: a move, in one transaction from the interaction to the outbox.

The rules run before the transaction, on the ply the person saw. The transaction checks the ply, so any change in
between makes the attempt stale instead of wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.building import BuilderState, Choices, Consent, build
from bot.matches.model.game_state import GameState
from bot.matches.model.plan import turn_with_replies
from bot.matches.model.policies import clocks
from bot.matches.model.refusals import AlreadyProcessed, Stale, Unconfirmed
from bot.matches.model.turn import MOVED_ON, PlayedTurn, TurnRequest, check_to_move, in_notation
from bot.matches.service_context import ServiceContext
from bot.matches.services.forfeits import Forfeits
from bot.matches.services.turn_transaction import PlansChanged, TurnTransaction
from bot.matches.writing import outbox_messages
from bot.storage import guilds, interactions, matches
from bot.storage.errors import CommitUnknown, StorageError
from bot.storage.records import EntryKind, Match, MatchState, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class MoveReceipt:
    """The answer to a person who moved: the canonical text of the move, and the match as it was before.

    ``over`` says whether the match is over now.
    """

    match: Match
    text: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class UnplayedMove:
    """A move under construction in a match as it stands: there is more to choose, or the player is asked first."""

    match: Match
    game_state: GameState
    seat: int
    state: BuilderState


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
        except Stale as stale:
            return await self._receipt_of_repetition(request, text, stale)
        return MoveReceipt(turn.match, turn.text, turn.after.result is not None)

    async def play_built_move(
        self, request: TurnRequest, choices: Choices, consent: Consent
    ) -> MoveReceipt | UnplayedMove:
        """Play the move that some choices make, or a typed text; where there is more to choose or to ask, return it.

        The match is read once. Raises ``Refusal`` like ``play``.
        """
        try:
            match, _seat = await self._transaction.load_for_player(request)
            seat, game_state = check_to_move(match, request), await self._transaction.state(match)
        except Stale as stale:
            if consent is Consent.NONE:
                raise
            return await self._receipt_of_repetition(request, "".join(choices), stale)
        request = replace(request, found=match)
        if consent is Consent.TEXT:
            try:
                return await self.play(request, "".join(choices))
            except Unconfirmed as question:
                choices = (question.text,)
        spec = JobSpec(Pool.INTERACTIVE, Priority.MOVE)
        state = await self._context.compute_as(spec, build, match.game, game_state.position, choices)
        if consent is not Consent.TEXT and state.plays(consent):
            return await self.play(request, str(state.move), confirmed=True)
        return UnplayedMove(match, game_state, seat.seat, state)

    async def was_processed(self, request_id: RequestId) -> bool:
        """Tell whether a request was carried out before. Raises ``CommitUnknown`` if that cannot be looked up."""
        try:
            return await self._context.read(interactions.was_processed, request_id)
        except (DBAPIError, StorageError) as error:
            raise CommitUnknown from error

    async def _receipt_of_repetition(self, request: TurnRequest, text: str, stale: Stale) -> MoveReceipt:
        """Return the answer to a person who pressed twice, and has played: the same again, not that they are late.

        Raises ``AlreadyProcessed`` for a request that came twice, and otherwise ``stale``.
        """
        if await self.was_processed(request.interaction_id):
            raise AlreadyProcessed from None
        match = await self._transaction.already_applied(request, EntryKind.MOVE, text)
        if match is None:
            raise stale
        return MoveReceipt(match, text, match.state is MatchState.OVER)

    async def _play(self, request: TurnRequest, text: str, *, confirmed: bool) -> PlayedTurn:
        match, _state = await self._transaction.load_for_player(request)
        seat, before = check_to_move(match, request), await self._transaction.state(match)
        await self._check_newest(match, request)
        text = in_notation(match.game, text)
        plans = await self._transaction.plans(match)
        turn = await self._context.compute(
            turn_with_replies, match, before, seat.seat, text, request.at, plans, confirmed=confirmed
        )
        try:
            async with self._transaction.writing(request.interaction_id) as tx:
                message = await self._transaction.append_checked(tx, turn, partial(_check_time, at=request.at))
                if seat.person != request.person:
                    await matches.change_seat(tx, match.id, seat.seat, name=request.person.name)
        except PlansChanged:
            return await self._play(replace(request, found=None), text, confirmed=confirmed)
        except _TimeUp:
            if not await self._forfeits.time_out(match.id):
                return await self._play(replace(request, found=None), text, confirmed=confirmed)
            raise Stale(_("Your time ran out before that move, so you lost the match.")) from None
        self._transaction.after_commit(turn, message)
        return turn

    async def _check_newest(self, match: Match, request: TurnRequest) -> None:
        """Raise ``Stale`` for a typed move that came before the last entry did: it was meant for an earlier position.

        A request can be held up while the person sends another one, and the opponent answers that.
        """
        if request.ply is None and request.at < match.turn_at:
            last = await self._context.read(matches.entry, match.id, match.ply)
            if last is not None and request.at < last.at:
                raise Stale(MOVED_ON)

    @retried
    async def post_again(self, match: Match, channel_id: int | None, interaction_id: RequestId) -> bool:
        """Have the board of ``match`` posted once more; ``channel_id`` moves the match to another channel.

        Return False, and do nothing, if the board is on its way or the match has changed since.
        """
        try:
            async with self._transaction.locked(match, interaction_id) as (tx, current):
                if current.board_message_id != match.board_message_id:
                    return False
                if await outbox_messages.board_on_its_way(tx, current):
                    return False
                if channel_id is not None:
                    await matches.change(tx, match.id, channel_id=channel_id, thread_id=None, private=False)
                notified = [seat.seat for seat in match.seats] if match.board_ply == match.ply else []
                at = self._context.clock()
                await outbox_messages.board_again(tx, current, interaction_id, at, notified=notified)
        except Stale:
            return False
        return True


async def _check_time(tx: AsyncConnection, match: Match, at: datetime) -> None:
    """Raise ``_TimeUp`` if the time was up before a move made ``at`` that moment, and that ends the match by itself.

    A server's settings may say so; against computer players no person would claim the win; a live match is short.
    """
    if match.time_ends_at is None or match.time_ends_at > at:
        return
    if clocks.ends_before_move(match, automatic=(await guilds.settings(tx, match.guild_id)).automatic):
        raise _TimeUp
