"""A baseline to measure the levels against: plain alpha-beta of fixed depth that counts moves and routes into the goal.

It has no budget of nodes, and no computer player uses it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from bot.games.game import Baseline, Move, Position
from bot.games.gyges.rules import RULESETS, GygesPosition, SetUp
from bot.games.gyges.rulesets import Situation
from bot.games.gyges.search import GygesState, outlook
from bot.games.gyges.set_ups import studied_set_up

_DEPTH: Final = 3
_WON: Final = 100_000
_ROUTE: Final = 50
"""What a route into the goal is worth, compared with a place that a piece can come to."""


def by_alpha_beta(position: Position, random: Random) -> Move:
    """Return the best move three plies deep, the first of equals in a random order, or a studied set-up."""
    if isinstance(position, SetUp):
        return studied_set_up(position, random)
    if not isinstance(position, GygesPosition):
        raise TypeError("this player knows Gygès only")
    search = _Search(position)
    return search.state.move(search.best(random))


CAREFUL: Final = Baseline(f"careful {_DEPTH}", by_alpha_beta, 0.45)


class _Search:
    def __init__(self, position: GygesPosition) -> None:
        self.state, self.rules = GygesState(position), RULESETS[position.ruleset]

    def best(self, random: Random) -> int:
        state = self.state
        tokens = state.tokens()
        random.shuffle(tokens)
        best, chosen = -2 * _WON, tokens[0]
        for token in tokens:
            state.make(token)
            value = -self._value(_DEPTH - 1, -2 * _WON, -best)
            state.unmake()
            if value > best:
                best, chosen = value, token
        return int(chosen)

    def _value(self, depth: int, alpha: int, beta: int) -> int:
        state = self.state
        winners = state.winners()
        if winners is not None:
            return 0 if len(winners) > 1 else (_WON + depth) * (1 if state.seat in winners else -1)
        if depth == 0:
            return self._worth()
        if state.win_in_one() is not None:
            return _WON + depth - 1
        for token in state.tokens():
            state.make(token)
            alpha = max(alpha, -self._value(depth - 1, -beta, -alpha))
            state.unmake()
            if alpha >= beta:
                break
        return alpha

    def _worth(self) -> int:
        pieces, seat = self.state.key()[:2]
        mine, theirs = (outlook(self.rules, Situation(pieces, side)) for side in (seat, 1 - seat))
        routes = (mine.entry is not None) - (theirs.entry is not None)
        return mine.places.bit_count() - theirs.places.bit_count() + _ROUTE * routes
