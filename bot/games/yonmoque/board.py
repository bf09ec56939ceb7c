"""The board of Yonmoque as tables of bits: colours of squares, ways to move, lines to flip and to complete.

Knows nothing of turns, hands or results. A square is a number from 0 (``a1``) to 24 (``e5``), rank by rank; a set of
squares is an integer with one bit a square. Seat 0 is blue, seat 1 is white.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.games.symmetry import square_symmetries

SIZE: Final = 5
BLUE: Final = 0
WHITE: Final = 1
NEUTRAL: Final = 2

SQUARES: Final = range(SIZE * SIZE)
NAMES: Final = tuple("abcde"[square % SIZE] + str(square // SIZE + 1) for square in SQUARES)
NUMBERS: Final = {name: square for square, name in enumerate(NAMES)}

# ``RULES.md``, "Board", from the fifth rank down.
_PICTURE: Final = ("NWBWN", "WBWBW", "BWNWB", "WBWBW", "NWBWN")
COLOURS: Final = tuple("BWN".index(letter) for rank in reversed(_PICTURE) for letter in rank)
"""By square: ``BLUE``, ``WHITE`` or ``NEUTRAL``."""

_STRAIGHT: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Turn:
    """A put (without ``origin``) on ``target``, or a move from ``origin`` to ``target``."""

    origin: int | None
    target: int

    def __str__(self) -> str:
        return NAMES[self.target] if self.origin is None else f"{NAMES[self.origin]}-{NAMES[self.target]}"


def ray(square: int, direction: tuple[int, int]) -> tuple[int, ...]:
    """Return the squares from the neighbour of ``square`` to the edge in a direction (files, ranks)."""
    file, rank = square % SIZE + direction[0], square // SIZE + direction[1]
    squares = []
    while 0 <= file < SIZE and 0 <= rank < SIZE:
        squares.append(rank * SIZE + file)
        file, rank = file + direction[0], rank + direction[1]
    return tuple(squares)


def bits(squares: tuple[int, ...]) -> int:
    return sum(1 << square for square in squares)


def members(squares: int) -> tuple[int, ...]:
    """Return the squares of a set, from the lowest."""
    return tuple(square for square in SQUARES if squares >> square & 1)


def contents(pieces: tuple[int, int]) -> bytes:
    """Return the board as one byte a square: 0 for an empty square, 1 for a blue piece, 2 for a white one."""
    blue, white = pieces
    return bytes([(blue >> square & 1) + 2 * (white >> square & 1) for square in SQUARES])


def _chain(square: int, direction: tuple[int, int]) -> tuple[int, ...]:
    """Return the squares beyond ``square`` in a direction that share its colour without a break.

    A neutral square is neither colour and ends the chain (``RULES.md``, "Turn").
    """
    chain: list[int] = []
    for beyond in ray(square, direction):
        if COLOURS[beyond] != COLOURS[square]:
            break
        chain.append(beyond)
    return tuple(chain)


def _ways(seat: int, origin: int) -> tuple[tuple[int, Turn], ...]:
    """Return the moves of a seat's piece on ``origin``, each with the squares that must be empty for it."""
    ways = {ray(origin, direction)[:1] for direction in _STRAIGHT + _DIAGONAL}
    if COLOURS[origin] == seat:
        chains = [_chain(origin, direction) for direction in _DIAGONAL]
        ways |= {chain[:length] for chain in chains for length in range(1, len(chain) + 1)}
    return tuple((bits(way), Turn(origin, way[-1])) for way in sorted(ways, key=lambda way: way[-1:]) if way)


def _brackets(target: int) -> tuple[tuple[int, int], ...]:
    """Return every (run, end) round ``target``: an enemy run is flipped if an own piece stands on the end."""
    rays = [ray(target, direction) for direction in _STRAIGHT + _DIAGONAL]
    return tuple((bits(line[:length]), 1 << line[length]) for line in rays for length in range(1, len(line)))


def _lines(length: int) -> tuple[int, ...]:
    rays = [(square, *ray(square, direction)) for square in SQUARES for direction in _STRAIGHT + _DIAGONAL]
    return tuple(sorted({bits(line[:length]) for line in rays if len(line) >= length}))


PUTS: Final = tuple((1 << square, Turn(None, square)) for square in SQUARES)
"""Every put with the square that must be empty for it."""
WAYS: Final = tuple(tuple((1 << square, _ways(seat, square)) for square in SQUARES) for seat in (BLUE, WHITE))
"""By seat and square: its bit and the moves from there, each with the squares that must be empty for it."""
NEIGHBOURS: Final = tuple(
    bits(tuple(line[0] for direction in _STRAIGHT + _DIAGONAL if (line := ray(square, direction))))
    for square in SQUARES
)
BRACKETS: Final = tuple(_brackets(square) for square in SQUARES)
FOURS: Final = _lines(4)
FIVES: Final = _lines(5)
SYMMETRIES: Final = square_symmetries(SIZE)
"""The board looks the same turned and mirrored. Exchanged colours would slide over other squares."""
