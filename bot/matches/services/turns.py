"""Turns: a move, in one transaction from the interaction to the outbox."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.game_states import GameStates
from bot.matches.model.actor import Actor
from bot.matches.model.building import BuilderState, Choices, Consent, build
from bot.matches.model.game_state import GameState
from bot.matches.model.policies import clocks
from bot.matches.model.refusals import Stale, Unconfirmed
from bot.matches.model.turn import MOVED_ON, check_mover, in_notation, same_turn
from bot.matches.service_context import ServiceContext
from bot.matches.services.forfeits import Forfeits
from bot.matches.services.turn import Turn, step
from bot.matches.writing import outbox_messages
from bot.matches.writing.move_log import load_match
from bot.storage import guilds, matches
from bot.storage.records import EntryKind, Match, MatchState
from bot.storage.transactions import Conflict, retried
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

    def __init__(self, context: ServiceContext, game_states: GameStates, forfeits: Forfeits) -> None:
        self._context = context
        self._game_states = game_states
        self._forfeits = forfeits

    @step
    async def play(self, turn: Turn, text: str, *, confirmed: bool = False) -> MoveReceipt:
        """Play a move as typed or built.

        Raises ``Refusal``: the match is not this server's, over, another person's turn or at another ply, the time is
        up, the move is illegal, or it needs a confirmation and is not ``confirmed``.
        """
        return _receipt_of_repetition(turn, text) or await self._play(turn, text, confirmed=confirmed)

    @step
    async def play_built_move(self, turn: Turn, choices: Choices, consent: Consent) -> MoveReceipt | UnplayedMove:
        """Play the move that some choices make, or a typed text; where there is more to choose or to ask, return it.

        Raises ``Refusal`` like ``play``.
        """
        text = "".join(choices)
        if consent in (Consent.NONE, Consent.DRAFT):
            choices = (in_notation(turn.match.game, text),) if consent is Consent.DRAFT else choices
        elif (receipt := _receipt_of_repetition(turn, text)) is not None:
            return receipt
        check_mover(turn.match, turn.seat)
        if consent is Consent.TEXT:
            try:
                return await self._play(turn, text, confirmed=False)
            except Unconfirmed as question:
                choices = (question.text,)
        spec = JobSpec(Pool.INTERACTIVE, Priority.MOVE)
        state = await self._context.compute_as(spec, build, turn.match.game, turn.state.position, choices)
        if consent is not Consent.TEXT and state.plays(consent):
            return await self._play(turn, str(state.move), confirmed=True)
        return UnplayedMove(turn.match, turn.state, turn.seat.seat, state)

    async def _play(self, turn: Turn, text: str, *, confirmed: bool) -> MoveReceipt:
        match, seat, actor = turn.match, turn.seat, turn.actor
        check_mover(match, seat)
        await self._check_newest(turn)
        played = await turn.move(in_notation(match.game, text), confirmed=confirmed)
        try:
            async with turn.writing() as tx:
                await turn.store_move(tx, played, partial(_check_time, at=turn.at))
                if actor is not None and seat.person != actor.person:
                    await matches.change_seat(tx, match.id, seat.seat, name=actor.person.name)
        except _TimeUp:
            if not await self._forfeits.time_out(match.id):
                raise Conflict from None
            raise Stale(_("Your time ran out before that move, so you lost the match.")) from None
        return MoveReceipt(match, played.text, played.after.result is not None)

    async def _check_newest(self, turn: Turn) -> None:
        """Raise ``Stale`` for a typed move that came before the last entry did: it was meant for an earlier position.

        A request can be held up while the person sends another one, and the opponent answers that. An entry that is
        still to come by the clock says nothing: the clock was set back since.
        """
        if turn.ply is None and turn.at < turn.match.turn_at:
            last = await self._context.read(matches.entry, turn.match.id, turn.match.ply)
            if last is not None and turn.at < last.at <= self._context.clock():
                raise Stale(MOVED_ON)

    @retried
    async def post_again(
        self, actor: Actor, match: Match, channel_id: int | None = None, *, private: bool = False
    ) -> bool:
        """Have the board of ``match`` posted once more; ``channel_id`` moves the match to another place.

        ``private`` says that this is a private thread. Return False, and do nothing, if the board is on its way or the
        match has changed since.
        """
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            current = await load_match(tx, match.guild_id, match.id, lock=True)
            if not same_turn(current, match) or current.board_message_id != match.board_message_id:
                return False
            if await outbox_messages.board_on_its_way(tx, current):
                return False
            if channel_id is not None:
                await matches.change(tx, match.id, channel_id=channel_id, thread_id=None, private=private)
            notified = [seat.seat for seat in match.seats] if match.board_ply == match.ply else []
            at = self._context.clock()
            # Not before: the answer to who is refused goes, and must not become the board that is on its way.
            await self._context.keep_response(tx, actor, outbox_messages.topic_of_match(match.id))
            await outbox_messages.board_again(tx, current, actor.interaction_id, at, notified=notified)
        return True


def _receipt_of_repetition(turn: Turn, text: str) -> MoveReceipt | None:
    """Return the answer to a person who pressed twice, and has played: the same again, not that they are late."""
    match = turn.repeated(EntryKind.MOVE, text)
    return None if match is None else MoveReceipt(match, text, match.state is MatchState.OVER)


async def _check_time(tx: AsyncConnection, match: Match, at: datetime) -> None:
    """Raise ``_TimeUp`` if the time was up before a move made ``at`` that moment, and that ends the match by itself.

    A server's settings may say so; against computer players no person would claim the win; a live match is short.
    """
    if match.time_ends_at is None or match.time_ends_at > at:
        return
    if clocks.ends_before_move(match, automatic=(await guilds.settings(tx, match.guild_id)).automatic):
        raise _TimeUp
