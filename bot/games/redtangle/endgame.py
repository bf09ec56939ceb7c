"""The solution of the ending of one piece against one: which seat can force a win, if any.

A seat wins by entering the opponent's rectangle or by taking the last piece; repetition and ply limits are left out
(``RULES.md``, "Draw"). Knows no position with more pieces.

Each pair of kinds has one ``Table``, solved on first use and kept. States are bits of big integers: bit
``64 * white_square + black_square`` of a set stands for White's and Black's piece on those squares, with one set for
every pair of rotations and side to move. A step is a shift of a whole set, so a table takes milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.games.cancellation import check_cancelled
from bot.games.redtangle.generation import can_be_jumped
from bot.games.redtangle.moves import RAYS, neighbours
from bot.games.redtangle.pieces import BLACK, PIECES, RECTANGLES, WHITE, Piece

States = int
"""A set of pairs of squares, one bit each."""

_ALL_SQUARES = (1 << 64) - 1
_STRIDE = (64, 1)
"""The distance in bits from one square to the next, for White's piece and for Black's."""


Sets = tuple[tuple[tuple[States, ...], ...], ...]
"""By seat to move, White's rotation and Black's, both counted from 0 as in ``Piece.rotations``."""


@dataclass(frozen=True, slots=True)
class Round:
    """The states known after a round of the analysis to be ``won`` or ``lost`` for the seat to move."""

    won: Sets
    lost: Sets


@dataclass(frozen=True, slots=True)
class Table:
    """The solution for one pair of kinds, round by round. States in neither set of the last round are draws."""

    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The seat that can force a win, and the round of the analysis that found it.

    A winner who always moves to a position found in an earlier round reaches the end.
    """

    winner: int
    rounds: int


def winner(white: Piece, white_square: int, black: Piece, black_square: int, mover: int) -> int | None:
    """Return the seat that can force a win when ``mover`` is to move, or None: a stalemate.

    Both pieces must stand outside the opponent's rectangle, on different squares.
    """
    outcome = verdict(white, white_square, black, black_square, mover)
    return None if outcome is None else outcome.winner


def verdict(white: Piece, white_square: int, black: Piece, black_square: int, mover: int) -> Verdict | None:
    """Return the seat that can force a win, as ``winner`` does, and its distance."""
    first, second = white.first or 0, black.first or 0
    bit = 64 * white_square + black_square
    for number, solved in enumerate(solve(white.kind, black.kind).rounds):
        if solved.won[mover][first][second] >> bit & 1:
            return Verdict(mover, number)
        if solved.lost[mover][first][second] >> bit & 1:
            return Verdict(1 - mover, number)
    return None


@cache
def solve(white_kind: int, black_kind: int) -> Table:
    """Return the table for White's and Black's last pieces of these kinds.

    Retrograde analysis begins with the immediate wins and adds states to the won and lost sets of either mover until
    nothing changes. The other states can go on for ever, or end with both pieces off the board.

    Every state of this ending has a move, so there are no passes: even in a corner one other piece leaves two of three
    neighbours free, and squares with illegal steps into a rectangle have more neighbours.
    """
    whites = next(piece for piece in PIECES if (piece.owner, piece.kind) == (WHITE, white_kind)).rotations
    blacks = next(piece for piece in PIECES if (piece.owner, piece.kind) == (BLACK, black_kind)).rotations
    sides = (_Side(WHITE, whites, blacks), _Side(BLACK, blacks, whites))
    rounds = [_round(sides)]
    changed = True
    while changed:
        check_cancelled()
        changed = sides[WHITE].extend(sides[BLACK]) | sides[BLACK].extend(sides[WHITE])
        rounds.append(_round(sides))
    return Table(tuple(rounds[:-1]))


def _round(sides: tuple[_Side, _Side]) -> Round:
    white, black = sides
    return Round(
        (white.by_colour(white.won), black.by_colour(black.won)),
        (white.by_colour(white.lost), black.by_colour(black.lost)),
    )


class _Side:
    """One seat to move: the states it has won and lost so far, by the mover's rotation and then the other's."""

    def __init__(self, seat: int, mine: tuple[Piece, ...], theirs: tuple[Piece, ...]) -> None:
        self.seat = seat
        self.rotations = range(len(mine))
        self.others = range(len(theirs))
        self.wins_at_once = [[_jumps(a, b, landing=True) | _ENTRIES[seat] for b in theirs] for a in mine]
        self.draws_at_once = [[_jumps(a, b, landing=False) for b in theirs] for a in mine]
        self.won = [list(row) for row in self.wins_at_once]
        self.lost = [[0] * len(theirs) for _ in mine]

    def extend(self, opponent: _Side) -> bool:
        """Add the states that follow from the opponent's sets; tell whether there were any."""
        before = [list(row) for row in self.won], [list(row) for row in self.lost]
        for other in self.others:
            theirs_lost = [opponent.lost[other][mine] for mine in self.rotations]
            theirs_open = [_LEGAL & ~opponent.won[other][mine] for mine in self.rotations]
            for mine, winning in enumerate(self._states_before(theirs_lost)):
                self.won[mine][other] |= winning
            for mine, escaping in enumerate(self._states_before(theirs_open)):
                safe = escaping | self.wins_at_once[mine][other] | self.draws_at_once[mine][other]
                self.lost[mine][other] = _LEGAL & ~safe
        return before != (self.won, self.lost)

    def _states_before(self, after: list[States]) -> list[States]:
        """Return, for each rotation, the states from which a step or a turn can lead into ``after``, by rotation."""
        anyhow = 0
        for states in after:
            anyhow |= states
        stepping = 0
        for shift, origins in _STEPS[self.seat]:
            stepping |= (anyhow >> shift if shift > 0 else anyhow << -shift) & origins
        before = []
        for mine in self.rotations:
            turning = 0
            for other in self.rotations:
                if other != mine:
                    turning |= after[other]
            before.append(stepping | turning)
        return before

    def by_colour(self, sets: list[list[States]]) -> tuple[tuple[States, ...], ...]:
        """Return sets by White's rotation, then Black's."""
        return tuple(map(tuple, sets if self.seat == WHITE else zip(*sets, strict=True)))


def _bits(squares: frozenset[int] | set[int]) -> int:
    return sum(1 << square for square in squares)


def _states(seat: int, mine: int, theirs: int) -> States:
    """Return the states with the piece of ``seat`` on one of the squares ``mine``, the other on one of ``theirs``."""
    white, black = (mine, theirs) if seat == WHITE else (theirs, mine)
    return sum(black << 64 * square for square in range(64) if white >> square & 1)


_LEGAL = _states(WHITE, _ALL_SQUARES & ~_bits(RECTANGLES[BLACK]), _ALL_SQUARES & ~_bits(RECTANGLES[WHITE]))
_LEGAL &= ~sum(1 << 65 * square for square in range(64))
"""The states of a game that goes on: two squares, and neither piece in the opponent's rectangle."""


def _steps(seat: int) -> tuple[tuple[int, States], ...]:
    origins: dict[int, set[int]] = {}
    for square in range(64):
        for target in neighbours(square):
            origins.setdefault(target - square, set()).add(square)
    return tuple(
        (distance * _STRIDE[seat], _LEGAL & _states(seat, _bits(squares), _ALL_SQUARES))
        for distance, squares in origins.items()
    )


_STEPS = (_steps(WHITE), _steps(BLACK))
"""By seat: the eight steps, each as a shift of a state's bit and the states in which the step stays on the board.

Steps into the rectangle are not among them, because they end the game: see ``_ENTRIES``.
"""


def _entries(seat: int) -> States:
    states = 0
    for square in range(64):
        for ray in RAYS[square]:
            if ray and ray[0] in RECTANGLES[1 - seat]:
                states |= _states(seat, 1 << square, _ALL_SQUARES & ~(1 << ray[0]))
    return states & _LEGAL


_ENTRIES = (_entries(WHITE), _entries(BLACK))
"""By seat: the states in which it can enter the opponent's rectangle by a straight step."""


def _jumps(mine: Piece, theirs: Piece, landing: bool) -> States:
    """Return the states in which ``mine`` can jump ``theirs`` and land on the board, or off it."""
    states = 0
    for direction in range(4):
        if can_be_jumped(theirs, mine, direction):
            for square in range(64):
                ray = RAYS[square][direction]
                if ray and (len(ray) > 1) == landing:
                    states |= _states(mine.owner, 1 << square, 1 << ray[0])
    return states & _LEGAL
