"""Where a match stands, derived from its list of moves. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.game import Game, Move, Position, Result
from bot.storage.records import MoveKind, PlayedMove
from renderers.i18n import LazyText
from renderers.i18n import gettext_lazy as _

RESIGNS, TIMES_OUT, IS_GONE = "resigns", "times-out", "is-gone"
FORFEITS = {
    RESIGNS: _("resignation"),
    TIMES_OUT: _("out of time"),
    IS_GONE: _("the opponent left the server"),
}
"""The texts of entries by which a seat drops out, and what they are called in a result."""
AGREEMENT = _("agreement")
_BECAUSE = {
    FORFEITS[RESIGNS]: _("{outcome} by resignation"),
    FORFEITS[TIMES_OUT]: _("{outcome} on time"),
    FORFEITS[IS_GONE]: _("{outcome} because the opponent left the server"),
    AGREEMENT: _("{outcome} by agreement"),
}
CLOSED = _("put away")
"""The reason of a match that was left lying: nobody has won or lost it, and it counts for nothing."""
TAKES_BACK, AGREES, ABANDONED = "takes-back", "draw-agreed", "left-lying"


def because(outcome: str, reason: str) -> LazyText:
    """Return how a match ended and why: ``Red wins on time``, ``Draw: third repetition``.

    A reason that was stored is English; it is looked up among those the rules and ``FORFEITS`` give.
    """
    known = reason if isinstance(reason, LazyText) else LazyText(reason)
    return _BECAUSE.get(known, _("{outcome}: {reason}")).filled(outcome=outcome, reason=known)


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
    passed: tuple[int, ...] = ()
    """The seats that were forced to pass after the last move."""
    earlier: GameState | None = None
    """Where the match stood before the last move, and so on for one round of the seats, so that replies can be shown
    with what they reply to; those who passed count as well."""
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
                return self._ended(played, AGREEMENT)
            case MoveKind.CLOSED:
                return self._ended(played, CLOSED)
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
            return replace(after, passed=(*self.passed, played.seat))
        earlier = self._reaching_back(self.players - 1 + len(self.passed))
        return replace(after, before=self.position, last=move, last_seat=played.seat, passed=(), earlier=earlier)

    def _ended(self, played: PlayedMove, reason: str) -> GameState:
        """Return the state after an entry that ends the match with nobody ahead."""
        return replace(self, ply=played.ply, ended=Result(frozenset(range(self.players)), reason))

    def _reaching_back(self, moves: int) -> GameState:
        """Return this state, knowing no more than so many moves that led to it."""
        known = None if self.earlier is None or moves <= 1 else self.earlier._reaching_back(moves - 1)
        return replace(self, earlier=known)


def first_game_state(game: Game, variant: str, players: int) -> GameState:
    """Return how a match begins."""
    return GameState(0, players, game.start(players=players, **game.variant(variant).options))


def standing(played: Sequence[PlayedMove]) -> list[PlayedMove]:
    """Return the entries of a list of moves that count: those that were not taken back, and no take-backs.

    Whoever has left since a move that is taken back stays away.
    """
    kept: list[PlayedMove] = []
    for entry in played:
        if entry.kind is MoveKind.TAKEBACK:
            own = [at for at, move in enumerate(kept) if move.kind is MoveKind.MOVE and move.seat == entry.seat]
            since = own[-1] if own else 0
            kept[since:] = [one for one in kept[since:] if one.kind is MoveKind.DROP]
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
