"""The common parts of searches: a budget of positions, and moves with their values as the result. Knows no game."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log10
from typing import Final

from bot.games.cancellation import check_cancelled, time_is_short
from bot.games.search import LIMIT, SearchState, Token

_CHECK_EVERY: Final = 256
"""Positions between two checks for cancellation."""


class BudgetSpent(Exception):
    """A search has looked at as many positions as it may."""


@dataclass(slots=True)
class Search:
    """A search from the present position of ``state`` that looks at ``nodes`` positions at most.

    One that ``hurries`` looks at fewer once time is short.
    """

    state: SearchState
    nodes: int
    hurries: bool = field(default=False, kw_only=True)
    visited: int = field(default=0, init=False)
    """The positions looked at so far."""

    def count(self) -> None:
        """Count a position. Raises ``BudgetSpent``, or ``ComputationCancelled`` if the result is no longer wanted."""
        self.visited += 1
        if self.visited > self.nodes:
            raise BudgetSpent
        if self.visited % _CHECK_EVERY == 0:
            check_cancelled()
            if self.hurries and time_is_short():
                raise BudgetSpent


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move as a search sees it.

    ``points`` is its value for the seat to move in rating points, see ``EvaluatedState.evaluate``. A value beyond
    ``LIMIT`` either way is a win or a loss, and the further beyond, the sooner. ``exact`` says that the value is
    proven. ``line`` has the moves expected, this one first. ``clear`` says that the search tells the best move from the
    others; random playouts may be too few for it.
    """

    token: Token
    points: int
    exact: bool = False
    line: tuple[Token, ...] = ()
    clear: bool = True

    @property
    def winning(self) -> float:
        """The chance to win for the seat to move, from 0 to 1; a draw counts half."""
        return chance(self.points)


def chance(points: int) -> float:
    """Return the chance to win, from 0 to 1, of a seat this many rating points ahead."""
    if abs(points) > LIMIT:
        return 1.0 if points > 0 else 0.0
    return 1 / (1 + 10 ** (-points / 400))


def points_of(winning: float) -> int:
    """Return the points for a chance to win, from -``LIMIT`` to ``LIMIT``: the inverse of ``chance``."""
    if not 0 < winning < 1:
        return LIMIT if winning > 0.5 else -LIMIT
    return max(-LIMIT, min(LIMIT, round(400 * log10(winning / (1 - winning)))))
