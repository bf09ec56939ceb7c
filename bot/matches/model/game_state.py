"""Where a match stands, derived from its list of moves. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.game import Game, Move, Position, Result
from bot.storage.records import MoveKind, PlayedMove

RESIGNS, TIMES_OUT, IS_GONE = "resigns", "times-out", "is-gone"
FORFEITS = {RESIGNS: "resignation", TIMES_OUT: "out of time", IS_GONE: "the opponent left the server"}
"""The texts of entries by which a seat drops out, and what they are called in a result."""
AGREEMENT = "agreement"
_BECAUSE = {
    FORFEITS[RESIGNS]: " by resignation",
    FORFEITS[TIMES_OUT]: " on time",
    FORFEITS[IS_GONE]: " because the opponent left the server",
    AGREEMENT: " by agreement",
}
TAKES_BACK, AGREES = "takes-back", "draw-agreed"


def because(reason: str) -> str:
    """Return what follows "Red wins" or "Draw" where a match ended for a reason: `` on time``, ``: four in a row``."""
    return _BECAUSE.get(reason, f": {reason}")


@dataclass(frozen=True, slots=True)
class GameState:
    """Where a match stands: the position after ``ply`` entries, and the last move with the position it was played in.

    ``last`` is the last move a seat made, forced passes not counted, so that people see what was done to them.
    """

    ply: int
    players: int
    position: Position
    before: Position | None = None
    last: Move | None = None
    last_seat: int | None = None
    earlier: GameState | None = None
    """Where the match stood before the last move, so that a reply can be shown with what it replies to."""
    ended: Result | None = None
    ended_by: int | None = None
    """The seat that ended the match off the board, by leaving it."""

    @property
    def result(self) -> Result | None:
        """How the match ended: off the board by leaving or agreement, or on it."""
        return self.ended or self.position.result

    def after(self, played: PlayedMove) -> GameState:
        """Return the state after one more entry of the list of moves, which takes nothing back.

        Raises ``IllegalMove`` for a move that cannot be played.
        """
        match played.kind:
            case MoveKind.DRAW:
                return replace(self, ply=played.ply, ended=Result(frozenset(range(self.players)), AGREEMENT))
            case MoveKind.DROP if self.players == 2:
                result = Result(frozenset({1 - played.seat}), FORFEITS[played.text])
                return replace(self, ply=played.ply, ended=result, ended_by=played.seat)
            case MoveKind.DROP:
                return replace(self, ply=played.ply, position=self.position.drop(played.seat))
        return self.moved(played, self.position.parse(played.text))

    def moved(self, played: PlayedMove, move: Move) -> GameState:
        """Return the state after an entry that is ``move`` on the board, parsed already."""
        after = replace(self, ply=played.ply, position=self.position.play(move))
        if played.kind is MoveKind.FORCED:
            return after
        earlier = replace(self, earlier=None)
        return replace(after, before=self.position, last=move, last_seat=played.seat, earlier=earlier)


def first_game_state(game: Game, variant: str, players: int) -> GameState:
    """Return how a match begins."""
    return GameState(0, players, game.start(players=players, **game.variant(variant).options))


def standing(played: Sequence[PlayedMove]) -> list[PlayedMove]:
    """Return the entries of a list of moves that count: those that were not taken back, and no take-backs."""
    kept: list[PlayedMove] = []
    for entry in played:
        if entry.kind is MoveKind.TAKEBACK:
            while kept and not (kept[-1].kind is MoveKind.MOVE and kept[-1].seat == entry.seat):
                kept.pop()
            del kept[-1:]
        else:
            kept.append(entry)
    return kept


def game_states(game: Game, variant: str, players: int, played: Sequence[PlayedMove]) -> list[GameState]:
    """Return where a match stood at its beginning and after every entry of its list of moves that is ``standing``.

    What was taken back is left out, so the last state follows from those before it.
    """
    every = [first_game_state(game, variant, players)]
    for entry in standing(played):
        every.append(every[-1].after(entry))
    if played:
        every[-1] = replace(every[-1], ply=played[-1].ply)
    return every


def replay(game: Game, variant: str, players: int, played: Sequence[PlayedMove]) -> GameState:
    """Return where a list of moves leads."""
    return game_states(game, variant, players, played)[-1]
