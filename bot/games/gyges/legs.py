"""The legs a piece can make: every path of one, two or three steps, prepared once. Knows the board and no positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, reduce
from itertools import combinations, pairwise
from operator import or_
from typing import Final, NamedTuple

from bot.games.gyges.board import BITS, GOALS, NAMES, SQUARES, neighbours

_FANS_KEPT: Final = 1 << 12
"""Fans remembered in a table, some 300 bytes each: a game that is searched move by move comes to half as many."""


class Leg(NamedTuple):
    """One path between two stops.

    ``uses`` is what it uses up, which must not have been used in the turn. ``end`` is where it ends and ``bit`` that
    place's mask. ``crosses`` is the mask of the squares it passes through, which must be empty, and ``squares`` has the
    places it enters, in order.
    """

    uses: int
    end: int
    bit: int
    crosses: int
    squares: tuple[int, ...]


class Fan(NamedTuple):
    """The legs from one square on which nothing stands in the way.

    ``ends`` is the mask of the places where they end, ``uses`` all that one or another of them uses up.
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
            return tuple(sorted(map(leg, _paths((square,), steps, goal)), key=lambda found: found.end))

        self.legs = tuple(tuple(legs(square, steps) if steps else () for square in SQUARES) for steps in range(4))
        """By value and starting square, those that end on the first square in the order of names first."""
        self._crossed = tuple(tuple(_union(leg.crosses for leg in found) for found in row) for row in self.legs)
        self._fan = lru_cache(maxsize=_FANS_KEPT)(self._unobstructed)

    def fan(self, value: int, square: int, occupied: int) -> Fan:
        """Return the legs of a piece of ``value`` from ``square`` with these squares occupied."""
        return self._fan(value, square, occupied & self._crossed[value][square])

    def _unobstructed(self, value: int, square: int, obstacles: int) -> Fan:
        legs = tuple(leg for leg in self.legs[value][square] if not leg.crosses & obstacles)
        return Fan(_union(leg.bit for leg in legs), _union(leg.uses for leg in legs), legs)


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
    """Every way to go on. Three steps on a square grid are too few to come back, so no path meets itself."""
    if steps == 0:
        yield begun
        return
    for place in neighbours(begun[-1]):
        if place not in begun and (place not in GOALS or (place == goal and steps == 1)):
            yield from _paths((*begun, place), steps - 1, goal)
