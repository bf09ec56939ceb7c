"""Canonical forms: one value for all positions that the symmetries of a board turn into each other. Knows no game.

A board is given as bytes, one a square, rank by rank from the lowest; each game decides what a byte means.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

_SAME: Final = bytes(range(256))


class Symmetry(NamedTuple):
    """A way to map a board onto itself.

    ``origins`` has for each square of the image the square that its content comes from. ``contents`` has for each byte
    what it becomes (a table for ``bytes.translate``). ``exchanges`` says that the two seats change places.
    """

    origins: tuple[int, ...]
    contents: bytes = _SAME
    exchanges: bool = False

    def image(self, board: bytes) -> bytes:
        """Return ``board`` as this symmetry shows it."""
        return bytes([board[square] for square in self.origins]).translate(self.contents)

    def then(self, other: Symmetry) -> Symmetry:
        """Return the symmetry that applies this one first and ``other`` to its image."""
        return Symmetry(
            tuple([self.origins[square] for square in other.origins]),
            self.contents.translate(other.contents),
            self.exchanges != other.exchanges,
        )


def origins(files: int, ranks: int, origin: Callable[[int, int], tuple[int, int]]) -> tuple[int, ...]:
    """Return for each square of an image the square it comes from; ``origin`` maps (file, rank), counted from 0."""
    places = (origin(file, rank) for rank in range(ranks) for file in range(files))
    return tuple(rank * files + file for file, rank in places)


def mirrored(files: int, ranks: int) -> tuple[int, ...]:
    """Return the origins of the image that exchanges left and right."""
    return origins(files, ranks, lambda file, rank: (files - 1 - file, rank))


def upside_down(files: int, ranks: int) -> tuple[int, ...]:
    """Return the origins of the image that exchanges top and bottom."""
    return origins(files, ranks, lambda file, rank: (file, ranks - 1 - rank))


@cache
def square_symmetries(size: int) -> tuple[Symmetry, ...]:
    """Return the eight symmetries of a square board on which every direction and side means the same."""
    quarter_turn = origins(size, size, lambda file, rank: (rank, size - 1 - file))
    return generated(Symmetry(mirrored(size, size)), Symmetry(quarter_turn))


def generated(*generators: Symmetry) -> tuple[Symmetry, ...]:
    """Return every symmetry that combinations of ``generators`` give, the one that changes nothing included."""
    symmetries = [Symmetry(tuple(range(len(generators[0].origins))))]
    for symmetry in symmetries:  # The list grows while it is read.
        symmetries += [new for generator in generators if (new := symmetry.then(generator)) not in symmetries]
    return tuple(symmetries)


def canonical_form(board: bytes, side: int, symmetries: tuple[Symmetry, ...]) -> tuple[bytes, int]:
    """Return the least image of a board, with the seat to move in it. All images of one board share it."""
    return min((symmetry.image(board), side ^ symmetry.exchanges) for symmetry in symmetries)
