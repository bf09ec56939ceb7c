"""Solves games that end soon and always with a winner: proves which seat wins. Knows no game.

Two seats take turns, no position repeats, and there are no draws.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bot.games.search import Token
from bot.opponents.candidates import BudgetSpent, Search

_OTHERS: Final = 10_000
"""Positions looked at for winning moves beside the first: some tenths of a second."""


@dataclass(slots=True)
class Solver(Search):
    """One proof of who wins, within at most ``nodes`` positions. ``state`` is unchanged afterwards."""

    random: Random | None = None
    """Decides between moves of the first position that leave equally many answers; else the first listed goes first."""
    _won: dict[Hashable, bool] = field(default_factory=dict)
    """By key: whether the seat to move wins."""

    def winning(self, most: int = 1) -> list[Token] | None:
        """Return up to ``most`` winning moves, no move if every one loses, or None if the budget is too small.

        Once a winning move is found, others are looked for within ``_OTHERS`` positions, whatever the budget was.
        """
        tokens: list[Token] = []
        try:
            for token in self._winning(self.random):
                tokens.append(token)
                if len(tokens) == most:
                    break
                if len(tokens) == 1:
                    self.nodes = self.visited + _OTHERS
        except BudgetSpent:
            return tokens or None
        return tokens

    def _winning(self, random: Random | None = None) -> Iterator[Token]:
        state = self.state
        for token in self._most_forcing_first(random):
            state.make(token)
            try:
                lost = not self._wins()
            finally:
                state.unmake()
            if lost:
                yield token

    def _wins(self) -> bool:
        state = self.state
        winners = state.winners()
        if winners is not None:
            return state.seat in winners
        key = state.key()
        solved = self._won.get(key)
        if solved is not None:
            return solved
        self.count()
        wins = state.win_in_one() is not None or next(self._winning(), None) is not None
        self._won[key] = wins
        return wins

    def _most_forcing_first(self, random: Random | None) -> list[Token]:
        """Return moves that lead to different positions, those that leave the opponent fewest answers first.

        A move into a position known as lost for the opponent is returned alone.
        """
        state = self.state
        leading: dict[Hashable, tuple[int, Token]] = {}
        tokens = state.tokens()
        if random is not None:
            random.shuffle(tokens)
        for token in tokens:
            state.make(token)
            key = state.key()
            if self._won.get(key) is False:
                state.unmake()
                return [token]
            if key not in leading:
                leading[key] = len(state.tokens()), token
            state.unmake()
        return [token for _, token in sorted(leading.values(), key=lambda entry: entry[0])]
