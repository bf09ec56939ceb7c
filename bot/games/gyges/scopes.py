"""What a route that has come to a piece could still do, whatever it has done before. Knows no ruleset.

A position can have tens of thousands of routes: this tells which of them need not be walked on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.games.gyges.board import BITS, WIDTH, places_in
from bot.games.gyges.legs import Fan, LegTable

MANY: Final = 16
"""Routes at a time from which on it pays to ask."""


class Scope(NamedTuple):
    """Where the legs that could follow end, and what they use up."""

    ends: int
    uses: int


class Scopes:
    """The legs of one turn: ``pieces`` is the arrangement it begins with, ``others`` the mask of all but the first."""

    def __init__(self, table: LegTable, pieces: int, others: int) -> None:
        self._table, self._pieces, self.others = table, pieces, others
        self._fans: dict[int, Fan] = {}
        self._scopes: dict[tuple[int, int], Scope] = {}

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
            ends, uses, waiting, seen = 0, 0, [square], passed | BITS[square]
            for origin in waiting:
                fan = self.fan(origin)
                ends |= fan.ends
                uses |= fan.uses
                pieces = fan.ends & self.others & ~seen
                if pieces:
                    seen |= pieces
                    waiting += places_in(pieces)
            scope = self._scopes[square, passed] = Scope(ends, uses)
        return scope
