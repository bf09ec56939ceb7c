"""Solves games that end soon and always with a winner: proves which seat wins. Knows no game.

Two seats take turns, no position repeats, and there are no draws.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from bot.games.search import Token
from bot.opponents.candidates import BudgetSpent, Search


@dataclass(slots=True)
class Solver(Search):
    """One proof of who wins, within at most ``nodes`` positions. ``state`` is unchanged afterwards."""

    _won: dict[Hashable, bool] = field(default_factory=dict)
    """By key: whether the seat to move wins."""

    def winning(self) -> list[Token] | None:
        """Return the first winning move found, no move if every one loses, or None if the budget is too small."""
        try:
            return self._winning()
        except BudgetSpent:
            return None

    def _winning(self) -> list[Token]:
        state = self.state
        for token in self._most_forcing_first():
            state.make(token)
            try:
                lost = not self._wins()
            finally:
                state.unmake()
            if lost:
                return [token]
        return []

    def _wins(self) -> bool:
        state = self.state
        winners = state.winners()
        if winners is not None:
            return state.seat in winners
        key = state.key()
        known = self._won.get(key)
        if known is not None:
            return known
        self.count()
        wins = state.win_in_one() is not None or bool(self._winning())
        self._won[key] = wins
        return wins

    def _most_forcing_first(self) -> list[Token]:
        """Return moves that lead to different positions, those that leave the opponent fewest answers first.

        A move into a position known as lost for the opponent is returned alone.
        """
        state = self.state
        leading: dict[Hashable, tuple[int, Token]] = {}
        for token in state.tokens():
            state.make(token)
            key = state.key()
            if self._won.get(key) is False:
                state.unmake()
                return [token]
            if key not in leading:
                leading[key] = len(state.tokens()), token
            state.unmake()
        return [token for _, token in sorted(leading.values(), key=lambda entry: entry[0])]
