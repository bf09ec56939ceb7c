"""Hex on seven by seven cells, with the swap rule."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from bot.games.game import Game, IllegalMove, Move, Position, Result, SequentialPosition, Step, Variant, View, caption
from renderers.i18n import gettext_lazy as _
from renderers.scene import Colour, EdgeMark, Ground, Mark, Piece, Scene, Shape, Side, Tray
from tavoliere_hex.board import CELLS, MIRRORED, PLACES, SIZE, chain
from tavoliere_hex.search import HexState

SEAT_NAMES: Final = (_("Red"), _("Blue"))
COLOURS: Final = (Colour.RED, Colour.BLUE)
SIGNS: Final = "rb"
EMPTY: Final = "."
SWAP: Final = "swap"


@dataclass(frozen=True, slots=True)
class Put:
    """A stone put on an empty cell, or the swap."""

    cell: str

    def __str__(self) -> str:
        return self.cell


@dataclass(frozen=True, slots=True)
class HexPosition(SequentialPosition):
    """A position of Hex: ``cells`` holds r, b or a dot for each of ``CELLS``."""

    cells: str = EMPTY * SIZE * SIZE
    side: int = 0
    outcome: Result | None = None

    @property
    def may_swap(self) -> bool:
        """Whether Blue may take over the only stone."""
        return self.side == 1 and self.cells.count(EMPTY) == SIZE * SIZE - 1 and SIGNS[0] in self.cells

    def legal_moves(self) -> Sequence[Put]:
        if self.outcome:
            return ()
        swap = [Put(SWAP)] if self.may_swap else []
        return swap + [Put(cell) for cell, sign in zip(CELLS, self.cells, strict=True) if sign == EMPTY]

    def parse(self, text: str) -> Put:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        cell = "".join(text.casefold().split())
        if cell == SWAP:
            if not self.may_swap:
                raise IllegalMove(_("only Blue may swap, in place of its first stone"))
            return Put(SWAP)
        if cell not in PLACES:
            raise IllegalMove(_("a move is a cell, from a1 to g7"))
        if self.cells[PLACES[cell]] != EMPTY:
            raise IllegalMove(_("{cell} is taken", cell=cell))
        return Put(cell)

    def play(self, move: Move) -> HexPosition:
        text = str(move)
        if text == SWAP:
            at = MIRRORED[self.cells.index(SIGNS[0])]
            return HexPosition(_with(EMPTY * SIZE * SIZE, at, SIGNS[1]), 0)
        cells = _with(self.cells, PLACES[text], SIGNS[self.side])
        return HexPosition(cells, 1 - self.side, _outcome(cells, self.side))

    def encode(self) -> str:
        """Return the ranks from the uppermost and the seat to move, such as ``......./.../... r``."""
        ranks = [self.cells[begin : begin + SIZE] for begin in range(SIZE * (SIZE - 1), -1, -SIZE)]
        return f"{'/'.join(ranks)} {SIGNS[self.side]}"

    def step(self, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
        if key == SWAP:
            return Step(key, _("Swap: the stone becomes yours, mirrored"), None, move, _("Swap"))
        return Step(key, key, key, move)

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        return _("Where does your stone go?")


def _with(cells: str, place: int, sign: str) -> str:
    return cells[:place] + sign + cells[place + 1 :]


def _outcome(cells: str, seat: int) -> Result | None:
    return Result(frozenset({seat}), _("both sides are joined")) if chain(cells, SIGNS[seat], seat) else None


class Hex(Game):
    """Hex, small enough for a phone."""

    key: ClassVar[str] = "hex"
    name: ClassVar[str] = "Hex"
    designer: ClassVar[str] = "Piet Hein, John Nash"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("seven", _("Seven by seven"), range(2, 3)),)
    summary: ClassVar[str] = _("Put stones; the first chain that joins both sides of your colour wins.")
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES
    positions: ClassVar[tuple[type[Position], ...]] = (HexPosition,)

    def first(self, players: int, **options: Any) -> HexPosition:
        return HexPosition()

    def decode(self, text: str) -> HexPosition:
        if not re.fullmatch(r"[rb.]{7}(/[rb.]{7}){6} [rb]", text):
            raise ValueError("a position of Hex is written as seven ranks and the seat to move")
        ranks, to_move = text.split()
        cells, side = "".join(reversed(ranks.split("/"))), SIGNS.index(to_move)
        ahead = cells.count(SIGNS[0]) - cells.count(SIGNS[1])
        if ahead not in ((0, 1) if side else (-1, 0)):
            raise ValueError("Red begins, and the players take turns")
        outcomes = [outcome for seat in (0, 1) if (outcome := _outcome(cells, seat))]
        return HexPosition(cells, side, outcomes[0] if outcomes else None)

    def search_state(self, position: HexPosition) -> HexState:
        return HexState(position.cells, position.side, position.may_swap, Put)

    def canonical_form(self, position: HexPosition) -> Hashable:
        turned = position.cells[::-1]
        return min(position.cells, turned), position.side

    def draw(self, position: HexPosition, view: View[HexPosition, Put]) -> Scene:
        shown = position.play(position.parse(view.chosen[0])) if view.chosen else position
        last = [] if view.last is None else [(Mark.ENTERED, cell) for cell in self._entered(position, view.last)]
        winning = [place for seat in (0, 1) for place in sorted(chain(shown.cells, SIGNS[seat], seat))]
        return Scene(
            files=SIZE,
            ranks=SIZE,
            ground=Ground.TILES,
            tiles=(Colour.PLAIN,) * (SIZE * SIZE),
            pieces=tuple(
                Piece(cell, Shape.DISC, COLOURS[SIGNS.index(sign)], sign.upper())
                for cell, sign in zip(CELLS, shown.cells, strict=True)
                if sign != EMPTY
            ),
            marks=(
                *last,
                *((Mark.CHOSEN, cell) for cell in view.chosen if cell in PLACES),
                *((Mark.TARGET, cell) for cell in view.targets),
                *((Mark.WINNING, CELLS[place]) for place in winning),
            ),
            homes=((Side.TOP, Colour.RED), (Side.BOTTOM, Colour.RED)),
            edges=tuple(
                EdgeMark(rank, side, Colour.BLUE, _("Blue's side"), SEAT_NAMES[1])
                for side in (Side.LEFT, Side.RIGHT)
                for rank in range(1, SIZE + 1)
            ),
            trays=tuple(
                Tray(seat, name, COLOURS[seat], to_move=seat == position.to_move)
                for seat, name in enumerate(SEAT_NAMES)
            ),
            notes=(_("A cell also touches the next one up to the left and down to the right."),),
            coordinates=view.coordinates,
            title=self.name,
            caption=caption(
                position.result, _("{seat} to move", seat=SEAT_NAMES[position.side]), SEAT_NAMES, view.last
            ),
            words=tuple(self.pieces_in_words(shown)),
        )

    def _entered(self, position: HexPosition, last: Put) -> Sequence[str]:
        if last.cell != SWAP:
            return [last.cell]
        return [CELLS[place] for place, sign in enumerate(position.cells) if sign == SIGNS[1]][:1]

    def pieces_in_words(self, position: HexPosition) -> Sequence[str]:
        signs = list(zip(CELLS, position.cells, strict=True))
        taken = [[cell for cell, sign in signs if sign == own] for own in SIGNS]
        return [
            _("{seat}: {cells}", seat=name, cells=", ".join(on)) if on else _("{seat}: none", seat=name)
            for name, on in zip(SEAT_NAMES, taken, strict=True)
        ]

    def move_in_words(self, before: HexPosition, move: Put) -> str:
        if move.cell != SWAP:
            return str(move)
        stone = before.cells.index(SIGNS[0])
        return _("swap: Red's {first} becomes Blue's {second}", first=CELLS[stone], second=CELLS[MIRRORED[stone]])


HEX: Final = Hex()
