"""The legs a piece can make: all paths of one, two or three steps, prepared once, and what can be reached by them.

Knows the board, arrangements and no ruleset: each ruleset says what a path uses up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, reduce
from itertools import combinations, pairwise
from operator import or_
from typing import Final, NamedTuple

from bot.games.gyges.board import BITS, GOALS, NAMES, SQUARES, WIDTH, neighbours

MOST_ROUTES: Final = 16
"""With more routes than this at a time, it is faster to look ahead than to walk them all on."""

_KEPT: Final = 1 << 12
"""Entries remembered in a table, some 300 bytes each: a game that is searched move by move needs half as many."""


_KEPT_HERE: Final = 1 << 8
"""Entries remembered of each value on each square."""


class Leg(NamedTuple):
    """One path between two stops.

    ``uses`` is what the path uses up: a turn may use it only once. ``end`` is the place where the path ends and
    ``bit`` that place's mask. ``crosses`` is the mask of the squares it passes through, which must be empty, and
    ``squares`` has the places it enters, in order.
    """

    uses: int
    end: int
    bit: int
    crosses: int
    squares: tuple[int, ...]


class OpenLegs(NamedTuple):
    """The legs from one square that no piece blocks.

    ``ends`` is the mask of the places where they end, ``uses`` all that any of them uses up.
    """

    ends: int
    uses: int
    legs: tuple[Leg, ...]


class LegTable:
    """All legs of a player who aims at ``goal``; ``uses`` tells what a path (its start first) uses up."""

    def __init__(self, goal: int, uses: Callable[[tuple[int, ...]], int]) -> None:
        def leg(path: tuple[int, ...]) -> Leg:
            end = path[-1]
            return Leg(uses(path), end, BITS[end], squares_entered(path[:-1]), path[1:])

        def legs(square: int, steps: int) -> tuple[Leg, ...]:
            return tuple(sorted(map(leg, _paths((square,), steps, goal)), key=lambda leg: leg.end))

        self.legs = tuple(tuple(legs(square, steps) if steps else () for square in SQUARES) for steps in range(4))
        """By value and starting square, in the order of the names of the squares they end on."""
        self._crossed = tuple(tuple(_union(leg.crosses for leg in here) for here in row) for row in self.legs)
        self._open = lru_cache(maxsize=_KEPT)(self._unblocked)
        self._ends: tuple[tuple[dict[int, int], ...], ...] = tuple(tuple({} for _ in row) for row in self.legs)
        """By value and square: where the legs that are open end, by what stands in their way."""

    def open_legs(self, value: int, square: int, occupied: int) -> OpenLegs:
        return self._open(value, square, occupied & self._crossed[value][square])

    def reach(self, pieces: int, begun: int, landing: int, blockers: int, enough: int = 0) -> int:
        """Return the mask of the places that routes from the pieces ``begun`` could come to if they used nothing up.

        They go on from the pieces ``landing``. Only the ``blockers`` are in the way of their legs. If a place of the
        mask ``enough`` is found, the others are not looked for.
        """
        ends, waiting, unseen = 0, begun, landing & ~begun
        while waiting:
            bit = waiting & -waiting
            square = bit.bit_length() // WIDTH
            value = pieces >> WIDTH * square & 3
            ends_by_blockers = self._ends[value][square]
            in_the_way = blockers & self._crossed[value][square]
            there = ends_by_blockers.get(in_the_way)
            if there is None:
                if len(ends_by_blockers) >= _KEPT_HERE:
                    ends_by_blockers.clear()
                there = ends_by_blockers[in_the_way] = self._unblocked(value, square, in_the_way).ends
            ends |= there
            if there & enough:
                break
            there &= unseen
            unseen ^= there
            waiting ^= bit | there
        return ends

    def _unblocked(self, value: int, square: int, blockers: int) -> OpenLegs:
        legs = tuple(leg for leg in self.legs[value][square] if not leg.crosses & blockers)
        return OpenLegs(_union(leg.bit for leg in legs), _union(leg.uses for leg in legs), legs)


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


_CONNECTIONS: Final = {
    frozenset(pair): 1 << number
    for number, pair in enumerate(pair for pair in combinations(range(len(NAMES)), 2) if pair[1] in neighbours(pair[0]))
}


def squares_entered(path: tuple[int, ...]) -> int:
    """Return the mask of the places that a path (its start first) enters."""
    return sum(BITS[place] for place in path[1:])


def connections_used(path: tuple[int, ...]) -> int:
    """Return a mask of the connections between neighbouring places that a path uses, in either direction."""
    return sum(_CONNECTIONS[frozenset(pair)] for pair in pairwise(path))


def _paths(begun: tuple[int, ...], steps: int, goal: int) -> Iterator[tuple[int, ...]]:
    """Yield every path that goes on from ``begun``. Three steps are too few to come back on a square grid."""
    if steps == 0:
        yield begun
        return
    for place in neighbours(begun[-1]):
        if place not in begun and (place not in GOALS or (place == goal and steps == 1)):
            yield from _paths((*begun, place), steps - 1, goal)


Reach = tuple[int, int]
"""The masks of the places where the legs that could follow end, and of what these legs use up."""


class Reachability:
    """The legs of one turn, and an upper bound on what a route could still reach.

    ``pieces`` is the arrangement the turn begins with, ``blockers`` the mask of the pieces in the way. A position can
    have tens of thousands of routes: the bound tells which of them need not be walked on.
    """

    def __init__(self, table: LegTable, pieces: int, blockers: int) -> None:
        self._table, self._pieces, self.blockers = table, pieces, blockers
        self._legs: dict[int, OpenLegs] = {}
        self._reach: dict[tuple[int, int], Reach] = {}
        self._one_leg: dict[int, Reach] = {}

    def legs_from(self, square: int) -> OpenLegs:
        """Return the open legs from a square that held a piece when the turn began."""
        legs = self._legs.get(square)
        if legs is None:
            legs = self._table.open_legs(self._pieces >> WIDTH * square & 3, square, self.blockers)
            self._legs[square] = legs
        return legs

    def reach(self, square: int, passed: int) -> Reach:
        """Return what a route on ``square`` could reach without the pieces ``passed`` if legs used nothing up."""
        reach = self._reach.get((square, passed))
        if reach is None:
            one_leg, ends, uses = self._one_leg, 0, 0
            waiting = BITS[square]
            unseen = self.blockers & ~(passed | waiting)
            while waiting:
                bit = waiting & -waiting
                there, used = one_leg.get(bit) or self._reach_in_one(bit)
                ends |= there
                uses |= used
                there &= unseen
                unseen ^= there
                waiting ^= bit | there
            reach = self._reach[square, passed] = ends, uses
        return reach

    def _reach_in_one(self, bit: int) -> Reach:
        """Return, and remember, where the legs from the place of ``bit`` end and what they use up."""
        legs = self.legs_from(bit.bit_length() // WIDTH)
        reach = self._one_leg[bit] = legs.ends, legs.uses
        return reach
