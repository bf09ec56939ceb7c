"""What one piece can bring about by the magazine's rules, where each piece hit is pushed on, and by which route.

Many routes differ only in squares that nothing later can need: half of this is about walking but one of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.games.cancellation import check_cancelled
from bot.games.gyges.board import BITS, CELLS, NAMES, PUT, WIDTH
from bot.games.gyges.legs import LegTable
from bot.games.gyges.notation import DASH, EQUALS
from bot.games.gyges.passages import HITTING, ON, Passages, passages_of
from bot.games.gyges.rulesets import Situation
from bot.games.gyges.scopes import MANY

_Routes = list[tuple[str, int]]
"""Texts of routes, with the squares each has entered."""
_Front = dict[int, _Routes]
"""Routes by the piece they have just hit (as in ``passages``)."""
_Texts = dict[int, str]
"""Texts of turns by the arrangement each leads to."""


def endings(table: LegTable, at: Situation, start: int, free: Sequence[int]) -> _Texts:
    """Return the canonical text for every arrangement the piece on ``start`` can bring about, allowed or not.

    ``free`` are the squares a piece may be put on. Leg by leg: an arrangement keeps the text it is first found with,
    for that has the fewest stops.
    """
    chains = _Chains(passages_of(table, at.pieces, at.occupied), free)
    # "No square is entered twice in the whole turn, the starting square included."
    front: _Front = {at.pieces - (at.pieces & CELLS[start]) + (start << ON): [(NAMES[start], BITS[start])]}
    many = False
    while front:
        check_cancelled()
        ended: _Texts = {}
        onward = chains.advanced_many(front, ended) if many else chains.advanced(front, ended)
        many = sum(map(len, onward.values())) > MANY
        front = chains.settled(onward, ended, many) if onward else onward
        chains.found.update(ended)
    return chains.found


class _Chains:
    """The turns of one piece: ``found`` has the text of every arrangement found so far.

    What follows after a piece is hit depends on where all pieces are by then, and on what the route has entered: so
    routes are walked on together that have hit the same piece with all others in the same places.
    """

    def __init__(self, passages: Passages, free: Sequence[int]) -> None:
        self._passages, self._free = passages, free
        self.found: _Texts = {}
        self._entered: dict[int, list[int]] = {}
        """By the piece hit, what each route that came to it has entered, as far as it could matter."""

    def advanced(self, front: _Front, ended: _Texts) -> _Front:
        """Go on by one leg: return what hits a piece, and add to ``ended`` the texts of what comes to an end."""
        found, passages = self.found, self._passages
        pieces, occupied = passages.pieces, passages.occupied
        onward: defaultdict[int, _Routes] = defaultdict(list)
        for hit, routes in front.items():
            square = hit >> ON
            rest = hit - (square << ON)
            value = pieces >> WIDTH * square & 3
            put, hitting = PUT[value], HITTING[value]
            legs = passages.scopes.fan(square).legs
            ends = 0
            for text, entered in routes:
                for enters, end, bit, _, _ in legs:
                    if enters & entered:
                        continue
                    if bit & occupied:
                        onward[rest + hitting[end] - (pieces & CELLS[end])].append((text + DASH[end], entered | enters))
                    elif not bit & ends:
                        ends |= bit
                        after = rest + put[end]
                        if after not in found:
                            longer = text + DASH[end]
                            if after not in ended or longer < ended[after]:
                                ended[after] = longer
        return onward

    def advanced_many(self, front: _Front, ended: _Texts) -> _Front:
        """Do the same for so many routes that it pays to remember what is left to each."""
        found, passages = self.found, self._passages
        onward: defaultdict[int, _Routes] = defaultdict(list)
        for hit, routes in front.items():
            square = hit >> ON
            uses, known = passages.known(square)
            ends = 0
            for text, entered in routes:
                barred = entered & uses
                left = known.get(barred) or passages.left(square, barred)
                if new := left[0] & ~ends:
                    ends |= new
                    for bit, change, dash in left[1]:
                        if bit & new:
                            after = hit + change
                            if after not in found:
                                longer = text + dash
                                if after not in ended or longer < ended[after]:
                                    ended[after] = longer
                for enters, change, dash in left[2]:
                    onward[hit + change].append((text + dash, entered | enters))
        return onward

    def settled(self, onward: _Front, ended: _Texts, many: bool) -> _Front:
        """Return the routes to go on with, and add to ``ended`` what comes of putting the pieces just hit away."""
        front: _Front = {}
        for hit, routes in onward.items():
            single = len(routes) == 1
            if not single:
                routes.sort()
            earlier = self._entered.get(hit)
            if earlier is None:
                self._relocate(hit, routes[0][0], ended)
                if single:
                    self._entered[hit] = [routes[0][1]]
                    front[hit] = routes
                    continue
                earlier = self._entered[hit] = []
            if new := self._new(hit >> ON, routes, earlier, many):
                front[hit] = new
        return front

    def _relocate(self, hit: int, text: str, ended: _Texts) -> None:
        """Add to ``ended`` what comes of putting the piece just hit on a free square."""
        found, square = self.found, hit >> ON
        rest = hit - (square << ON)
        put = PUT[self._passages.pieces >> WIDTH * square & 3]
        for place in self._free:
            after = rest + put[place]
            if after not in found:
                placed = text + EQUALS[place]
                if after not in ended or placed < ended[after]:
                    ended[after] = placed

    def _new(self, square: int, routes: _Routes, earlier: list[int], many: bool) -> _Routes:
        """Return the routes but for those that have entered all that an earlier one has, of what could matter to it.

        That one can do all that they can, under a text that goes before theirs.
        """
        occupied, after = self._passages.occupied, self._passages.scopes.after
        new: _Routes = []
        for route in routes:
            entered = route[1]
            for other in earlier:
                if other & entered == other:
                    break
            else:
                earlier.append(entered & after(square, entered & occupied)[1] if many else entered)
                new.append(route)
        return new
