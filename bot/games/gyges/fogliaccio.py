"""A turn by the rules of *Il Fogliaccio degli Astratti*: the piece arriving stays, the piece it hits is pushed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar, Final

from bot.games.gyges.board import BITS, GOALS, NORTH, PUT, RANKS, SOUTH, rows_of, value_at
from bot.games.gyges.chains import endings
from bot.games.gyges.legs import LegTable, squares_entered
from bot.games.gyges.notation import Route, Turn
from bot.games.gyges.rulesets import Choice, Ruleset, Situation
from renderers.i18n import LazyText
from renderers.i18n import gettext_lazy as _

_INWARD: Final = (1, -1)
"""From a seat's border row away from its home, in ranks."""


class Fogliaccio(Ruleset):
    """The source's rules (``RULES.md``, "Rulesets", first column)."""

    key: ClassVar[str] = "fogliaccio"
    legs: ClassVar[tuple[LegTable, LegTable]] = (
        LegTable(GOALS[SOUTH], squares_entered),
        LegTable(GOALS[NORTH], squares_entered),
    )
    twice: ClassVar[LazyText] = _("every free way from {origin} to {end} enters a square twice in this turn")

    def rows(self, at: Situation) -> Sequence[int]:
        return rows_of(at.pieces, at.seat)[:1]

    def zone(self, at: Situation) -> tuple[int, ...]:
        return RANKS[at.opponents_border + _INWARD[1 - at.seat]]

    def begin(self, start: int) -> int:
        # "No square is entered twice in the whole turn, the starting square included."
        return BITS[start]

    def arrangements(self, at: Situation, start: int) -> list[int]:
        return list(self._endings(at, start))

    def turns(self, at: Situation, start: int) -> dict[int, Turn]:
        texts = self._endings(at, start)
        return dict(zip(texts, map(Turn, texts.values()), strict=True))

    def _endings(self, at: Situation, start: int) -> dict[int, str]:
        texts = endings(self.legs[at.seat], at, start, self.free(at, start))
        for after in at.forbidden:
            texts.pop(after, None)
        return texts

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
        """Offer one stop at a time, because each piece pushed on is part of the move, and every relocation.

        Relocating a piece to a square it can move on to is the same move.
        """
        return [*self._moving_on(at, route, outcomes), *self._putting(at, route, outcomes)]

    def _moving_on(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> Iterator[Choice]:
        stops, ways = route.stops, self.walk(at, route.stops)
        open_legs = self.legs[at.seat].open_legs(at.holds(stops[-1]), stops[-1], at.without(stops[0]))
        for end in sorted({leg.end for leg in open_legs.legs if any(not leg.uses & used for used in ways)}):
            longer = Route((*stops, end))
            if at.holds(end):
                ends = chain(self._putting(at, longer, outcomes), self._moving_on(at, longer, outcomes))
                if next(ends, None) is not None:
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
