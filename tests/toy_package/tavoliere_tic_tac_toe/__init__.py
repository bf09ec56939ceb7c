"""Tic-tac-toe, the smallest complete game: the example of ``docs/adding-a-game.md``, and the sixth game in the tests.

Like the games of ``bot.games``, it knows the contract and the vocabulary of scenes, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from bot.games.game import Game, IllegalMove, Move, Result, SequentialPosition, Variant, View, caption
from renderers.i18n import gettext_lazy as _
from renderers.scene import Colour, Ground, Mark, Piece, Scene, Shape, Tray

SEAT_NAMES: Final = (_("Crosses"), _("Noughts"))
COLOURS: Final = (Colour.BLUE, Colour.RED)
SIGNS: Final = "xo"
EMPTY: Final = "."
SQUARES: Final = tuple(f"{file}{rank}" for rank in "123" for file in "abc")
LINES: Final = (
    *((begin, begin + 1, begin + 2) for begin in (0, 3, 6)),
    *((begin, begin + 3, begin + 6) for begin in (0, 1, 2)),
    *((0, 4, 8), (2, 4, 6)),
)


@dataclass(frozen=True, slots=True)
class Put:
    """A sign put on an empty square."""

    square: str

    def __str__(self) -> str:
        return self.square


@dataclass(frozen=True, slots=True)
class TicTacToePosition(SequentialPosition):
    """A position of tic-tac-toe: ``cells`` holds a sign or a dot for each of ``SQUARES``."""

    cells: str = EMPTY * 9
    side: int = 0
    outcome: Result | None = None

    def legal_moves(self) -> Sequence[Put]:
        if self.outcome:
            return ()
        return [Put(square) for square, sign in zip(SQUARES, self.cells, strict=True) if sign == EMPTY]

    def parse(self, text: str) -> Put:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        square = "".join(text.casefold().split())
        if square not in SQUARES:
            raise IllegalMove(_("a move is a square, from a1 to c3"))
        if self.cells[SQUARES.index(square)] != EMPTY:
            raise IllegalMove(_("{square} is taken", square=square))
        return Put(square)

    def play(self, move: Move) -> TicTacToePosition:
        at = SQUARES.index(str(move))
        return _judged(self.cells[:at] + SIGNS[self.side] + self.cells[at + 1 :])

    def encode(self) -> str:
        """Return the ranks from the uppermost, such as ``x../.o./...``."""
        return "/".join(self.cells[begin : begin + 3] for begin in (6, 3, 0))


def _judged(cells: str) -> TicTacToePosition:
    """Return the position of these cells, with its outcome if it has one."""
    side = cells.count(SIGNS[0]) - cells.count(SIGNS[1])
    if winning(cells):
        return TicTacToePosition(cells, side, Result(frozenset({1 - side}), _("three in a row")))
    full = EMPTY not in cells
    return TicTacToePosition(cells, side, Result(frozenset({0, 1}), _("the board is full")) if full else None)


def winning(cells: str) -> set[int]:
    """Return the places of all lines of three."""
    lines = [line for line in LINES if cells[line[0]] != EMPTY and len({cells[at] for at in line}) == 1]
    return {at for line in lines for at in line}


class TicTacToe(Game):
    """A game that everybody knows; one variant, no options."""

    key: ClassVar[str] = "tic-tac-toe"
    name: ClassVar[str] = "Tic-tac-toe"
    designer: ClassVar[str] = "unknown"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", _("Standard"), range(2, 3)),)
    summary: ClassVar[str] = _("Put your sign on an empty square; three in a row win.")
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES

    def first(self, players: int, **options: Any) -> TicTacToePosition:
        return TicTacToePosition()

    def decode(self, text: str) -> TicTacToePosition:
        if not re.fullmatch(r"[xo.]{3}/[xo.]{3}/[xo.]{3}", text):
            raise ValueError("a position of tic-tac-toe is written as three ranks of three cells")
        cells = "".join(reversed(text.split("/")))
        if cells.count("x") - cells.count("o") not in (0, 1):
            raise ValueError("crosses begin, and the players take turns")
        return _judged(cells)

    def draw(self, position: TicTacToePosition, view: View[TicTacToePosition, Put]) -> Scene:
        last = [] if view.last is None else [(Mark.ENTERED, view.last.square)]
        shown = position.play(position.parse(*view.chosen)) if view.chosen else position
        return Scene(
            files=3,
            ranks=3,
            ground=Ground.TILES,
            tiles=(Colour.PLAIN,) * 9,
            pieces=tuple(
                Piece(square, Shape.DISC, COLOURS[SIGNS.index(sign)], sign.upper())
                for square, sign in zip(SQUARES, shown.cells, strict=True)
                if sign != EMPTY
            ),
            marks=(
                *last,
                *((Mark.CHOSEN, square) for square in view.chosen),
                *((Mark.TARGET, square) for square in view.targets),
                *((Mark.WINNING, SQUARES[at]) for at in sorted(winning(position.cells))),
            ),
            trays=tuple(
                Tray(seat, name, COLOURS[seat], to_move=seat == position.to_move)
                for seat, name in enumerate(SEAT_NAMES)
            ),
            coordinates=view.coordinates,
            title=self.name,
            caption=caption(
                position.result, _("{seat} to move", seat=SEAT_NAMES[position.side]), SEAT_NAMES, view.last
            ),
            words=tuple(self.pieces_in_words(shown)),
        )

    def pieces_in_words(self, position: TicTacToePosition) -> Sequence[str]:
        signs = list(zip(SQUARES, position.cells, strict=True))
        taken = [[square for square, cell in signs if cell == sign] for sign in SIGNS]
        return [
            _("{seat}: {squares}", seat=name, squares=", ".join(on)) if on else _("{seat}: none", seat=name)
            for name, on in zip(SEAT_NAMES, taken, strict=True)
        ]


TIC_TAC_TOE: Final = TicTacToe()
