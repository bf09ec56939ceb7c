"""Turns: a move or a resignation, in one transaction from the interaction to the outbox.

Rules are computed before the transaction, on the ply the person saw; inside it the ply is checked, so that whatever
happened in between makes the attempt stale instead of wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.games.game import IllegalMove
from bot.matches import announcing
from bot.matches.context import Context
from bot.matches.endings import finish
from bot.matches.positions import RESIGNS, Positions, Standing
from bot.matches.refusals import Refusal, Repeated, Stale
from bot.storage.queries import matches, outbox
from bot.storage.records import Match, MatchState, MoveKind, Person, PlayedMove, Seat

TYPED_MOVE_LIMIT = 200
"""Longer texts are no move of any game and are not looked at."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn did: the canonical text that was played, in words, and where the match stands now."""

    match: Match
    text: str
    words: str
    standing: Standing


class Turns:
    """Moves and resignations."""

    def __init__(self, context: Context, positions: Positions) -> None:
        self._context = context
        self._positions = positions

    async def play(
        self, guild_id: int, match_id: int, person: Person, text: str, interaction_id: int, *, ply: int | None = None
    ) -> Turn:
        """Play a move as it was typed or built.

        ``ply`` is the ply of the control that was used; None means the match as it stands. Raises ``Refusal``: the
        match is not this server's, over, another person's turn or at another ply, or the move is illegal.
        """
        match, standing = await self._look(guild_id, match_id)
        seat = check_turn(match, person, ply)
        entries, after, words = await self._context.compute(
            _played, match, standing, seat.seat, text, self._context.clock()
        )
        async with self._context.database.write() as tx:
            await self._claim(tx, interaction_id)
            current = await self._locked(tx, match_id)
            if current.ply != match.ply or current.state is not match.state:
                check_turn(current, person, match.ply)
            await self._commit(tx, current, entries, after)
        self._positions.remember(match_id, after)
        self._context.wake()
        return Turn(match, entries[0].text, words, after)

    async def resign(
        self, guild_id: int, match_id: int, person: Person, interaction_id: int, *, ply: int | None = None
    ) -> Match:
        """Give a match up; with more than two players the others play on. Raises ``Refusal``."""
        match, standing = await self._look(guild_id, match_id)
        if match.state is MatchState.OVER:
            raise Stale("This match is over.")
        seat = match.seat_of(person.id)
        if seat is None:
            raise Refusal("You are not playing in this match.")
        if seat.dropped:
            raise Refusal("You have left this match already.")
        if ply is not None and ply != match.ply:
            raise Stale("The match has moved on since. Look at the newest board before you resign.")
        entry = PlayedMove(match.ply + 1, seat.seat, MoveKind.DROP, RESIGNS, self._context.clock())
        after = await self._context.compute(standing.after, entry)
        async with self._context.database.write() as tx:
            await self._claim(tx, interaction_id)
            current = await self._locked(tx, match_id)
            if current.ply != match.ply or current.state is not match.state:
                raise Stale("The match has moved on since. Look at the newest board before you resign.")
            await matches.change_seat(tx, match_id, seat.seat, dropped=True)
            await self._commit(tx, current, [entry], after)
        self._positions.remember(match_id, after)
        self._context.wake()
        return match

    async def post_again(self, match: Match, channel_id: int | None, interaction_id: int) -> None:
        """Have the board of a match posted once more; ``channel_id`` moves the match to another channel."""
        async with self._context.database.write() as tx:
            await self._claim(tx, interaction_id)
            if channel_id is not None:
                await matches.change(tx, match.id, channel_id=channel_id, thread_id=None)
            await announcing.board(tx, match.id, match.ply, self._context.clock(), again=str(interaction_id))
        self._context.wake()

    async def _look(self, guild_id: int, match_id: int) -> tuple[Match, Standing]:
        async with self._context.database.read() as tx:
            match = await matches.get(tx, match_id)
            if match is None or match.guild_id != guild_id:
                raise Refusal("There is no such match in this server.")
            return match, await self._positions.of(tx, match)

    async def _locked(self, tx: AsyncConnection, match_id: int) -> Match:
        match = await matches.get(tx, match_id, lock=True)
        if match is None:
            raise Refusal("There is no such match in this server.")
        return match

    async def _claim(self, tx: AsyncConnection, interaction_id: int) -> None:
        if not await outbox.claim(tx, interaction_id, self._context.clock()):
            raise Repeated

    async def _commit(self, tx: AsyncConnection, match: Match, entries: list[PlayedMove], after: Standing) -> None:
        now = entries[-1].at
        await matches.add_moves(tx, match.id, entries)
        await matches.change(tx, match.id, ply=after.ply, turn_at=now)
        result = after.result
        if result is None:
            await matches.set_movers(tx, match.id, after.position.to_move)
        else:
            dropped = [seat.seat for seat in match.seats if seat.dropped]
            dropped += [entry.seat for entry in entries if entry.kind is MoveKind.DROP]
            await finish(tx, match, result, await self._order_of_leaving(tx, match, dropped), now)
        await announcing.board(tx, match.id, after.ply, now)

    async def _order_of_leaving(self, tx: AsyncConnection, match: Match, dropped: list[int]) -> list[int]:
        if len(dropped) < 2:
            return dropped
        played = await matches.moves_of(tx, match.id)
        return [move.seat for move in played if move.kind is MoveKind.DROP]


def check_turn(match: Match, person: Person, ply: int | None) -> Seat:
    """Return the seat of ``person`` if he may move now, at ``ply``. Raises ``Refusal`` with the reason otherwise."""
    seat = match.seat_of(person.id)
    if seat is None:
        raise Refusal("You are not playing in this match, but you may watch: `/board` shows it.")
    if match.state is MatchState.OVER:
        raise Stale("This match is over.")
    if ply is not None and ply != match.ply:
        raise Stale("That board is from an earlier turn. The newest one is further down; `/board` shows it.")
    if seat.dropped:
        raise Refusal("You have left this match.")
    if not seat.to_move:
        waiting = " or ".join(mover.person.name for mover in match.movers)
        raise Refusal(f"It is not your turn: {waiting} is to move.")
    return seat


def _played(
    match: Match, standing: Standing, seat: int, text: str, now: datetime
) -> tuple[list[PlayedMove], Standing, str]:
    """Return the entries a typed move adds, where they lead, and the move in words. Raises ``Refusal``."""
    if len(text) > TYPED_MOVE_LIMIT:
        raise Refusal("That is far too long for a move. A move looks like the ones suggested while you type.")
    game = GAMES[match.game]
    try:
        move = standing.position.parse(text)
    except IllegalMove as reason:
        raise Refusal(f"That is no legal move: {reason}") from reason
    entries = [PlayedMove(standing.ply + 1, seat, MoveKind.MOVE, str(move), now)]
    after = standing.after(entries[0])
    while after.result is None and (forced := after.position.forced_move()) is not None:
        (mover,) = after.position.to_move
        entries.append(PlayedMove(after.ply + 1, mover, MoveKind.FORCED, str(forced), now))
        after = after.after(entries[-1])
    return entries, after, game.move_in_words(standing.position, move)
