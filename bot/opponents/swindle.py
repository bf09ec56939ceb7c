"""Swindles: moves that lose by force, but in a way that replies at random often miss. Knows no game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from bot.games.search import Token
from bot.opponents.candidates import BudgetSpent, Search


class _Prospect(NamedTuple):
    """Whether other seats can beat a seat by force, and the share it scores if they play at random."""

    lost: bool
    score: float


@dataclass(slots=True)
class SwindleSearch(Search):
    """One search of the whole tree below ``state``, which is unchanged afterwards, of at most ``nodes`` positions.

    It assumes that the seat to move makes no mistake later on, and that all others play against it.
    """

    _known: dict[Hashable, _Prospect] = field(default_factory=dict)

    def best(self) -> tuple[Token, float] | None:
        """Return the lost move that random replies forgive most often, with the share of points they leave it.

        None if no move loses by force, or if the tree is larger than the budget.
        """
        state, seat = self.state, self.state.seat
        found: dict[Token, float] = {}
        try:
            for token in state.tokens():
                prospect = self._after(token, seat)
                if prospect.lost:
                    found[token] = prospect.score
        except BudgetSpent:
            return None
        token = max(found, key=found.__getitem__, default=None)
        return None if token is None else (token, found[token])

    def _after(self, token: Token, seat: int) -> _Prospect:
        self.state.make(token)
        try:
            return self._prospect(seat)
        finally:
            self.state.unmake()

    def _prospect(self, seat: int) -> _Prospect:
        """Return the prospect of ``seat`` in the present position."""
        state = self.state
        winners = state.winners()
        if winners is not None:
            return _Prospect(seat not in winners, (seat in winners) / len(winners))
        key = state.key()
        if key not in self._known:
            self.count()
            after = [self._after(token, seat) for token in state.tokens()]
            if state.seat == seat:
                self._known[key] = min(after, key=lambda prospect: (prospect.lost, -prospect.score))
            else:
                lost = any(prospect.lost for prospect in after)
                self._known[key] = _Prospect(lost, fmean(prospect.score for prospect in after))
        return self._known[key]
