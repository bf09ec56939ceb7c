"""A turn by the rules of *Il Fogliaccio degli Astratti*: the piece arriving stays, the piece it hits is pushed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from bot.games.gyges.board import BITS, GOALS, NAMES, NORTH, PUT, RANKS, SOUTH, rows_of, value_at
from bot.games.gyges.legs import LegTable, squares_entered, table
from bot.games.gyges.notation import DASH, EQUALS, Route, Turn
from bot.games.gyges.rulesets import Choice, Ruleset, Situation, lifted
from bot.games.patience import checkpoint

_INWARD: Final = (1, -1)
"""From a seat's border row away from his home, in ranks."""

_Front = dict[tuple[int, int, int], str]
"""Texts of routes that have just hit a piece, by the arrangement without that piece, the square it stands on, and what
is used and occupied (as in ``Leg.blocks``). Of routes alike in all three only the first in code-point order matters."""


class Fogliaccio(Ruleset):
    """The seed's rules (``GAMES.md``, Gygès, first column of the table)."""

    key: ClassVar[str] = "fogliaccio"
    legs: ClassVar[tuple[LegTable, LegTable]] = (
        table(GOALS[SOUTH], squares_entered),
        table(GOALS[NORTH], squares_entered),
    )
    twice: ClassVar[str] = "enters a square twice"

    def rows(self, at: Situation) -> Sequence[int]:
        return rows_of(at.pieces, at.seat)[:1]

    def zone(self, at: Situation) -> tuple[int, ...]:
        return RANKS[at.shore + _INWARD[1 - at.seat]]

    def begin(self, at: Situation, start: int) -> int:
        # "No square is entered twice in the whole turn, the starting square included."
        return BITS[start] | lifted(at, start)

    def turns(self, at: Situation, start: int) -> list[Turn]:
        return [Turn(text) for after, text in self.routes(at, start).items() if at.allows(after)]

    def routes(self, at: Situation, start: int) -> dict[int, str]:
        """Return the canonical text for every arrangement the piece on ``start`` can bring about, allowed or not.

        Leg by leg: an arrangement keeps the text it is first found with, for that has the fewest stops.
        """
        free = self.free(at, start)
        found: dict[int, str] = {}
        front: _Front = {(at.pieces - PUT[at.holds(start)][start], start, self.begin(at, start)): NAMES[start]}
        while front:
            checkpoint()
            ended, front = self._advance(at, front)
            _relocate(at, front, free, ended)
            for after, text in ended.items():
                found.setdefault(after, text)
        return found

    def _advance(self, at: Situation, front: _Front) -> tuple[dict[int, str], _Front]:
        """Go on by one leg: return the texts of what comes to an end, by arrangement, and of what hits a piece."""
        pieces, mask, legs = at.pieces, at.occupied, self.legs[at.seat]
        ended: dict[int, str] = {}
        onward: _Front = {}
        for (rest, square, blocked), text in front.items():
            value = value_at(pieces, square)
            put = PUT[value]
            for blocks, end, bit, uses, _ in legs[value][square]:
                if blocks & blocked:
                    continue
                after, reached = rest + put[end], text + DASH[end]
                if bit & mask:
                    hit = (after - PUT[value_at(pieces, end)][end], end, blocked | uses)
                    known = onward.get(hit)
                    if known is None or reached < known:
                        onward[hit] = reached
                else:
                    known = ended.get(after)
                    if known is None or reached < known:
                        ended[after] = reached
        return ended, onward

    def after(self, pieces: int, route: Route) -> int:
        """Return the arrangement after a route: each piece on a stop moves on to the next one."""
        moving = 0
        for stop in route.stops:
            standing = value_at(pieces, stop)
            pieces += PUT[moving][stop] - PUT[standing][stop]
            moving = standing
        return pieces if route.placed is None else pieces + PUT[moving][route.placed]

    def mover(self, stops: Sequence[int]) -> int:
        return stops[-1]

    def onward(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> list[Choice]:
        """Offer one stop at a time: which pieces are pushed where makes the move.

        To put a piece where it can move on to is the same, and offered once.
        """
        moving = list(self._moving_on(at, route, outcomes))
        offered = {turn for _, turn in moving}
        return [*moving, *(choice for choice in self._putting(at, route, outcomes) if choice[1] not in offered)]

    def _moving_on(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> Iterator[Choice]:
        stops, ways = route.stops, self.walk(at, route.stops)
        legs = self.legs[at.seat][at.holds(stops[-1])][stops[-1]]
        for end in sorted({leg.end for leg in legs if any(not leg.blocks & blocked for blocked in ways)}):
            longer = Route((*stops, end))
            if at.holds(end):
                if self._has_end(at, longer, outcomes):
                    yield longer, None
            elif turn := outcomes.get(self.after(at.pieces, longer)):
                yield longer, turn

    def _putting(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> Iterator[tuple[Route, Turn]]:
        if len(route.stops) == 1:
            return
        for place in self.free(at, route.stops[0]):
            placed = Route(route.stops, place)
            if turn := outcomes.get(self.after(at.pieces, placed)):
                yield placed, turn

    def _has_end(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> bool:
        """Tell whether a route that has hit a piece can become a legal move."""
        return any(True for _ in self._putting(at, route, outcomes)) or any(
            True for _ in self._moving_on(at, route, outcomes)
        )


def _relocate(at: Situation, front: _Front, free: Sequence[int], ended: dict[int, str]) -> None:
    """Add to ``ended`` what comes of relocating the pieces just hit to a free square."""
    hits: dict[tuple[int, int], str] = {}
    for (rest, square, _), text in front.items():
        known = hits.get((rest, square))
        if known is None or text < known:
            hits[rest, square] = text
    for (rest, square), text in hits.items():
        put = PUT[value_at(at.pieces, square)]
        for place in free:
            after, placed = rest + put[place], text + EQUALS[place]
            known = ended.get(after)
            if known is None or placed < known:
                ended[after] = placed
