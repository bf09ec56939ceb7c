"""The board of Redo as tables of bits: the turns of each piece, and the squares each arrival converts.

Knows no position. A set of squares is an integer with one bit a square, rank by rank. A rank takes eight bits, of which
the board uses seven: the eighth is always empty, so a shift by one square never wraps around. Seat 0 is white and moves
up, seat 1 is red and moves down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bot.games.game import PASS
from bot.games.symmetry import Symmetry, generated, mirrored, upside_down

FILES: Final = 7
RANKS: Final = 8
STRIDE: Final = 8
"""Bits from a square to the one above it."""
WHITE: Final = 0
RED: Final = 1
SEATS: Final = (WHITE, RED)
FORWARD: Final = (1, -1)
"""By seat: the ranks a step forward goes up."""
LOWEST: Final = (0, RANKS - 1)
"""By seat: the rank, counted from 0, from which a disc may go two steps."""

COORDINATES: Final = tuple((file, rank) for rank in range(RANKS) for file in range(FILES))
_DIRECTIONS: Final = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))


def bit(file: int, rank: int) -> int:
    """Return the set of one square, its file and rank counted from 0; the empty set beyond the edge."""
    return 1 << rank * STRIDE + file if 0 <= file < FILES and 0 <= rank < RANKS else 0


SQUARES: Final = tuple(bit(*at) for at in COORDINATES)
"""Every square as a set of one, from a1, rank by rank."""
NAMES: Final = {bit(file, rank): "abcdefg"[file] + str(rank + 1) for file, rank in COORDINATES}
PLACES: Final = {name: square for square, name in NAMES.items()}
BOARD: Final = sum(SQUARES)


def members(squares: int) -> tuple[int, ...]:
    """Return the squares of a set, each as a set of one, from the lowest."""
    return tuple(square for square in SQUARES if squares & square)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of either player. ``text`` defines it; the sets of squares follow from it.

    ``origin`` and ``target`` are empty for a pass, ``jumped`` for all but a jump.
    """

    text: str
    origin: int = field(default=0, compare=False)
    target: int = field(default=0, compare=False)
    jumped: int = field(default=0, compare=False)
    promotes: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.text


def _step(origin: int, target: int) -> Turn:
    return Turn(f"{NAMES[origin]}-{NAMES[target]}", origin, target)


def _disc_ways(seat: int, file: int, rank: int) -> tuple[tuple[int, int, Turn, Turn], ...]:
    """Return (target, square between, step, promotion) for each way a disc may go from a square."""
    origin, ahead = bit(file, rank), rank + FORWARD[seat]
    ways = [(bit(file + across, ahead), 0) for across in (-1, 0, 1)]
    if rank == LOWEST[seat]:
        ways.append((bit(file, ahead + FORWARD[seat]), bit(file, ahead)))
    return tuple(
        (to, between, _step(origin, to), Turn(f"{NAMES[origin]}-{NAMES[to]}+", origin, to, promotes=True))
        for to, between in ways
        if to
    )


def _tower_ways(file: int, rank: int) -> tuple[int, tuple[tuple[int, Turn], ...], tuple[tuple[int, int, Turn], ...]]:
    origin = bit(file, rank)
    steps = [(target, _step(origin, target)) for across, up in _DIRECTIONS if (target := bit(file + across, rank + up))]
    jumps = []
    for across, up in _DIRECTIONS:
        over, target = bit(file + across, rank + up), bit(file + 2 * across, rank + 2 * up)
        if target:
            jumps.append((over, target, Turn(f"{NAMES[origin]}x{NAMES[target]}", origin, target, over)))
    return origin, tuple(steps), tuple(jumps)


def _five(seat: int, file: int, rank: int) -> int:
    ahead = rank + FORWARD[seat]
    beside = bit(file - 1, rank) | bit(file + 1, rank)
    return beside | bit(file - 1, ahead) | bit(file, ahead) | bit(file + 1, ahead)


PASSING: Final = Turn(PASS)
DISC_WAYS: Final = tuple(tuple((bit(*at), _disc_ways(seat, *at)) for at in COORDINATES) for seat in SEATS)
"""By seat: each square and the ways of a disc from there, see ``_disc_ways``."""
TOWER_WAYS: Final = tuple(_tower_ways(*at) for at in COORDINATES)
"""Each square, the steps (target, turn) and the jumps (square jumped, target, turn) of a tower from there."""
CONVERTED: Final = tuple({bit(*at): _five(seat, *at) for at in COORDINATES} for seat in SEATS)
"""By seat and square arrived at: the five squares on which enemies change colour (``RULES.md``, "Conversion")."""
FIRST_RANKS: Final = (sum(SQUARES[: 2 * FILES]), sum(SQUARES[-2 * FILES :]))
"""By seat: the squares of the fourteen discs at the beginning."""

_OTHER_COLOUR: Final = bytes.maketrans(bytes([1, 2, 3, 4]), bytes([2, 1, 4, 3]))
SYMMETRIES: Final = generated(
    Symmetry(mirrored(FILES, RANKS)),
    Symmetry(upside_down(FILES, RANKS), _OTHER_COLOUR, exchanges=True),
)
"""A mirror, and the board upside down with the colours exchanged."""


def contents(pieces: tuple[int, int], towers: int) -> bytes:
    """Return the board as one byte a square: 0 for an empty square, 1 and 2 for discs, 3 and 4 for towers, by seat."""
    white, red = pieces
    return bytes(
        [0 if not (white | red) & square else 1 + bool(red & square) + 2 * bool(towers & square) for square in SQUARES]
    )
