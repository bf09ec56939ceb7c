"""The legs a piece can make: every path of one, two or three steps, prepared once. Knows the board and no positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from bot.games.gyges.board import BITS, GOALS, NAMES, SQUARES, neighbours

SHIFT: Final = 80
"""Bits below this one say what a turn has used up, those from it on which squares are occupied."""


class Leg(NamedTuple):
    """One path between two stops.

    ``blocks`` has a bit for everything that must not be in the way: what the leg uses up, which must not have been used
    in the turn, and, from ``SHIFT`` on, the squares it passes through, which must not be occupied. ``end`` is where it
    ends and ``bit`` that place's mask. ``uses`` is what it uses up, ``squares`` the places it enters, in order.
    """

    blocks: int
    end: int
    bit: int
    uses: int
    squares: tuple[int, ...]


LegTable = tuple[tuple[tuple[Leg, ...], ...], ...]
"""The legs by value and starting square, those that end on the first square in the order of names first."""

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


def table(goal: int, uses: Callable[[tuple[int, ...]], int]) -> LegTable:
    """Return all legs of a player who aims at ``goal``; ``uses`` tells what a path uses up, below ``SHIFT``."""

    def leg(path: tuple[int, ...]) -> Leg:
        used, end = uses(path), path[-1]
        return Leg(used | squares_entered(path[:-1]) << SHIFT, end, BITS[end], used, path[1:])

    def legs(square: int, steps: int) -> tuple[Leg, ...]:
        return tuple(sorted(map(leg, _paths((square,), steps, goal)), key=lambda found: found.end))

    return tuple(tuple(legs(square, steps) if steps else () for square in SQUARES) for steps in range(4))


def _paths(begun: tuple[int, ...], steps: int, goal: int) -> Iterator[tuple[int, ...]]:
    """Every way to go on. Three steps on a square grid are too few to come back, so no path meets itself."""
    if steps == 0:
        yield begun
        return
    for place in neighbours(begun[-1]):
        if place not in begun and (place not in GOALS or (place == goal and steps == 1)):
            yield from _paths((*begun, place), steps - 1, goal)
