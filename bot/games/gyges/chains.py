"""What one piece can bring about by the magazine's rules, where each piece hit is pushed on, and by which route.

Many routes differ only in squares that nothing later can need: half of this is about walking but one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.cancellation import check_cancelled
from bot.games.gyges.board import BITS, CELLS, NAMES, PUT, WIDTH
from bot.games.gyges.legs import LegTable
from bot.games.gyges.notation import DASH, EQUALS
from bot.games.gyges.rulesets import Situation
from bot.games.gyges.scopes import MANY, Scopes

_Front = dict[tuple[int, int, int], str]
"""Texts of routes that have just hit a piece, by the arrangement without that piece, the square it stands on, and the
squares entered. Of routes alike in all three only the first in code-point order matters."""


def endings(table: LegTable, at: Situation, start: int, free: Sequence[int]) -> dict[int, str]:
    """Return the canonical text for every arrangement the piece on ``start`` can bring about, allowed or not.

    ``free`` are the squares a piece may be put on. Leg by leg: an arrangement keeps the text it is first found with,
    for that has the fewest stops.
    """
    # "No square is entered twice in the whole turn, the starting square included."
    begun: _Front = {(at.pieces - (at.pieces & CELLS[start]), start, BITS[start]): NAMES[start]}
    others = at.without(start)
    found: dict[int, str] = {}
    scopes = Scopes(table, at.pieces, others)
    thinning = _Thinning(scopes, others)
    front = begun
    while front:
        check_cancelled()
        ended, front = _advance(scopes, at.pieces, others, front, found)
        if len(front) > MANY:
            front = thinning.thinned(front)
        _relocate(at.pieces, front, free, found, ended)
        found.update(ended)
    return found


def _advance(
    scopes: Scopes, pieces: int, others: int, front: _Front, found: dict[int, str]
) -> tuple[dict[int, str], _Front]:
    """Go on by one leg: return the texts of what comes to an end and is not in ``found``, and of what hits a piece."""
    ended: dict[int, str] = {}
    onward: _Front = {}
    for (rest, square, used), text in front.items():
        value = pieces >> WIDTH * square & 3
        put = PUT[value]
        for uses, end, bit, _, _ in scopes.fan(square).legs:
            if uses & used:
                continue
            after = rest + put[end]
            if bit & others:
                hit = (after - (pieces & CELLS[end]), end, used | uses)
                longer = text + DASH[end]
                if hit not in onward or longer < onward[hit]:
                    onward[hit] = longer
            elif after not in found:
                longer = text + DASH[end]
                if after not in ended or longer < ended[after]:
                    ended[after] = longer
    return ended, onward


def _relocate(pieces: int, front: _Front, free: Sequence[int], found: dict[int, str], ended: dict[int, str]) -> None:
    """Add to ``ended`` what comes of putting the pieces just hit on a free square."""
    hits: dict[tuple[int, int], str] = {}
    for (rest, square, _), text in front.items():
        hit = (rest, square)
        if hit not in hits or text < hits[hit]:
            hits[hit] = text
    for (rest, square), text in hits.items():
        put = PUT[pieces >> WIDTH * square & 3]
        for place in free:
            after = rest + put[place]
            if after not in found:
                placed = text + EQUALS[place]
                if after not in ended or placed < ended[after]:
                    ended[after] = placed


class _Thinning:
    """Gives up routes of one turn where another can do all that they can, under a text that goes before theirs."""

    def __init__(self, scopes: Scopes, others: int) -> None:
        self._scopes = scopes
        self._others = others
        self._earlier: dict[tuple[int, int], list[tuple[int, str]]] = {}

    def thinned(self, front: _Front) -> _Front:
        """Forget squares entered that no later leg could enter, then what has entered more than one before it."""
        alike: _Front = {}
        for (rest, square, used), text in front.items():
            key = (rest, square, used & self._scopes.after(square, used & self._others).uses)
            if key not in alike or text < alike[key]:
                alike[key] = text
        return {key: text for key, text in alike.items() if self._is_new(*key, text)}

    def _is_new(self, rest: int, square: int, used: int, text: str) -> bool:
        stops = len(text)
        earlier = self._earlier.setdefault((rest, square), [])
        for other, its in earlier:
            if other & used == other and (len(its) < stops or its <= text):
                return False
        earlier.append((used, text))
        return True
