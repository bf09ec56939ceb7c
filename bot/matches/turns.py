"""Turns: a move, in one transaction from the interaction to the outbox.

Rules are computed before the transaction, on the ply the person saw; inside it the ply is checked, so that whatever
happened in between makes the attempt stale instead of wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.game import IllegalMove
from bot.matches import announcing
from bot.matches.context import Context
from bot.matches.entries import append, committed, locked, look
from bot.matches.leaving import Leaving
from bot.matches.positions import Positions, Standing
from bot.matches.refusals import Refusal, Stale, Unconfirmed
from bot.storage.queries import guilds, matches
from bot.storage.records import Match, MatchState, MoveKind, Person, PlayedMove, Seat

TYPED_MOVE_LIMIT = 200
"""Longer texts are no move of any game and are not looked at."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn did: the canonical text that was played, and the match as it was found."""

    match: Match
    text: str


class Turns:
    """Moves, and boards posted again."""

    def __init__(self, context: Context, positions: Positions, leaving: Leaving) -> None:
        self._context = context
        self._positions = positions
        self._leaving = leaving

    async def play(
        self,
        guild_id: int,
        match_id: int,
        person: Person,
        text: str,
        interaction_id: int,
        *,
        ply: int | None = None,
        confirmed: bool = False,
    ) -> Turn:
        """Play a move as it was typed or built.

        ``ply`` is the ply of the control that was used; None means the match as it stands. Raises ``Refusal``: the
        match is not this server's, over, another person's turn or at another ply, the time is up, the move is illegal,
        or it is one to be asked about and not ``confirmed``.
        """
        async with self._context.database.read() as tx:
            match, standing = await look(tx, self._positions, guild_id, match_id)
        try:
            played = await self._play(match, standing, person, text, interaction_id, ply, confirmed)
        except Stale:
            # Somebody who pressed twice has played, and is told so again instead of being told that he is late.
            if ply is not None and await self._was_played(match, person, text, ply):
                return Turn(match, text)
            raise
        return Turn(match, played)

    async def _play(
        self,
        match: Match,
        standing: Standing,
        person: Person,
        text: str,
        interaction_id: int,
        ply: int | None,
        confirmed: bool,
    ) -> str:
        seat = check_turn(match, person, ply)
        now = self._context.clock()
        entries, after = await self._context.compute(_played, standing, seat.seat, text, confirmed, now)
        async with self._context.database.write() as tx:
            await self._context.claim(tx, interaction_id)
            current = await locked(tx, match.id)
            if current.ply != match.ply or current.state is not match.state:
                check_turn(current, person, match.ply)
            late = await self._too_late(tx, current, now)
            if not late:
                await append(tx, current, entries, after)
                if seat.person != person:
                    await matches.change_seat(tx, match.id, seat.seat, name=person.name)
        if late:
            await self._leaving.time_out(match.id)
            raise Stale("Your time was up before that move, and the match is lost.")
        self._positions.remember(match.id, after)
        committed(match, entries, after)
        self._context.wake()
        return entries[0].text

    async def _was_played(self, match: Match, person: Person, text: str, ply: int) -> bool:
        """Return whether ``person`` made the move of that canonical text at ``ply``."""
        seat = match.seat_of(person.id)
        async with self._context.database.read() as tx:
            entries = await matches.moves_of(tx, match.id)
        return seat is not None and any(
            (entry.ply, entry.seat, entry.kind, entry.text) == (ply + 1, seat.seat, MoveKind.MOVE, text)
            for entry in entries
        )

    async def post_again(self, match: Match, channel_id: int | None, interaction_id: int) -> bool:
        """Have the board of ``match`` posted once more; ``channel_id`` moves the match to another channel.

        Return whether it is: nothing is done while it is on its way, or for a match that has changed since.
        """
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await self._context.claim(tx, interaction_id)
            current = await locked(tx, match.id)
            if (current.ply, current.board_message_id) != (match.ply, match.board_message_id):
                return False
            if await announcing.board_on_its_way(tx, match.id):
                return False
            if channel_id is not None:
                await matches.change(tx, match.id, channel_id=channel_id, thread_id=None)
            told = [seat.person.id for seat in match.seats] if match.board_ply == match.ply else []
            await announcing.board_again(tx, current, interaction_id, now, told=told)
        self._context.wake()
        return True

    async def _too_late(self, tx: AsyncConnection, match: Match, now: datetime) -> bool:
        """Return whether the time was up before a move that comes now, where the server makes that the end."""
        if match.deadline_at is None or match.deadline_at > now:
            return False
        return (await guilds.settings(tx, match.guild_id)).automatic


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
        movers = [mover.person for mover in match.movers]
        raise Refusal(f"It is not your turn: {' or '.join(['{}'] * len(movers))} is to move.", *movers)
    return seat


def _played(
    standing: Standing, seat: int, text: str, confirmed: bool, now: datetime
) -> tuple[list[PlayedMove], Standing]:
    """Return the entries a typed move adds and where they lead. Raises ``Refusal``."""
    if len(text) > TYPED_MOVE_LIMIT:
        raise Refusal("That is far too long for a move. A move looks like the ones suggested while you type.")
    try:
        move = standing.position.parse(text)
    except IllegalMove as reason:
        raise Refusal(f"That is no legal move – {reason}.") from reason
    question = None if confirmed else standing.position.question(move)
    if question is not None:
        raise Unconfirmed(question, str(move), standing.ply)
    entries = [PlayedMove(standing.ply + 1, seat, MoveKind.MOVE, str(move), now)]
    after = standing.after(entries[0])
    while after.result is None and (forced := after.position.forced_move()) is not None:
        (mover,) = after.position.to_move
        entries.append(PlayedMove(after.ply + 1, mover, MoveKind.FORCED, str(forced), now))
        after = after.after(entries[-1])
    return entries, after
