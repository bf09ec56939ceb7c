"""The board of Gygès as numbers: places, arrangements packed into integers, masks, ranks. Knows no rule of moving."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations
from typing import Final

from bot.games.symmetry import Symmetry, generated, mirrored, upside_down
from renderers.i18n import gettext_lazy as _

SIZE: Final = 6
FILES: Final = "abcdef"
SOUTH: Final = 0
NORTH: Final = 1
SEAT_NAMES: Final = (_("South"), _("North"))
COPIES: Final = 4
"""Pieces of each value 1, 2 and 3. Both players share them."""

NAMES: Final = (*(f"{file}{rank}" for file in FILES for rank in range(1, SIZE + 1)), "N", "S")
"""The names of the places: 36 squares, file by file, then the two goals. A place is an index into it."""
PLACES: Final[Mapping[str, int]] = {name: place for place, name in enumerate(NAMES)}
SQUARES: Final = range(SIZE * SIZE)
GOALS: Final = (PLACES["N"], PLACES["S"])
"""The goal each seat aims at."""

# An arrangement is one integer with two bits for each place: 0 for an empty place, else the value of the piece.
# A mask has one bit for each place, the lower one of its two.
WIDTH: Final = 2
BITS: Final = tuple(1 << WIDTH * place for place in range(len(NAMES)))
PUT: Final = tuple(tuple(value << WIDTH * place for place in range(len(NAMES))) for value in range(4))
"""``PUT[value][place]`` is what a piece of that value on that place adds to an arrangement."""
CELLS: Final = tuple(3 << WIDTH * place for place in range(len(NAMES)))
"""``pieces & CELLS[place]`` is what the piece on that place adds to the arrangement ``pieces``."""
_EVERYWHERE: Final = sum(BITS)

RANKS: Final = tuple(tuple(rank + SIZE * file for file in range(SIZE)) for rank in range(SIZE))
"""The squares of each 0-based rank, from file a to f."""
RANK_MASKS: Final = tuple(sum(BITS[square] for square in rank) for rank in RANKS)
FROM_HOME: Final = (tuple(range(SIZE)), tuple(reversed(range(SIZE))))
"""The 0-based ranks for each seat, its home rank first."""

ARRANGEMENTS: Final = tuple(sorted({"".join(order) for order in permutations("112233")}))
"""The 90 ways to arrange a home rank: the values from file a to f."""


def value_at(pieces: int, place: int) -> int:
    """Return the value of the piece on ``place`` in the arrangement ``pieces``, or 0."""
    return pieces >> WIDTH * place & 3


def occupied(pieces: int) -> int:
    """Return the mask of the places that hold a piece."""
    return (pieces | pieces >> 1) & _EVERYWHERE


def places_in(mask: int) -> list[int]:
    """Return the places that a mask has a bit for, in ascending order."""
    places = []
    while mask:
        lowest = mask & -mask
        places.append(lowest.bit_length() // WIDTH)
        mask ^= lowest
    return places


def arrange(pieces: Iterable[tuple[int, int]]) -> int:
    """Return the arrangement that has each (place, value) of ``pieces``."""
    return sum(PUT[value][place] for place, value in pieces)


def pieces_of(pieces: int) -> list[tuple[int, int]]:
    """Return (place, value) of every piece, in the order of the places."""
    return [(place, value) for place in range(len(NAMES)) if (value := value_at(pieces, place))]


def contents(pieces: int) -> bytes:
    """Return an arrangement as one byte a place: 0 for nothing, else the value of the piece."""
    return bytes([value_at(pieces, place) for place in range(len(NAMES))])


SYMMETRIES: Final = generated(
    Symmetry((*upside_down(SIZE, SIZE), *GOALS)),
    Symmetry((*mirrored(SIZE, SIZE), GOALS[NORTH], GOALS[SOUTH]), exchanges=True),
)
"""A mirror, and the board upside down with the players exchanged. Places go file by file, so file and rank change
places in what ``symmetry`` calls them."""


def rows_of(pieces: int, seat: int) -> list[int]:
    """Return the 0-based ranks that hold a piece, the seat's border row first."""
    mask = occupied(pieces)
    return [rank for rank in FROM_HOME[seat] if mask & RANK_MASKS[rank]]


def border_row(mask: int, seat: int) -> int:
    """Return the seat's border row (*riga di bordo*): the 0-based rank nearest its home with a piece in ``mask``."""
    return next(rank for rank in FROM_HOME[seat] if mask & RANK_MASKS[rank])


@cache
def neighbours(place: int) -> tuple[int, ...]:
    """Return the places one orthogonal step from a square, goals included. A piece never moves on from a goal."""
    if place in GOALS:
        return ()
    file, rank = divmod(place, SIZE)
    around = ((file - 1, rank), (file, rank - 1), (file, rank + 1), (file + 1, rank))
    squares = [f * SIZE + r for f, r in around if f in range(SIZE) and r in range(SIZE)]
    return (*squares, *(goal for goal, last in zip(GOALS, (SIZE - 1, 0), strict=True) if rank == last))
