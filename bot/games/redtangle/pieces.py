"""Squares, directions and pieces of Redtangle, as text and in words. Knows no rule of movement.

Squares are numbered 0 to 63 from ``a1`` along the ranks; directions 0 to 3 are N, E, S and W, north being up the board
for both players. A board is 64 bytes: 0 for an empty square, otherwise the ``Piece.code`` of its piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final

from bot.games.symmetry import Symmetry, generated, mirrored, upside_down
from renderers.i18n import LazyList, LazyText
from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p

WHITE, BLACK = 0, 1
SEAT_NAMES = (_("White"), _("Black"))

SQUARES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
SQUARE_NUMBERS = {name: number for number, name in enumerate(SQUARES)}

DIRECTIONS = "NESW"
VECTORS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""File and rank steps of the four directions."""
AS_SEEN = (_p("direction", "up"), _p("direction", "right"), _p("direction", "down"), _p("direction", "left"))
"""The four directions as White sees them."""

SET_UP_SQUARES = (
    tuple(SQUARE_NUMBERS[name] for name in ["c1", "d1", "e1", "f1", "c2", "d2", "e2", "f2"]),
    tuple(SQUARE_NUMBERS[name] for name in ["c8", "d8", "e8", "f8", "c7", "d7", "e7", "f7"]),
)
"""Each player's red rectangle in the order in which an arrangement is written (``RULES.md``, "Set-up")."""

RECTANGLES = (frozenset(SET_UP_SQUARES[WHITE]), frozenset(SET_UP_SQUARES[BLACK]))

EQUIPMENT = (0, 1, 1, 2, 2, 2, 3, 4)
"""The kinds of each player's pieces: the number of sides in the owner's colour (``RULES.md``, "Pieces")."""

EMPTY_BOARD = bytes(64)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it lies: its owner, how many sides show the owner's colour, and the first of them, clockwise.

    ``first`` is a direction, or None for the pieces that look the same from every side (kinds 0 and 4).
    """

    owner: int
    kind: int
    first: int | None

    @property
    def code(self) -> int:
        """The byte that stands for this piece on a board: 1 to 14 for White, 15 to 28 for Black."""
        return _CODES[self]

    @property
    def text(self) -> str:
        """The piece as it is written: ``2E`` shows its owner's colour E and S."""
        return str(self.kind) if self.first is None else f"{self.kind}{DIRECTIONS[self.first]}"

    @property
    def own_sides(self) -> frozenset[int]:
        """The directions in which the piece shows its owner's colour."""
        return frozenset(((self.first or 0) + turn) % 4 for turn in range(self.kind))

    def colour_of_side(self, direction: int) -> int:
        """Return the colour (WHITE or BLACK) of the side that looks in ``direction``."""
        return self.owner if direction in self.own_sides else 1 - self.owner

    def turned(self, first: int) -> Piece:
        """Return this piece with its first own side in direction ``first``; only for pieces that have one."""
        return Piece(self.owner, self.kind, first)

    @property
    def rotations(self) -> tuple[Piece, ...]:
        """The piece in every rotation that looks different, N E S W."""
        return _ways_to_lie(self.owner, self.kind)


def _ways_to_lie(owner: int, kind: int) -> tuple[Piece, ...]:
    if kind in (0, 4):
        return (Piece(owner, kind, None),)
    return tuple(Piece(owner, kind, first) for first in range(4))


PIECES: tuple[Piece, ...] = tuple(
    piece for owner in (WHITE, BLACK) for kind in range(5) for piece in _ways_to_lie(owner, kind)
)
"""Every piece in every rotation; the one with code ``c`` is ``PIECES[c - 1]``."""

_CODES = {piece: number for number, piece in enumerate(PIECES, start=1)}
PIECE_TEXTS = {(piece.owner, piece.text): piece for piece in PIECES}
FIRST_BLACK_CODE = len(PIECES) // 2 + 1


def _reflected(piece: Piece, owner: int, turn: int) -> Piece:
    """Return the image of a piece in a mirror that makes direction ``d`` ``turn - d``: 0 across, 2 up and down.

    A mirror turns clockwise round, so the last of the piece's own sides becomes the first.
    """
    if piece.first is None:
        return Piece(owner, piece.kind, None)
    last = piece.first + piece.kind - 1
    return Piece(owner, piece.kind, (turn - last) % 4)


def _codes_for(images: Iterable[Piece]) -> bytes:
    """Return the table for ``Symmetry.contents`` that gives each piece, in the order of ``PIECES``, its image."""
    return bytes([0, *(image.code for image in images)]).ljust(256, b"\0")


SYMMETRIES: Final = generated(
    Symmetry(mirrored(8, 8), _codes_for(_reflected(piece, piece.owner, 0) for piece in PIECES)),
    Symmetry(upside_down(8, 8), _codes_for(_reflected(piece, 1 - piece.owner, 2) for piece in PIECES), exchanges=True),
)
"""A mirror, and the board upside down with the colours exchanged."""


def piece_on(board: bytes, square: int) -> Piece | None:
    code = board[square]
    return PIECES[code - 1] if code else None


def squares_of(board: bytes, owner: int) -> list[int]:
    """Return the squares on which ``owner`` has pieces, in ascending order."""
    if owner == WHITE:
        return [square for square, code in enumerate(board) if 0 < code < FIRST_BLACK_CODE]
    return [square for square, code in enumerate(board) if code >= FIRST_BLACK_CODE]


def _own_directions(piece: Piece, seat: int) -> list[int]:
    """Return the directions of the owner's colour in a seat's view, clockwise. Black sees the board turned."""
    start = (piece.first or 0) + (2 if seat == BLACK else 0)
    return [(start + turn) % 4 for turn in range(piece.kind)]


def own_sides(piece: Piece, seat: int) -> LazyText:
    """Return the directions of the owner's colour in a seat's view, such as ``right and down``."""
    return LazyList(AS_SEEN[direction] for direction in _own_directions(piece, seat))


def own_sides_in_short(piece: Piece, seat: int) -> LazyText:
    """Return the same with one word for each side, such as ``right down``, or ``none`` or ``all``."""
    if piece.kind in (0, 4):
        # Translators: which sides of a piece have its owner's colour.
        return _p("sides", "all") if piece.kind else _p("sides", "none")
    words = (AS_SEEN[direction] for direction in _own_directions(piece, seat))
    # Translators: words for directions, one after the other: "up right".
    return reduce(lambda sides, side: _p("sides", "{sides} {side}", sides=sides, side=side), words)


_FACES: Final = (
    # Translators: {piece} is what a piece is called, {sides} are directions: "c2: the 2, white faces up and right".
    _("{square}: the {piece}, white faces {sides}"),
    _("{square}: the {piece}, black faces {sides}"),
)
_EVERY_SIDE: Final = (
    _("{square}: the {piece}, white on every side"),
    _("{square}: the {piece}, black on every side"),
)
"""By the owner's colour, or by the colour of every side."""


def placed_in_words(square: str, piece: Piece, seat: int) -> LazyText:
    """Return a piece on a square and the directions of its owner's colour in a seat's view.

    Such as ``c2: the 2, white faces right and down``.
    """
    if piece.kind in (0, 4):
        return _EVERY_SIDE[piece.colour_of_side(0)].filled(square=square, piece=piece.kind)
    return _FACES[piece.owner].filled(square=square, piece=piece.kind, sides=own_sides(piece, seat))


_KINDS: Final = (
    (_p("piece", "no white side"), _p("piece", "no black side")),
    (_p("piece", "one white side"), _p("piece", "one black side")),
    (_p("piece", "two white sides"), _p("piece", "two black sides")),
    (_p("piece", "three white sides"), _p("piece", "three black sides")),
    (_p("piece", "all white"), _p("piece", "all black")),
)
"""The names of pieces, by the number of sides in their owner's colour, and by the owner."""


def kind_in_words(owner: int, kind: int) -> str:
    """Return what a piece is called, however it lies, such as ``two white sides``."""
    return _KINDS[kind][owner]


_LYING: Final = (
    # Translators: how a piece comes to lie, {sides} are directions: "white faces up and right".
    _("white faces {sides}"),
    _("black faces {sides}"),
)


def lies_in_words(piece: Piece, seat: int) -> LazyText:
    """Return how a piece with two colours lies in a seat's view, such as ``white faces right and down``."""
    return _LYING[piece.owner].filled(sides=own_sides(piece, seat))
