"""The board of Hex: forty-nine cells, what touches what, and the sides to be joined."""

from __future__ import annotations

from typing import Final

SIZE: Final = 7
CELLS: Final = tuple(f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcdefg")
PLACES: Final = {cell: place for place, cell in enumerate(CELLS)}
_AROUND: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def _neighbours(place: int) -> tuple[int, ...]:
    rank, file = divmod(place, SIZE)
    cells = ((file + east, rank + north) for east, north in _AROUND)
    return tuple(r * SIZE + f for f, r in cells if 0 <= f < SIZE and 0 <= r < SIZE)


NEIGHBOURS: Final = tuple(map(_neighbours, range(SIZE * SIZE)))
"""The places that touch a place: two of them on the diagonal from upper left to lower right."""
MIRRORED: Final = tuple(place % SIZE * SIZE + place // SIZE for place in range(SIZE * SIZE))
"""The place on the other side of the long diagonal from a1 to g7."""
SIDES: Final = (
    (frozenset(range(SIZE)), frozenset(range(SIZE * (SIZE - 1), SIZE * SIZE))),
    (frozenset(range(0, SIZE * SIZE, SIZE)), frozenset(range(SIZE - 1, SIZE * SIZE, SIZE))),
)
"""By seat: the two sides that it joins. Red joins ranks 1 and 7, Blue joins files a and g."""


def chain(cells: str, sign: str, seat: int) -> frozenset[int]:
    """Return the stones with ``sign`` that are joined to both sides of ``seat``; none if they are not."""
    begin, end = SIDES[seat]
    found = {place for place in begin if cells[place] == sign}
    for first in sorted(found):
        group, fresh = {first}, [first]
        while fresh:
            for near in NEIGHBOURS[fresh.pop()]:
                if cells[near] == sign and near not in group:
                    group.add(near)
                    fresh.append(near)
        if group & end:
            return frozenset(group)
    return frozenset()
