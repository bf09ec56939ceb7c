"""Gygès for computer players: a compact state with arrangements as moves, its evaluation, and good set-ups.

The state follows ``rules`` move for move and knows nothing of how it is searched.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    places_in,
    value_at,
)
from bot.games.gyges.legs import Leg, LegTable
from bot.games.gyges.notation import PASSING, Route, Turn
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
_PLACE: Final = 3
_HELD: Final = (40, 10, 5)
"""By value: what a piece is worth that only one border row could land on. Its place counts as well."""
_TURN: Final = 20
"""What it is worth to be to move."""

_VARIETY: Final = 80
_OPENING: Final = 8
"""The opening lasts for so many plies after the set-ups."""

_REMEMBERED: Final = 8
"""Routes into the goal remembered for each seat."""
_KEPT: Final = 1 << 14
"""Outlooks remembered, some 300 bytes each: a search asks for many twice."""
_ANYWHERE: Final = (1 << WIDTH * len(NAMES)) - 1

_CONSIDERED: Final = 24
"""Set-ups drawn at random to choose from."""
_GOOD: Final = 5
"""Of these, so many are good enough to be played."""
_EXPECTED: Final = Turn("321123")
"""The set-up South expects of North."""


_LOWEST: Final = {
    "fogliaccio": (
        Level(300, depth=1, margin=370, notices=0.15, takes_wins=0.15, prevents_losses=0.0),
        Level(300, depth=1, margin=280, notices=0.24, takes_wins=0.25, prevents_losses=0.05),
        Level(300, depth=1, margin=330, notices=0.25, takes_wins=0.2),
        Level(300, depth=1, margin=230, notices=0.4, takes_wins=0.5),
    ),
    "classic": (
        Level(300, depth=1, margin=500, notices=0.10, takes_wins=0.12, prevents_losses=0.0),
        Level(300, depth=1, margin=370, notices=0.16, takes_wins=0.18, prevents_losses=0.1),
        Level(300, depth=1, margin=290, notices=0.20, takes_wins=0.22),
        Level(300, depth=1, margin=200, notices=0.4, takes_wins=0.55),
    ),
}
"""The lowest levels by ruleset: the longer moves of the classic rules hide more from a beginner."""
_HIGHER: Final = (
    Level(450, depth=1, margin=50, notices=0.76, takes_wins=0.92),
    Level(1_320, depth=2, margin=33, notices=0.9),
    Level(6_300, margin=12),
    Level(23_000, margin=6),
    Level(90_000, margin=3),
    Level(300_000, margin=3, knows_proofs=True),
)


class Entry(NamedTuple):
    """A route of a seat's border row into the goal: its ``stops``, and where it is open.

    It is open in every arrangement that holds ``pieces`` in the cells of ``mask``.
    """

    mask: int
    pieces: int
    stops: tuple[int, ...]


class Outlook(NamedTuple):
    """What the pieces of a row could do: the mask of the ``places`` in reach if moving used nothing up, and a route
    into the goal. The places may be left out where there is a route."""

    places: int
    entry: Entry | None


class GygesState(EvaluatedState):
    """A position of Gygès in place."""

    cost = 3.0
    wins_first = True
    many_moves = True

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
        if self._plies < _OPENING:
            self.variety = _VARIETY
        self._undo: list[tuple[Situation, int]] = []
        self._entries: tuple[list[Entry], list[Entry]] = ([], [])
        self._outlooks: dict[tuple[int, int, int | None], Outlook] = {}
        """Those without a route into the goal, by arrangement, seat and barred arrangement."""

    def tokens(self) -> list[Token]:
        if self._winners is not None:
            return []
        at, rules, goal = self._at, self._rules, CELLS[GOALS[self.seat]]
        for row in rules.rows(at):
            tokens: list[Token] = []
            for start in starts(at, row):
                origin = start << _START
                tokens += [origin | after for after in rules.arrangements(at, start)]
            if tokens:
                wins = [token for token in tokens if token & goal]
                return wins + [token for token in tokens if not token & goal] if wins else tokens
        return [_PASS]

    def answers(self) -> list[Token]:
        threat, tokens = self._outlook(Situation(self._at.pieces, 1 - self.seat)).entry, self.tokens()
        if threat is None or self._plies + 1 >= LONGEST:
            return tokens
        mask, unchanged, earlier, other = threat.mask, threat.pieces, self._earlier, 1 - self.seat
        return [
            token
            for token in tokens
            if token & mask != unchanged or earlier.get(reached(token & _ARRANGEMENT, other), 0) > 1
        ]

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
        if self._at.occupied & BITS[GOALS[seat]]:
            self._winners = _WINS[seat]
        elif self._passes >= 2 or self._earlier.get(reached(after, self.seat), 0) >= 2 or self._plies >= LONGEST:
            self._winners = _DRAW
        else:
            self._winners = None

    def unmake(self) -> None:
        self._at, self._passes = self._undo.pop()
        self.seat = self._at.seat
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
        if self._winners is not None:
            return None
        entry = self._outlook(self._at).entry
        if entry is None:
            return None
        return entry.stops[0] << _START | self._rules.after(self._at.pieces, Route(entry.stops))

    def likenesses(self, tokens: Sequence[Token]) -> list[int]:
        """Return for each move the square it starts from and the cells it changes."""
        pieces = self._at.pieces
        return [token ^ pieces for token in tokens]

    def obvious(self, token: Token) -> int:
        """Return how many ranks from home the square is on which a piece comes to stand."""
        if token == _PASS:
            return 0
        filled = occupied(token & _ARRANGEMENT) & ~self._at.occupied
        return max((far for far, rank in enumerate(FROM_HOME[self.seat]) if filled & RANK_MASKS[rank]), default=0)

    def retraces(self, token: Token) -> bool:
        """Tell whether a move leads to an earlier arrangement, or takes back what the seat's last move has changed.

        The pieces are shared, so the arrangement is rarely the same again: the other seat has moved meanwhile.
        """
        if token == _PASS:
            return False
        at, after, seen = self._at, token & _ARRANGEMENT, self._earlier
        if seen.get(reached(after, 1 - self.seat), 0):
            return True
        return at.barred is not None and seen.get(reached(at.barred ^ at.pieces ^ after, self.seat), 0) > 0

    def _outlook(self, at: Situation) -> Outlook:
        """Return the outlook for the seat of ``at``. Most routes into the goal were open a moment ago, too."""
        entries = self._entries[at.seat]
        for entry in entries:
            if at.pieces & entry.mask == entry.pieces:
                return Outlook(0, entry)
        key = at.pieces, at.seat, at.barred
        cached = self._outlooks.get(key)
        if cached is not None:
            return cached
        new = outlook(self._rules, at)
        if new.entry is not None:
            entries.insert(0, new.entry)
            del entries[_REMEMBERED:]
            return new
        if len(self._outlooks) >= _KEPT:
            self._outlooks.clear()
        self._outlooks[key] = new
        return new

    def forcing(self) -> list[Token]:
        """Return one move into the goal, or nothing if there is none."""
        win = self.win_in_one()
        return [] if win is None else [win]

    def evaluate(self) -> int:
        """Weigh what each border row alone could reach, pieces above all."""
        at = self._at
        outlook = self._outlook(at)
        if outlook.entry is not None:
            return _TO_WIN
        reached = places(self._rules, Situation(at.pieces, 1 - self.seat))
        mine, theirs = outlook.places & ~reached, reached & ~outlook.places
        worth = _TURN + _PLACE * (mine.bit_count() - theirs.bit_count())
        odd, even = at.pieces & at.occupied, at.pieces >> 1 & at.occupied
        for weight, held in zip(_HELD, (odd & ~even, even & ~odd, odd & even), strict=True):
            worth += weight * ((mine & held).bit_count() - (theirs & held).bit_count())
        return worth


def places(rules: Ruleset, at: Situation) -> int:
    """Return the mask of the places the pieces of the border row could come to if moving used nothing up.

    All of them are lifted, so it may have a place too many.
    """
    row = at.occupied & RANK_MASKS[border_row(at.occupied, at.seat)]
    return rules.legs[at.seat].reach(at.pieces, row, at.occupied, at.occupied & ~row)


def outlook(rules: Ruleset, at: Situation) -> Outlook:
    """Return the outlook of the first row that has a legal move. Lists no moves."""
    table, goal = rules.legs[at.seat], BITS[GOALS[at.seat]]
    nearer = ends = 0
    for row in rules.rows(at):
        begun = at.occupied & RANK_MASKS[row]
        # One piece of the row is lifted. If all were, no place would be missed, and the goal is out of reach mostly.
        ends = table.reach(at.pieces, begun, at.occupied, at.occupied & ~begun)
        if ends & goal:
            for start in places_in(begun):
                others = at.without(start)
                if table.reach(at.pieces, BITS[start], others, others, goal) & goal:
                    legs = _into_goal(goal, table, at.pieces, others, start, rules.begin(start), 0)
                    if legs:
                        return Outlook(ends, _entry_by(at, start, legs, nearer))
        if _moves_freely(table, at, row) or any(rules.arrangements(at, start) for start in places_in(begun)):
            break
        nearer |= begun
    return Outlook(ends, None)


def _entry_by(at: Situation, start: int, legs: tuple[Leg, ...], stuck: int) -> Entry:
    """Return the route from ``start`` by ``legs``, where the pieces in nearer rows are ``stuck``."""
    stops = (start, *(leg.end for leg in legs))
    mask = sum(CELLS[stop] for stop in stops[:-1])
    for leg in legs:
        mask |= 3 * (leg.crosses & ~BITS[start])
    for rank in FROM_HOME[at.seat]:
        if RANK_MASKS[rank] & BITS[start]:
            break
        mask |= 3 * RANK_MASKS[rank]
    return Entry(_ANYWHERE if stuck else mask, at.pieces if stuck else at.pieces & mask, stops)


def _moves_freely(table: LegTable, at: Situation, row: int) -> bool:
    """Tell whether a piece of the row could go to two free squares by one leg: only one of them can be barred."""
    for start in starts(at, row):
        ends = table.open_legs(value_at(at.pieces, start), start, at.without(start)).ends & ~at.occupied
        if ends & (ends - 1):
            return True
    return False


def _into_goal(
    goal: int, table: LegTable, pieces: int, others: int, square: int, used: int, passed: int
) -> tuple[Leg, ...]:
    """Return the legs of a route from ``square`` into the goal, with this used up before; none if there is none.

    A route that comes back to a piece it has ``passed`` could have gone on from there at once.
    """
    open_legs = table.open_legs(value_at(pieces, square), square, others)
    if open_legs.ends & goal:
        for leg in open_legs.legs:
            if leg.bit & goal and not leg.uses & used:
                return (leg,)
    passed |= BITS[square]
    landing = others & ~passed
    for leg in open_legs.legs:
        if leg.bit & landing and not leg.uses & used and table.reach(pieces, leg.bit, landing, others, goal) & goal:
            onward = _into_goal(goal, table, pieces, others, leg.end, used | leg.uses, passed)
            if onward:
                return leg, *onward
    return ()


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
