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
    resigned: int | None = None

    @property
    def result(self) -> Result | None:
        """How the match ended: on the board, or because the other of two players left."""
        if self.resigned is not None:
            return Result(frozenset({1 - self.resigned}), "resignation")
        return self.position.result

    def after(self, played: PlayedMove) -> Standing:
        """Return the standing after one more entry of the list of moves."""
        if played.kind is MoveKind.DROP and self.players == 2:
            return replace(self, ply=played.ply, resigned=played.seat)
        if played.kind is MoveKind.DROP:
            return replace(self, ply=played.ply, position=self.position.drop(played.seat))
        move = self.position.parse(played.text)
        position = self.position.play(move)
        if played.kind is MoveKind.FORCED:
            return replace(self, ply=played.ply, position=position)
        return replace(self, ply=played.ply, position=position, before=self.position, last=move, last_seat=played.seat)


def first_standing(game: Game, variant: str, players: int) -> Standing:
    """Return how a match begins."""
    return Standing(0, players, game.start(players=players, **game.variant(variant).options))


def replay(game: Game, variant: str, players: int, played: Sequence[PlayedMove]) -> Standing:
    """Return where a list of moves leads."""
    standing = first_standing(game, variant, players)
    for move in played:
        standing = standing.after(move)
    return standing


class Positions:
    """The standings of the matches looked at last. A standing is used only while its ply is the match's."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: OrderedDict[int, Standing] = OrderedDict()

    async def of(self, tx: AsyncConnection, match: Match) -> Standing:
        """Return where ``match`` stands, replaying its moves where that is not known."""
        known = self._known.get(match.id)
        if known is None or known.ply != match.ply:
            played = await matches.moves_of(tx, match.id)
            game = GAMES[match.game]
            known = await self._context.compute(replay, game, match.variant, len(match.seats), played[: match.ply])
        self.remember(match.id, known)
        return known

    def remember(self, match_id: int, standing: Standing) -> None:
        """Keep a standing that has been committed."""
        self._known[match_id] = standing
        self._known.move_to_end(match_id)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
