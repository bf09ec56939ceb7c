"""The boards of Rectangles of Distinction: every rectangle on so many dots, as tables of bits.

Knows nothing of turns or players. A dot is its file and rank, counted from 0; a set of dots is an integer with one bit
a dot, rank by rank.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from math import gcd
from typing import Final, NamedTuple

from renderers.i18n import gettext_lazy as _


class Dot(NamedTuple):
    """A dot by file and rank, counted from 0."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.file)}{self.rank + 1}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A rectangle to draw, or the claim to be stuck. ``text`` defines it on a board of given size.

    ``corners`` are the four dots counter-clockwise from the lowest (of two: the left one), none for the claim;
    ``area`` is in unit squares. ``claims`` has a bit for each corner and, above the bits of all dots, one for the area:
    no later rectangle may claim any of them.
    """

    text: str
    corners: tuple[Dot, ...] = field(default=(), compare=False)
    area: int = field(default=0, compare=False)
    claims: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return self.text

    @property
    def tilted(self) -> bool:
        """Whether the sides cross the lines of the grid."""
        return bool(self.corners) and self.corners[0].rank != self.corners[1].rank

    @property
    def in_short(self) -> str:
        """The size of a rectangle in words: "2 × 3, area 6", across before up, or "tilted, area 5"."""
        if self.tilted:
            return _("tilted, area {area}", area=self.area)
        low, high = self.corners[::2]
        return _("{across} × {up}, area {area}", across=high.file - low.file, up=high.rank - low.rank, area=self.area)


STUCK: Final = Turn("stuck")


@dataclass(frozen=True, slots=True)
class Board:
    """All rectangles on ``size`` x ``size`` dots: ``rectangles`` in a stable order, and by their set of corners.

    ``areas`` are those a rectangle can have here, in order. ``thirds`` are by two corners those that can be a third.
    """

    size: int
    tilted: bool
    dots: tuple[Dot, ...]
    names: dict[str, Dot]
    rectangles: tuple[Turn, ...]
    by_corners: dict[frozenset[Dot], Turn]
    areas: tuple[int, ...]
    thirds: dict[frozenset[Dot], frozenset[Dot]]

    def dot_bit(self, dot: Dot) -> int:
        """Return the bit of ``dot`` in what rectangles claim."""
        return 1 << dot.rank * self.size + dot.file

    def area_bit(self, area: int) -> int:
        """Return the bit of ``area`` in what rectangles claim."""
        return 1 << self.size * self.size + area

    def free(self, taken: int) -> list[Dot]:
        """Return the dots that are no corner yet, rank by rank; ``taken`` has all claims."""
        return [dot for dot in self.dots if not taken & self.dot_bit(dot)]


@cache
def board(size: int, tilted: bool) -> Board:
    """Return the board of ``size`` x ``size`` dots, with rectangles that cross the grid if ``tilted``."""
    dots = tuple(Dot(file, rank) for rank in range(size) for file in range(size))
    shapes: list[tuple[Dot, ...]] = [
        (low, Dot(file, low.rank), Dot(file, rank), Dot(low.file, rank))
        for low in dots
        for file in range(low.file + 1, size)
        for rank in range(low.rank + 1, size)
    ]
    if tilted:
        shapes += [corners for dot in dots for corners in _tilted(dot, size)]
    rectangles = tuple(_turn(corners, size) for corners in shapes)
    by_corners = {frozenset(turn.corners): turn for turn in rectangles}
    areas = tuple(sorted({turn.area for turn in rectangles}))
    thirds: defaultdict[frozenset[Dot], frozenset[Dot]] = defaultdict(frozenset)
    for corners in by_corners:
        for pair in map(frozenset, combinations(corners, 2)):
            thirds[pair] |= corners - pair
    return Board(size, tilted, dots, {f"{dot}": dot for dot in dots}, rectangles, by_corners, areas, dict(thirds))


def _tilted(low: Dot, size: int) -> list[tuple[Dot, ...]]:
    """Return the corners of the tilted rectangles whose lowest corner is ``low``.

    There is only one lowest corner. Two level corners would end a side along the grid, or be opposite, with a lower
    corner between them.
    """
    shapes: list[tuple[Dot, ...]] = []
    for right, up, length in product(range(1, size), repeat=3):
        # A side (right, up), then another of ``length`` of the least whole steps square to it.
        least = gcd(right, up)
        across, along = -up // least * length, right // least * length
        second, last = Dot(low.file + right, low.rank + up), Dot(low.file + across, low.rank + along)
        shape = (low, second, Dot(second.file + across, second.rank + along), last)
        if all(0 <= dot.file < size and dot.rank < size for dot in shape):
            shapes.append(shape)
    return shapes


def _turn(corners: tuple[Dot, ...], size: int) -> Turn:
    low, second, opposite, last = corners
    # The area is the cross product of two sides, so it is whole whatever the tilt.
    area = (second.file - low.file) * (last.rank - low.rank) - (second.rank - low.rank) * (last.file - low.file)
    claims = sum(1 << dot.rank * size + dot.file for dot in corners) | 1 << size * size + area
    named = (low, opposite) if low.rank == second.rank else (low, second, opposite)
    return Turn("-".join(map(str, named)), corners, area, claims)
