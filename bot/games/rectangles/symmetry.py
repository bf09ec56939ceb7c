"""Which positions of Rectangles of Distinction are alike: those that turning or mirroring the board makes the same.

Who drew what does not matter, nor whose turn it is: everybody may draw everything that is left.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

from bot.games.rectangles.rules import RectanglesPosition


@cache
def _ways(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each way to turn the board: by dot, rank by rank, the bit of the one it comes to lie on."""
    dots = [(file, rank) for rank in range(size) for file in range(size)]
    found = []
    for _ in range(4):
        for _ in range(2):
            dots = [(size - 1 - file, rank) for file, rank in dots]
            found.append(tuple(1 << rank * size + file for file, rank in dots))
        dots = [(size - 1 - rank, file) for file, rank in dots]
    return tuple(found)


def likeness(position: RectanglesPosition) -> Hashable:
    """Return what is the same for all positions that are alike."""
    count = position.dots * position.dots
    corners = [dot for dot in range(count) if position.taken >> dot & 1]
    arranged = min(sum(way[dot] for dot in corners) for way in _ways(position.dots))
    playing = position.players - len(position.gone)
    return position.dots, position.tilted, playing, arranged, position.taken >> count
