"""What a route that has come to a piece could still do, whatever it has done before. Knows no ruleset.

A position can have tens of thousands of routes: this tells which of them need not be walked on.
"""

from __future__ import annotations

from typing import Final

from bot.games.gyges.board import BITS, WIDTH
from bot.games.gyges.legs import Fan, LegTable

MANY: Final = 16
"""Routes at a time from which on it pays to ask."""


Scope = tuple[int, int]
"""The masks of where the legs that could follow end, and of what they use up."""


class Scopes:
    """The legs of one turn: ``pieces`` is the arrangement it begins with, ``others`` the mask of those in the way."""

    def __init__(self, table: LegTable, pieces: int, others: int) -> None:
        self._table, self._pieces, self.others = table, pieces, others
        self._fans: dict[int, Fan] = {}
        self._scopes: dict[tuple[int, int], Scope] = {}
        self._sights: dict[int, tuple[int, int]] = {}

    def fan(self, square: int) -> Fan:
        """Return the legs from a square that held a piece when the turn began."""
        fan = self._fans.get(square)
        if fan is None:
            fan = self._table.fan(self._pieces >> WIDTH * square & 3, square, self.others)
            self._fans[square] = fan
        return fan

    def after(self, square: int, passed: int) -> Scope:
        """Return the scope of a route that has come to ``square``, if it comes to none of the pieces ``passed``."""
        scope = self._scopes.get((square, passed))
        if scope is None:
            sights, ends, uses = self._sights, 0, 0
            waiting = BITS[square]
            unseen = self.others & ~(passed | waiting)
            while waiting:
                bit = waiting & -waiting
                there, used = sights.get(bit) or self._look(bit)
                ends |= there
                uses |= used
                there &= unseen
                unseen ^= there
                waiting ^= bit | there
            scope = self._scopes[square, passed] = ends, uses
        return scope

    def _look(self, bit: int) -> tuple[int, int]:
        """Return, and remember, where the legs from the place of ``bit`` end and what they use up."""
        fan = self.fan(bit.bit_length() // WIDTH)
        sight = self._sights[bit] = fan.ends, fan.uses
        return sight
