"""Computer players in matches: they play their turns and answer offers of a draw."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import structlog

from bot.compute.job import BackgroundRequester, JobSpec, Pool, Priority, on_behalf_of
from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import check_playable
from bot.matches.service_context import ServiceContext
from bot.matches.services.turn import Turn
from bot.matches.writing import outbox_messages
from bot.opponents import analyse, consider, thinks_long
from bot.storage import computer_turns, matches, work_queue
from bot.storage.computer_turns import ComputerTurn
from bot.storage.records import Match, MatchState, OfferKind, OfferState
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

DRAWS_BELOW = 0.45
"""A computer player agrees to a draw if its winning chance is below this."""
HOPELESS = 0.02
"""A computer player offers to resign, once a match, if its evaluation gives it no more chance to win than this."""
DRAW_NODES = 2_000
"""The nodes it searches before it answers an offer."""
_THOUGHT, _LONG_THOUGHT = JobSpec(Pool.THINKING), JobSpec(Pool.THINKING, Priority.LONG_REPLY, long=True)
_PLIES = 1_000_000
"""More plies than any match has, so that each turn of each match has its own seed."""


class ComputerPlayers:
    """Plays the computer's side of matches."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def take(
        self, room: int, *, begun: Collection[ComputerTurn] = (), leave_to: str | None = None
    ) -> list[ComputerTurn]:
        """Return turns for this process to play, see ``work_queue.take``."""
        return await work_queue.take(self._context.database, computer_turns, room, begun, leave_to, self._context.rules)

    async def give_back(self, due: ComputerTurn) -> None:
        """Leave to other processes what this one has claimed, see ``work_queue.give_back``."""
        await work_queue.give_back(self._context.database, computer_turns, due)

    async def play(self, due: ComputerTurn) -> None:
        """Choose a move and play it, unless the match has moved on.

        The same turn always gets the same move. Raises ``Refusal`` if the search is impossible at the moment, or the
        bot does not have the rules of the match.
        """
        match = await self._context.read(matches.get, due.match_id)
        if match is None or not _awaits(match, due):
            return
        check_playable(match)
        level, seed = match.mover.person.level, match.id * _PLIES + due.ply
        with on_behalf_of(_thought_for(match)):
            before = await self._game_states.of(match)
            assert level is not None
            thought = _LONG_THOUGHT if thinks_long(GAMES[match.game], level) else _THOUGHT
            chosen = await self._context.compute_as(thought, consider, before.position, level, seed)
            resigns = match.alone and chosen.winning is not None and chosen.winning <= HOPELESS
            await self._play(due, str(chosen.move), resigns=resigns)

    @retried
    async def _play(self, due: ComputerTurn, text: str, *, resigns: bool) -> None:
        """Play a move; where the computer player ``resigns``, offer to do so, too, unless it has done so before."""
        await self._context.credit_missed(due.match_id)
        match = await self._context.read(matches.get, due.match_id)
        if match is None or not _awaits(match, due):
            log.info("reply dropped", match=due.match_id, ply=due.ply)
            return
        at, state = self._context.clock(), await self._game_states.of(match)
        turn = Turn(self._context, self._game_states, match, match.mover, at, state)
        played = await turn.move(text, confirmed=True)
        async with turn.locked() as (tx, current):
            await turn.store(tx, current, played)
            if not resigns or played.after.result is not None or len(current.seats) != 2:
                return
            seat, ply, kind = turn.seat.seat, played.after.ply, OfferKind.RESIGN
            if not await matches.offers_of_seat(tx, match.id, kind, seat):
                offer_id = await matches.add_offer(tx, match.id, kind, seat, ply, at)
                await outbox_messages.offer(tx, match.id, offer_id, OfferState.OPEN, at)
                log.info("offer", match=match.id, ply=ply, kind=kind.value, state=OfferState.OPEN.value)

    async def waiting(self, seconds: float) -> list[ComputerTurn]:
        """Return the turns that have waited for a process for so many seconds, and whose boards are not posted."""
        async with self._context.database.read() as tx:
            since = self._context.clock() - timedelta(seconds=seconds)
            return await computer_turns.unclaimed_since(tx, since, self._context.rules)

    @retried
    async def show_thinking(self, due: ComputerTurn) -> None:
        """Have the board posted on which a computer player is still to move."""
        async with self._context.database.write() as tx:
            match = await matches.get(tx, due.match_id, lock=True)
            if match is None or not _awaits(match, due) or match.board_ply == due.ply:
                return
            await outbox_messages.board_once(tx, match.id, due.ply, self._context.clock())

    async def agrees_to_draw(self, match: Match, state: GameState) -> bool:
        (seat,) = match.computers
        with on_behalf_of(_thought_for(match)):
            analysis = await self._context.compute_as(_THOUGHT, analyse, state.position, DRAW_NODES)
        winning = analysis.lines[0].winning
        return (winning if seat == match.mover else 1 - winning) < DRAWS_BELOW


def _awaits(match: Match, due: ComputerTurn) -> bool:
    """Return whether a match still waits for a computer player's turn."""
    return match.state is MatchState.RUNNING and match.ply == due.ply and match.mover.person.computer


def _thought_for(match: Match) -> BackgroundRequester:
    """Return the requester of a reply, which takes the share of the person who plays and is no request of theirs."""
    people = sorted((seat for seat in match.seats if not seat.person.computer), key=lambda seat: seat.dropped)
    return BackgroundRequester(next((seat.person.id for seat in people), None), "reply")
