"""The state of a match, derived from its list of moves. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.games.game import Game, Move, Position, Result
from bot.storage.records import Entry, EntryKind
from renderers.i18n import LazyText
from renderers.i18n import gettext_lazy as _

RESIGNS, TIMES_OUT, IS_GONE = "resigns", "times-out", "is-gone"
FORFEITS = {
    RESIGNS: _("resignation"),
    TIMES_OUT: _("out of time"),
    IS_GONE: _("the opponent left the server"),
}
"""The stored texts of entries by which a seat drops out, and the reasons they give a result."""
AGREEMENT = _("agreement")
_BECAUSE = {
    FORFEITS[RESIGNS]: _("{outcome} by resignation"),
    FORFEITS[TIMES_OUT]: _("{outcome} on time"),
    FORFEITS[IS_GONE]: _("{outcome} because the opponent left the server"),
    AGREEMENT: _("{outcome} by agreement"),
}
CLOSED = "put away"
"""The stored reason of an abandoned match that was closed: it has no winner or loser and does not count."""
TAKES_BACK, AGREES, ABANDONED = "takes-back", "draw-agreed", "left-lying"


def because(outcome: str, reason: str) -> LazyText:
    """Return how and why a match ended: ``Red wins on time``, ``Draw: third repetition``.

    A stored reason is English; it is translated like the reasons of the rules and of ``FORFEITS``.
    """
    lazy_reason = reason if isinstance(reason, LazyText) else LazyText(reason)
    return _BECAUSE.get(lazy_reason, _("{outcome}: {reason}")).filled(outcome=outcome, reason=lazy_reason)


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a match: the position after ``ply`` entries, and the last move with the position before it.

    ``last`` is the last move that a seat chose. Forced passes do not count, so the board shows the opponent's move.
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
    """The state before the last move, and so on for one round of the seats, passes included, and beyond every planned
    reply: a board shows replies together with the move they answer."""
    planned: bool = False
    """Whether the last move is a reply that its player had planned."""
    ended: Result | None = None
    ended_by: int | None = None
    """The seat that ended the match by leaving or closing it."""

    @property
    def result(self) -> Result | None:
        """How the match ended: off the board, such as by agreement, or on it."""
        return self.ended or self.position.result

    def after(self, played: Entry) -> GameState:
        """Return the state after one more entry, which is no take-back.

        Raises ``IllegalMove`` if the move is illegal.
        """
        match played.kind:
            case EntryKind.DRAW:
                return self._drawn_after(played, AGREEMENT)
            case EntryKind.CLOSED:
                return replace(self._drawn_after(played, CLOSED), ended_by=played.seat)
            case EntryKind.DROP if self.players == 2:
                result = Result(frozenset({1 - played.seat}), FORFEITS[played.text])
                return replace(self, ply=played.ply, ended=result, ended_by=played.seat)
            case EntryKind.DROP:
                return replace(self, ply=played.ply, position=self.position.drop(played.seat))
        return self.moved(played, self.position.parse(played.text))

    def moved(self, played: Entry, move: Move) -> GameState:
        """Return the state after an entry whose parsed move is ``move``."""
        after = replace(self, ply=played.ply, position=self.position.play(move))
        if played.kind is EntryKind.FORCED:
            return replace(after, passed=(*self.passed, played.seat))
        earlier = self._reaching_back(self.players - 1 + len(self.passed))
        return replace(
            after,
            before=self.position,
            last=move,
            last_seat=played.seat,
            passed=(),
            earlier=earlier,
            planned=played.planned,
        )

    def _drawn_after(self, played: Entry, reason: str) -> GameState:
        """Return the state after an entry that ends the match as a draw."""
        return replace(self, ply=played.ply, ended=Result(frozenset(range(self.players)), reason))

    def _reaching_back(self, moves: int) -> GameState:
        """Return this state with at most so many earlier states, and two more for each planned reply among them."""
        moves += 2 * self.planned
        earlier = None if self.earlier is None or moves <= 1 else self.earlier._reaching_back(moves - 1)
        return replace(self, earlier=earlier)


def first_game_state(game: Game, variant: str, players: int) -> GameState:
    return GameState(0, players, game.start(players=players, **game.variant(variant).options))


def state_without_game(ply: int, players: int) -> GameState:
    """Return a state without a position, for an entry that ends a match off the board."""
    return GameState(ply, players, cast(Position, None))


def effective_entries(played: Sequence[Entry]) -> list[Entry]:
    """Return the entries that count: neither take-backs nor entries that were taken back.

    A drop stays, also when an earlier move is taken back.
    """
    kept: list[Entry] = []
    for entry in played:
        if entry.kind is EntryKind.TAKEBACK:
            own = [at for at, move in enumerate(kept) if move.kind is EntryKind.MOVE and move.seat == entry.seat]
            since = own[-1] if own else 0
            kept[since:] = [later for later in kept[since:] if later.kind is EntryKind.DROP]
        else:
            kept.append(entry)
    return kept


def number_of_moves(played: Sequence[Entry]) -> int:
    """Count the moves that stand, forced ones included; entries such as a resignation are none."""
    return sum(entry.kind in (EntryKind.MOVE, EntryKind.FORCED) for entry in effective_entries(played))


def game_states(game: Game, variant: str, players: int, played: Sequence[Entry]) -> list[GameState]:
    """Return the state at the beginning of a match and after each effective entry."""
    every = [first_game_state(game, variant, players)]
    for entry in effective_entries(played):
        every.append(every[-1].after(entry))
    if played:
        every[-1] = replace(every[-1], ply=played[-1].ply)
    return every


def replay(game: Game, variant: str, players: int, played: Sequence[Entry]) -> GameState:
    return game_states(game, variant, players, played)[-1]
