"""The turns of one piece by the magazine's rules, where each piece hit is pushed on, and their canonical routes.

Many routes differ only in squares that no later leg can need: half of this file avoids walking more than one of them.

A piece that has been hit is one integer: the arrangement without it and, from bit ``_ON``, the square it stands on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.games.cancellation import check_cancelled
from bot.games.gyges.board import BITS, CELLS, NAMES, PUT, WIDTH
from bot.games.gyges.legs import MOST_ROUTES, LegTable, Reachability
from bot.games.gyges.notation import DASH, EQUALS
from bot.games.gyges.rulesets import Situation

_ON: Final = 80
_HITTING: Final = tuple(tuple(put + (place << _ON) for place, put in enumerate(row)) for row in PUT)
"""``_HITTING[value][place]``: what a piece of that value adds when it hits the piece on that place."""

_Continuations = tuple[int, list[tuple[int, int, str]], list[tuple[int, int, str]]]
"""How a piece that was hit can go on: the mask of the free places in reach; for each of them its mask, what turns the
piece hit into the arrangement then, and what goes on the text; for each leg that hits a piece, the squares it enters,
what turns the piece hit into the next one, and what goes on the text."""

_Routes = list[tuple[str, int]]
"""Texts of routes, with the squares each has entered."""
_Front = dict[int, _Routes]
"""Routes by the piece they have just hit."""
_Texts = dict[int, str]
"""Texts of turns by the arrangement each leads to."""


class Continuations:
    """How the pieces of an arrangement can go on once a route has entered some squares.

    They are the same for every piece that starts, so they are found once and remembered. ``occupied`` has the starting
    square, too: no route may enter it.
    """

    def __init__(self, table: LegTable, pieces: int, occupied: int) -> None:
        self.pieces, self.occupied = pieces, occupied
        self.reachability = Reachability(table, pieces, occupied)
        self._known: dict[int, tuple[int, dict[int, _Continuations]]] = {}

    def known(self, square: int) -> tuple[int, dict[int, _Continuations]]:
        """Return the squares that the legs from ``square`` enter, and the continuations found so far.

        These are by the squares of the legs that are barred.
        """
        known = self._known.get(square)
        if known is None:
            known = self._known[square] = self.reachability.legs_from(square).uses, {}
        return known

    def find(self, square: int, barred: int) -> _Continuations:
        """Return, and remember, the continuations of the piece on ``square`` with some squares ``barred``."""
        value, lowered = self.pieces >> WIDTH * square & 3, square << _ON
        ends = 0
        stops: list[tuple[int, int, str]] = []
        hits: list[tuple[int, int, str]] = []
        for enters, end, bit, _, _ in self.reachability.legs_from(square).legs:
            if enters & barred:
                continue
            if bit & self.occupied:
                hits.append((enters, _HITTING[value][end] - (self.pieces & CELLS[end]) - lowered, DASH[end]))
            elif not bit & ends:
                ends |= bit
                stops.append((bit, PUT[value][end] - lowered, DASH[end]))
        continuations = self.known(square)[1][barred] = ends, stops, hits
        return continuations


@lru_cache(maxsize=4)
def continuations_of(table: LegTable, pieces: int, occupied: int) -> Continuations:
    """Return the continuations in an arrangement, remembered for a moment: several pieces start in it in turn."""
    return Continuations(table, pieces, occupied)


def endings(table: LegTable, at: Situation, start: int, free: Sequence[int]) -> _Texts:
    """Return the canonical text for every arrangement the piece on ``start`` can bring about, allowed or not.

    ``free`` are the squares a piece may be put on. The search goes leg by leg, so an arrangement keeps the text it is
    first found with: that text has the fewest stops.
    """
    chains = _Chains(continuations_of(table, at.pieces, at.occupied), free)
    # "No square is entered twice in the whole turn, the starting square included."
    front: _Front = {at.pieces - (at.pieces & CELLS[start]) + (start << _ON): [(NAMES[start], BITS[start])]}
    many = False
    while front:
        check_cancelled()
        ended: _Texts = {}
        onward = chains.advanced_many(front, ended) if many else chains.advanced(front, ended)
        many = sum(map(len, onward.values())) > MOST_ROUTES
        front = chains.settled(onward, ended, many) if onward else onward
        chains.texts.update(ended)
    return chains.texts


class _Chains:
    """The turns of one piece: ``texts`` has the text of every arrangement found so far.

    What follows a hit depends on where all pieces are by then and on what the route has entered. So routes that have
    hit the same piece with all others in the same places are walked on together.
    """

    def __init__(self, continuations: Continuations, free: Sequence[int]) -> None:
        self._continuations, self._free = continuations, free
        self.texts: _Texts = {}
        self._entered: dict[int, list[int]] = {}
        """By the piece hit: the squares each route to it has entered, as far as they could matter."""

    def advanced(self, front: _Front, ended: _Texts) -> _Front:
        """Go on by one leg: return the routes that hit a piece, and add the texts of those that end to ``ended``."""
        texts, continuations = self.texts, self._continuations
        pieces, occupied = continuations.pieces, continuations.occupied
        onward: defaultdict[int, _Routes] = defaultdict(list)
        for hit, routes in front.items():
            square = hit >> _ON
            rest = hit - (square << _ON)
            value = pieces >> WIDTH * square & 3
            put, hitting = PUT[value], _HITTING[value]
            legs = continuations.reachability.legs_from(square).legs
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
                        if after not in texts:
                            longer = text + DASH[end]
                            if after not in ended or longer < ended[after]:
                                ended[after] = longer
        return onward

    def advanced_many(self, front: _Front, ended: _Texts) -> _Front:
        """Do the same for so many routes that it pays to remember the continuations."""
        texts, continuations = self.texts, self._continuations
        onward: defaultdict[int, _Routes] = defaultdict(list)
        for hit, routes in front.items():
            square = hit >> _ON
            uses, known = continuations.known(square)
            ends = 0
            for text, entered in routes:
                barred = entered & uses
                following = known.get(barred) or continuations.find(square, barred)
                if new := following[0] & ~ends:
                    ends |= new
                    for bit, change, dash in following[1]:
                        if bit & new:
                            after = hit + change
                            if after not in texts:
                                longer = text + dash
                                if after not in ended or longer < ended[after]:
                                    ended[after] = longer
                for enters, change, dash in following[2]:
                    onward[hit + change].append((text + dash, entered | enters))
        return onward

    def settled(self, onward: _Front, ended: _Texts, many: bool) -> _Front:
        """Return the routes to go on with, and add the turns that relocate the pieces just hit to ``ended``."""
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
            if new := self._new(hit >> _ON, routes, earlier, many):
                front[hit] = new
        return front

    def _relocate(self, hit: int, text: str, ended: _Texts) -> None:
        """Add the turns that put the piece just hit on a free square to ``ended``."""
        texts, square = self.texts, hit >> _ON
        rest = hit - (square << _ON)
        put = PUT[self._continuations.pieces >> WIDTH * square & 3]
        for place in self._free:
            after = rest + put[place]
            if after not in texts:
                placed = text + EQUALS[place]
                if after not in ended or placed < ended[after]:
                    ended[after] = placed

    def _new(self, square: int, routes: _Routes, earlier: list[int], many: bool) -> _Routes:
        """Return the routes that can do something no earlier one can.

        A route that has entered all the squares of an earlier one, as far as they matter to that one, can do nothing
        new: the earlier one does it under a text that goes first.
        """
        occupied, reach = self._continuations.occupied, self._continuations.reachability.reach
        new: _Routes = []
        for route in routes:
            entered = route[1]
            for other in earlier:
                if other & entered == other:
                    break
            else:
                earlier.append(entered & reach(square, entered & occupied)[1] if many else entered)
                new.append(route)
        return new
