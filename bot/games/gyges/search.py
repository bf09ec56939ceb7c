"""A compact state of Gygès for computer players: arrangements as moves, and how good a position is.

It follows ``rules`` move for move and knows nothing of how it is searched.
"""

from __future__ import annotations

from typing import Final

from bot.games.game import Move
from bot.games.gyges.board import BITS, CELLS, FROM_HOME, GOALS, NAMES, NORTH, SOUTH, WIDTH, border_row
from bot.games.gyges.notation import PASSING, Turn
from bot.games.gyges.rules import LONGEST, RULESETS, GygesPosition, reached, turn_of
from bot.games.gyges.rulesets import Situation, starts
from bot.games.gyges.threats import Outlook, outlook
from bot.games.search import LIMIT, SearchState, Token

_DRAW: Final = frozenset({SOUTH, NORTH})
_WINS: Final = (frozenset({SOUTH}), frozenset({NORTH}))

_START: Final = WIDTH * len(NAMES)
"""A token is the arrangement after the move and, from this bit on, the square the move starts from."""
_ARRANGEMENT: Final = (1 << _START) - 1
_PASS: Final = -1

# What things are worth, in rating points: chosen by hand. How strong play is with them the ladder measures
# (``python -m bot.opponents ladder``).
_TO_WIN: Final = LIMIT - 1
"""A goal in reach of the seat to move. It is a win, but to prove it is the search's business."""
_THREAT: Final = 150
_PLACE: Final = 8
_RANK: Final = 10


class GygesState(SearchState):
    """A position of Gygès in place."""

    cost = 4.0

    def __init__(self, position: GygesPosition) -> None:
        self.seat = position.side
        self._rules = RULESETS[position.ruleset]
        self._at = position.situation
        self._passes = position.passes
        self._winners = None if position.outcome is None else position.outcome.winners
        self._earlier: dict[int, int] = {}
        for packed in position.earlier:
            self._earlier[packed] = self._earlier.get(packed, 0) + 1
        self._plies = len(position.earlier)
        self._undo: list[tuple[Situation, int]] = []
        self._known: Outlook | None = None

    def tokens(self) -> list[Token]:
        if self._winners is not None:
            return []
        at, rules, goal = self._at, self._rules, CELLS[GOALS[self.seat]]
        for row in rules.rows(at):
            found: list[Token] = []
            for start in starts(at, row):
                origin = start << _START
                found += [origin | after for after in rules.arrangements(at, start)]
            if found:
                wins = [token for token in found if token & goal]
                return wins + [token for token in found if not token & goal] if wins else found
        return [_PASS]

    def make(self, token: Token) -> None:
        at, seat = self._at, self.seat
        now = reached(at.pieces, seat)
        self._undo.append((at, self._passes))
        self._earlier[now] = self._earlier.get(now, 0) + 1
        self._plies += 1
        if token == _PASS:
            after = at.pieces
            self._passes += 1
        else:
            after = token & _ARRANGEMENT
            self._passes = 0
        self.seat = 1 - seat
        self._at = Situation(after, self.seat, at.pieces)
        self._known = None
        self._winners = self._judge(after, seat)

    def _judge(self, after: int, mover: int) -> frozenset[int] | None:
        if self._at.occupied & BITS[GOALS[mover]]:
            return _WINS[mover]
        if self._passes >= 2 or self._earlier.get(reached(after, self.seat), 0) >= 2 or self._plies >= LONGEST:
            return _DRAW
        return None

    def unmake(self) -> None:
        self._at, self._passes = self._undo.pop()
        self.seat = self._at.seat
        self._known = None
        self._winners = None
        self._plies -= 1
        self._earlier[reached(self._at.pieces, self.seat)] -= 1

    def winners(self) -> frozenset[int] | None:
        return self._winners

    def key(self) -> tuple[int, int, int | None]:
        return self._at.pieces, self.seat, self._at.barred

    def move(self, token: Token) -> Turn:
        if token == _PASS:
            return PASSING
        return self._rules.outcomes(self._at, token >> _START)[token & _ARRANGEMENT]

    def token(self, move: Move) -> Token:
        route = turn_of(move).route
        return _PASS if route is None else route.stops[0] << _START | self._rules.after(self._at.pieces, route)

    def win_in_one(self) -> Token | None:
        start = self._outlook().winning
        if start is None:
            return None
        goal = CELLS[GOALS[self.seat]]
        found = self._rules.arrangements(self._at, start)
        return start << _START | next(after for after in found if after & goal)

    def _outlook(self) -> Outlook:
        if self._known is None:
            self._known = outlook(self._rules, self._at)
        return self._known

    def forcing(self) -> list[Token]:
        """Return a move into the goal alone, if there is one."""
        win = self.win_in_one()
        return [] if win is None else [win]

    def evaluate(self) -> int:
        """Weigh how much of the board each side's border row could come to, and whether the goal is part of it."""
        at, rules = self._at, self._rules
        mine = self._outlook()
        if mine.winning is not None:
            return _TO_WIN
        other = Situation(at.pieces, 1 - self.seat)
        theirs = outlook(rules, other)
        worth = _PLACE * (mine.places.bit_count() - theirs.places.bit_count())
        worth += _RANK * (_advance(at) - _advance(other))
        return worth if theirs.winning is None else worth - _THREAT


def _advance(at: Situation) -> int:
    """Return how many ranks from home the border row is."""
    return FROM_HOME[at.seat].index(border_row(at.occupied, at.seat))
