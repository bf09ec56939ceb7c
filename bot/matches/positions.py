"""Positions of matches, derived from their lists of moves and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.games.game import Game, Move, Position, Result
from bot.matches.context import Context
from bot.storage.queries import matches
from bot.storage.records import Match, MoveKind, PlayedMove

REMEMBERED = 2048
RECENT = 2
"""Standings of one match that are remembered: where it stands, and what the board posted last shows."""
RESIGNS, TIMES_OUT, IS_GONE = "resigns", "times-out", "is-gone"
LEAVING = {RESIGNS: "resignation", TIMES_OUT: "out of time", IS_GONE: "the opponent left the server"}
"""The texts of entries by which a seat drops out, and what they are called in a result."""
AGREEMENT = "agreement"
TAKES_BACK, AGREES = "takes-back", "draw-agreed"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands: the position after ``ply`` entries, and the last move with the position it was played in.

    ``last`` is the last move a seat made, forced passes not counted, so that people see what was done to them.
    """

    ply: int
    players: int
    position: Position
    before: Position | None = None
    last: Move | None = None
    last_seat: int | None = None
    ended: Result | None = None
    ended_by: int | None = None
    """The seat that ended the match off the board, by leaving it."""

    @property
    def result(self) -> Result | None:
        """How the match ended: off the board by leaving or agreement, or on it."""
        return self.ended or self.position.result

    def after(self, played: PlayedMove) -> Standing:
        """Return the standing after one more entry of the list of moves, which takes nothing back."""
        match played.kind:
            case MoveKind.DRAW:
                return replace(self, ply=played.ply, ended=Result(frozenset(range(self.players)), AGREEMENT))
            case MoveKind.DROP if self.players == 2:
                result = Result(frozenset({1 - played.seat}), LEAVING[played.text])
                return replace(self, ply=played.ply, ended=result, ended_by=played.seat)
            case MoveKind.DROP:
                return replace(self, ply=played.ply, position=self.position.drop(played.seat))
            case MoveKind.FORCED:
                move = self.position.parse(played.text)
                return replace(self, ply=played.ply, position=self.position.play(move))
        move = self.position.parse(played.text)
        return replace(
            self,
            ply=played.ply,
            position=self.position.play(move),
            before=self.position,
            last=move,
            last_seat=played.seat,
        )


def first_standing(game: Game, variant: str, players: int) -> Standing:
    """Return how a match begins."""
    return Standing(0, players, game.start(players=players, **game.variant(variant).options))


def standings(game: Game, variant: str, players: int, played: Sequence[PlayedMove]) -> list[Standing]:
    """Return where a match stood at its beginning and after every entry of its list of moves.

    What was taken back is left out, so the last standing follows from those before it.
    """
    every = [first_standing(game, variant, players)]
    kept: list[PlayedMove] = []
    for move in played:
        if move.kind is MoveKind.TAKEBACK:
            while kept and not (kept[-1].kind is MoveKind.MOVE and kept[-1].seat == move.seat):
                kept.pop()
                every.pop()
            if kept:
                kept.pop()
                every.pop()
            every[-1] = replace(every[-1], ply=move.ply)
        else:
            kept.append(move)
            every.append(every[-1].after(move))
    return every


def replay(game: Game, variant: str, players: int, played: Sequence[PlayedMove]) -> Standing:
    """Return where a list of moves leads."""
    return standings(game, variant, players, played)[-1]


class Positions:
    """The last standings of the matches looked at last. Match and ply say which one: a list of moves only grows."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: OrderedDict[int, tuple[Standing, ...]] = OrderedDict()

    async def of(self, tx: AsyncConnection, match: Match) -> Standing:
        """Return where ``match`` stands, replaying its moves where that is not known."""
        return await self.at(tx, match, match.ply)

    async def at(self, tx: AsyncConnection, match: Match, ply: int) -> Standing:
        """Return where ``match`` stood after ``ply`` entries."""
        known = next((standing for standing in self._known.get(match.id, ()) if standing.ply == ply), None)
        if known is None:
            played = await matches.moves_of(tx, match.id)
            game = GAMES[match.game]
            known = await self._context.compute(replay, game, match.variant, len(match.seats), played[:ply])
        self.remember(match.id, known)
        return known

    def remember(self, match_id: int, standing: Standing) -> None:
        """Keep a standing that has been committed."""
        others = [known for known in self._known.get(match_id, ()) if known.ply != standing.ply]
        self._known[match_id] = tuple(sorted([*others, standing], key=lambda known: known.ply)[-RECENT:])
        self._known.move_to_end(match_id)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
