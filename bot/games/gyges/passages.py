"""What the pieces of an arrangement can still do by the magazine's rules once a route has entered some squares.

It is the same whichever piece starts, so it is found once and remembered. Knows nothing of what is done with it.

A piece that has been hit is one integer: the arrangement without it and, from bit ``ON``, the square it stands on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.games.gyges.board import CELLS, PUT, WIDTH
from bot.games.gyges.legs import LegTable
from bot.games.gyges.notation import DASH
from bot.games.gyges.scopes import Scopes

ON: Final = 80
HITTING: Final = tuple(tuple(put + (place << ON) for place, put in enumerate(row)) for row in PUT)
"""``HITTING[value][place]``: what a piece of that value comes to when it hits one, with all others to be added."""

Left = tuple[int, list[tuple[int, int, str]], list[tuple[int, int, str]]]
"""What is left to a piece: the mask of the free places it can come to; for each of them its mask, what turns the piece
hit into the arrangement then, and what goes on the text; for each leg that hits a piece, the squares it enters, what
turns the piece hit into the next one, and what goes on the text."""


class Passages:
    """The legs of all pieces of an arrangement. The square a turn starts from is taken, too: no route may enter it."""

    def __init__(self, table: LegTable, pieces: int, occupied: int) -> None:
        self.pieces, self.occupied = pieces, occupied
        self.scopes = Scopes(table, pieces, occupied)
        self._known: dict[int, tuple[int, dict[int, Left]]] = {}

    def known(self, square: int) -> tuple[int, dict[int, Left]]:
        """Return the squares that the legs from ``square`` enter, and by those of them that are barred what is left, as
        far as it has been asked for."""
        known = self._known.get(square)
        if known is None:
            known = self._known[square] = self.scopes.fan(square).uses, {}
        return known

    def left(self, square: int, barred: int) -> Left:
        """Return, and remember, what is left to the piece on ``square`` when squares are ``barred``."""
        value, lowered = self.pieces >> WIDTH * square & 3, square << ON
        ends = 0
        stops: list[tuple[int, int, str]] = []
        hits: list[tuple[int, int, str]] = []
        for enters, end, bit, _, _ in self.scopes.fan(square).legs:
            if enters & barred:
                continue
            if bit & self.occupied:
                hits.append((enters, HITTING[value][end] - (self.pieces & CELLS[end]) - lowered, DASH[end]))
            elif not bit & ends:
                ends |= bit
                stops.append((bit, PUT[value][end] - lowered, DASH[end]))
        left = self.known(square)[1][barred] = ends, stops, hits
        return left


@lru_cache(maxsize=4)
def passages_of(table: LegTable, pieces: int, occupied: int) -> Passages:
    """Return the passages of an arrangement, remembered for a moment: one piece after another starts in it."""
    return Passages(table, pieces, occupied)
