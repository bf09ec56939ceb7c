"""The moves of Redtangle as values with one canonical text each, and tables of steps and turns.

Knows where pieces may go on an empty board, but no position.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.game import PASS
from bot.games.redtangle.pieces import DIRECTIONS, RECTANGLES, SQUARES, VECTORS, Piece


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The set-up of one player: eight pieces in the order of ``SET_UP_SQUARES``."""

    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return ",".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Walk:
    """One step to a neighbouring square; ``first`` is the piece's new first own side if it is turned, or None."""

    origin: int
    target: int
    first: int | None = None

    def __str__(self) -> str:
        turn = "" if self.first is None else f"@{DIRECTIONS[self.first]}"
        return f"{SQUARES[self.origin]}-{SQUARES[self.target]}{turn}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotation on the spot that brings the piece's first own side to direction ``first``."""

    square: int
    first: int

    def __str__(self) -> str:
        return f"{SQUARES[self.square]}@{DIRECTIONS[self.first]}"


@dataclass(frozen=True, slots=True)
class Jump:
    """One or more jumps: the stops, the origin first, and the direction in which the piece left the board.

    ``stops`` has one square only if the first jump leads off the board at once.
    """

    stops: tuple[int, ...]
    off: int | None = None

    def __str__(self) -> str:
        names = [SQUARES[stop] for stop in self.stops]
        return "x".join(names if self.off is None else [*names, DIRECTIONS[self.off]])

    @property
    def captured(self) -> tuple[int, ...]:
        """The squares jumped over, in order: a row fills all squares between two stops, or up to the edge."""
        squares: list[int] = []
        for here, there in zip(self.stops, self.stops[1:], strict=False):
            squares += between(here, there)
        if self.off is not None:
            squares += RAYS[self.stops[-1]][self.off]
        return tuple(squares)


@dataclass(frozen=True, slots=True)
class Pass:
    """The only move of a player who has no other."""

    def __str__(self) -> str:
        return PASS


PlayMove = Walk | Turn | Jump | Pass
"""Every move once the set-ups are done."""

PASS_MOVE = Pass()


def origin_of(move: Walk | Turn | Jump) -> int:
    """Return the square of the piece that ``move`` moves."""
    match move:
        case Walk(origin):
            return origin
        case Turn(square):
            return square
        case Jump(stops):
            return stops[0]


def _ray(square: int, vector: tuple[int, int]) -> tuple[int, ...]:
    file, rank = square % 8 + vector[0], square // 8 + vector[1]
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + vector[0], rank + vector[1]
    return tuple(squares)


RAYS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(_ray(square, vector) for vector in VECTORS) for square in range(64)
)
"""By square and direction: the squares up to the edge, the nearest first."""


def between(here: int, there: int) -> tuple[int, ...]:
    """Return the squares strictly between two squares of one rank or file, from ``here`` on; none for other squares."""
    for ray in RAYS[here]:
        if there in ray:
            return ray[: ray.index(there)]
    return ()


def neighbours(square: int) -> tuple[int, ...]:
    """Return the up to eight squares around ``square``, clockwise from the north."""
    around = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
    return tuple(ray[0] for vector in around if (ray := _ray(square, vector)))


def is_diagonal(here: int, there: int) -> bool:
    """Tell whether two neighbouring squares touch only at a corner."""
    return here % 8 != there % 8 and here // 8 != there // 8


def may_step(seat: int, here: int, there: int) -> bool:
    """Tell whether a piece of ``seat`` may step between two neighbouring squares if the second is empty.

    No piece enters the opponent's rectangle diagonally (``RULES.md``, "Win").
    """
    return there not in RECTANGLES[1 - seat] or not is_diagonal(here, there)


NO_FIRST = 4
"""The index of pieces without a first own side, beside the four directions, in ``WALKS`` and ``TURNS``."""

_Walks = tuple[tuple[int, tuple[Walk, ...]], ...]


def _walks(seat: int, square: int, first: int) -> _Walks:
    turns = () if first == NO_FIRST else tuple(other for other in range(4) if other != first)
    return tuple(
        (target, (Walk(square, target), *(Walk(square, target, turn) for turn in turns)))
        for target in neighbours(square)
        if may_step(seat, square, target)
    )


WALKS: tuple[tuple[tuple[_Walks, ...], ...], ...] = tuple(
    tuple(tuple(_walks(seat, square, first) for first in range(5)) for square in range(64)) for seat in (0, 1)
)
"""By seat, square and first own side: the squares in reach, each with the moves there if it is empty."""

TURNS: tuple[tuple[tuple[Turn, ...], ...], ...] = tuple(
    tuple(
        () if first == NO_FIRST else tuple(Turn(square, other) for other in range(4) if other != first)
        for first in range(5)
    )
    for square in range(64)
)
"""By square and first own side: the rotations that change the look of the piece."""
