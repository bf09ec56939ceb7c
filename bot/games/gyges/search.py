"""Gygès for computer players: a compact state with arrangements as moves, its evaluation, and good set-ups.

The state follows ``rules`` move for move and knows nothing of how it is searched.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from bot.games.game import Move
from bot.games.gyges.board import (
    BITS,
    CELLS,
    FROM_HOME,
    GOALS,
    NAMES,
    NORTH,
    RANK_MASKS,
    SOUTH,
    WIDTH,
    border_row,
    occupied,
)
from bot.games.gyges.legs import Reachability
from bot.games.gyges.notation import PASSING, Turn
from bot.games.gyges.rules import LONGEST, RULESETS, GygesPosition, SetUp, reached, turn_of
from bot.games.gyges.rulesets import Ruleset, Situation, starts
from bot.games.search import LIMIT, EvaluatedState, Level, Token

_DRAW: Final = frozenset({SOUTH, NORTH})
_WINS: Final = (frozenset({SOUTH}), frozenset({NORTH}))

_START: Final = WIDTH * len(NAMES)
"""A token is the arrangement after the move and, from this bit on, the square the move starts from."""
_ARRANGEMENT: Final = (1 << _START) - 1
_PASS: Final = -1

# Weights of the evaluation in rating points, chosen by hand. The ladder measures how strong play is with them
# (``python -m bot.opponents ladder``).
_TO_WIN: Final = LIMIT - 1
"""A goal in reach of the seat to move. It is a win, but the search has to prove it."""
_THREAT: Final = 150
_PLACE: Final = 8
_RANK: Final = 10

_CONSIDERED: Final = 24
"""Set-ups drawn at random to choose from."""
_GOOD: Final = 5
"""Of these, so many are good enough to be played."""
_EXPECTED: Final = Turn("321123")
"""The set-up South expects of North."""


_LOWEST: Final = {
    "fogliaccio": (
        Level(400, depth=1, margin=1_100, notices=0.15, takes_wins=0.15, prevents_losses=0.0),
        Level(400, depth=1, margin=840, notices=0.24, takes_wins=0.25, prevents_losses=0.05),
        Level(400, depth=1, margin=640, notices=0.36, takes_wins=0.45),
        Level(400, depth=1, margin=420, notices=0.5, takes_wins=0.75),
    ),
    "classic": (
        Level(0, takes_wins=0.4, prevents_losses=0.2),
        Level(0, prevents_losses=0.7),
        Level(400, depth=1, margin=890, notices=0.2, takes_wins=0.2),
        Level(400, depth=1, margin=600, notices=0.4, takes_wins=0.55),
    ),
}
"""The lowest levels by ruleset: the longer moves of the classic rules hide more from a beginner."""
_HIGHER: Final = (
    Level(600, depth=1, margin=180, notices=0.7, takes_wins=0.9),
    Level(1_000, depth=2, margin=100, notices=0.9),
    Level(2_000, depth=2, margin=40),
    Level(3_000, depth=3, margin=30),
    Level(15_000, margin=20),
    Level(90_000, margin=8, knows_proofs=True),
)


class Mobility(NamedTuple):
    """The reach of the pieces of a row.

    ``places`` is the mask of the places they could come to if moving used nothing up, ``winning`` the square of a piece
    that can enter the goal, or None.
    """

    places: int
    winning: int | None


class GygesState(EvaluatedState):
    """A position of Gygès in place."""

    cost = 4.0
    wins_first = True

    def __init__(self, position: GygesPosition) -> None:
        self.seat = position.side
        self._rules = RULESETS[position.ruleset]
        self.levels = _LOWEST[position.ruleset] + _HIGHER
        self._at = position.situation
        self._passes = position.passes
        self._winners = None if position.outcome is None else position.outcome.winners
        self._earlier: dict[int, int] = {}
        for packed in position.earlier:
            self._earlier[packed] = self._earlier.get(packed, 0) + 1
        self._plies = len(position.earlier)
        self._undo: list[tuple[Situation, int]] = []
        self._known: Mobility | None = None

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
        if self._at.occupied & BITS[GOALS[seat]]:
            self._winners = _WINS[seat]
        elif self._passes >= 2 or self._earlier.get(reached(after, self.seat), 0) >= 2 or self._plies >= LONGEST:
            self._winners = _DRAW
        else:
            self._winners = None

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
        start = self._mobility().winning
        if start is None:
            return None
        goal = CELLS[GOALS[self.seat]]
        found = self._rules.arrangements(self._at, start)
        return start << _START | next(after for after in found if after & goal)

    def obvious(self, token: Token) -> int:
        """Return how many ranks from home the square is on which a piece comes to stand."""
        if token == _PASS:
            return 0
        filled = occupied(token & _ARRANGEMENT) & ~self._at.occupied
        return max((far for far, rank in enumerate(FROM_HOME[self.seat]) if filled & RANK_MASKS[rank]), default=0)

    def retraces(self, token: Token) -> bool:
        return token != _PASS and self._earlier.get(reached(token & _ARRANGEMENT, 1 - self.seat), 0) > 0

    def _mobility(self) -> Mobility:
        if self._known is None:
            self._known = mobility(self._rules, self._at)
        return self._known

    def forcing(self) -> list[Token]:
        """Return one move into the goal, or nothing if there is none."""
        win = self.win_in_one()
        return [] if win is None else [win]

    def evaluate(self) -> int:
        """Weigh how much of the board each side's border row could reach, and whether it could reach the goal."""
        at, rules = self._at, self._rules
        mine = self._mobility()
        if mine.winning is not None:
            return _TO_WIN
        other = Situation(at.pieces, 1 - self.seat)
        theirs = mobility(rules, other)
        worth = _PLACE * (mine.places.bit_count() - theirs.places.bit_count())
        worth += _RANK * (_advance(at) - _advance(other))
        return worth if theirs.winning is None else worth - _THREAT


def _advance(at: Situation) -> int:
    """Return how many ranks from home the border row is."""
    return FROM_HOME[at.seat].index(border_row(at.occupied, at.seat))


def mobility(rules: Ruleset, at: Situation) -> Mobility:
    """Return the mobility of the first row that has a legal move, up to a piece that can win. Lists no moves."""
    goal = BITS[GOALS[at.seat]]
    places = 0
    for row in rules.rows(at):
        moves = False
        places = 0
        for start in starts(at, row):
            reachability = Reachability(rules.legs[at.seat], at.pieces, at.without(start))
            ends, _ = reachability.reach(start, 0)
            places |= ends
            if ends & goal and _enters(goal, reachability, start, rules.begin(start), 0):
                return Mobility(places, start)
            # Of two free squares one leg away, only one can be barred.
            moves = moves or (reachability.legs_from(start).ends & ~at.occupied).bit_count() > 1
        if moves or any(rules.arrangements(at, start) for start in starts(at, row)):
            break
    return Mobility(places, None)


def _enters(goal: int, reachability: Reachability, square: int, used: int, passed: int) -> bool:
    """Tell whether a route that has come to ``square``, with this used up, can go on into the goal.

    A route that comes back to a piece it has ``passed`` could have gone on from there at once.
    """
    open_legs = reachability.legs_from(square)
    if open_legs.ends & goal and any(leg.bit & goal and not leg.uses & used for leg in open_legs.legs):
        return True
    passed |= BITS[square]
    return any(
        _enters(goal, reachability, end, used | uses, passed)
        for uses, end, bit, _, _ in open_legs.legs
        if bit & reachability.blockers & ~passed and not uses & used and reachability.reach(end, passed)[0] & goal
    )


def good_set_up(position: SetUp, random: Random) -> Turn:
    """Return one of the better of some set-ups drawn with ``random``, by the evaluation of the first position."""
    considered = random.sample(list(position.legal_moves()), _CONSIDERED)
    ranked = sorted(considered, key=lambda turn: _worth_to_south(position, turn), reverse=position.side == SOUTH)
    return random.choice(ranked[:_GOOD])


def _worth_to_south(position: SetUp, turn: Turn) -> int:
    after = position.play(turn)
    if isinstance(after, SetUp):
        after = after.play(_EXPECTED)
    assert isinstance(after, GygesPosition)
    return GygesState(after).evaluate()
