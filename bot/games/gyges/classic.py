"""A turn by the published rules of Gygès: the piece arriving bounces on by the value of the piece it landed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.games.gyges.board import (
    BITS,
    CELLS,
    FROM_HOME,
    GOALS,
    NORTH,
    PUT,
    RANKS,
    SIZE,
    SOUTH,
    WIDTH,
    places_in,
    rows_of,
    value_at,
)
from bot.games.gyges.legs import LegTable, connections_used
from bot.games.gyges.notation import EQUALS, Route, Turn
from bot.games.gyges.routes import canonical_routes, reached_places
from bot.games.gyges.rulesets import Choice, Ruleset, Situation
from renderers.i18n import LazyText
from renderers.i18n import gettext_lazy as _

_BEYOND: Final = tuple(
    tuple(tuple(sorted(sum((RANKS[rank] for rank in FROM_HOME[seat][depth:]), ()))) for depth in range(SIZE))
    for seat in (SOUTH, NORTH)
)
"""``_BEYOND[seat][depth]``: the squares on the rank ``depth`` ranks from the seat's home rank or further from it."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """How the turns of one piece can end, with the canonical texts of the way there.

    ``hits`` has the pieces of another value that are hit and then relocated. ``stands`` has the places where a piece
    of the moving one's value comes to stand: it goes there, or a piece of the same value is hit and put there.
    """

    hits: dict[int, str]
    stands: dict[int, str]


class Classic(Ruleset):
    """The published rules (``RULES.md``, "Rulesets", second column).

    Only the piece that starts moves, and at most one other is relocated. So the result of a turn depends on where it
    starts and where the last leg ends, however many routes lead there.
    """

    key: ClassVar[str] = "classic"
    legs: ClassVar[tuple[LegTable, LegTable]] = (
        LegTable(GOALS[SOUTH], connections_used),
        LegTable(GOALS[NORTH], connections_used),
    )
    twice: ClassVar[LazyText] = _(
        "every free way from {origin} to {end} uses a connection between two squares twice in this turn"
    )

    def rows(self, at: Situation) -> Sequence[int]:
        return rows_of(at.pieces, at.seat)

    def zone(self, at: Situation) -> tuple[int, ...]:
        opponent = 1 - at.seat
        return _BEYOND[opponent][FROM_HOME[opponent].index(at.opponents_border)]

    def begin(self, start: int) -> int:
        return 0

    def arrangements(self, at: Situation, start: int) -> list[int]:
        pieces, value, free = at.pieces, at.holds(start), self.free(at, start)
        put = PUT[value]
        rest = pieces - put[start]
        afters: list[int] = []
        stands = 0
        for end in places_in(reached_places(at, start) & ~BITS[start]):
            hit = pieces >> WIDTH * end & 3
            if not hit:
                stands |= BITS[end]
            elif hit == value:
                stands |= sum(BITS[place] for place in free)
            else:
                lifted, placed = rest + put[end] - (pieces & CELLS[end]), PUT[hit]
                afters += [lifted + placed[place] for place in free]
        afters += [rest + put[place] for place in places_in(stands & ~BITS[start])]
        if at.barred in afters:
            afters.remove(at.barred)
        return afters

    def turns(self, at: Situation, start: int) -> dict[int, Turn]:
        pieces, free = at.pieces, self.free(at, start)
        ends, put = _ends(at, start, free), PUT[at.holds(start)]
        rest = pieces - put[start]
        turns: dict[int, Turn] = {}
        for end, text in ends.hits.items():
            lifted, placed = rest + put[end] - (pieces & CELLS[end]), PUT[at.holds(end)]
            turns |= {lifted + placed[place]: Turn(text + EQUALS[place]) for place in free}
        turns |= {rest + put[place]: Turn(text) for place, text in ends.stands.items()}
        if at.barred is not None:
            turns.pop(at.barred, None)
        return turns

    def after(self, pieces: int, route: Route) -> int:
        """Return the arrangement after a route: its piece goes from the first stop to the last."""
        start, end = route.stops[0], route.stops[-1]
        value = value_at(pieces, start)
        pieces -= PUT[value][start]
        hit = value_at(pieces, end)
        pieces += PUT[value][end] - PUT[hit][end]
        return pieces if route.placed is None else pieces + PUT[hit][route.placed]

    def mover(self, stops: Sequence[int]) -> int:
        return stops[0]

    def onward(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> list[Choice]:
        """Offer every place the piece can come to at once, then the squares for the piece there.

        The way makes no difference to the position, and would take many more choices.
        """
        start = route.stops[0]
        if len(route.stops) > 1:
            return [choice for choice in self._placings(at, route, outcomes) if choice[1]]
        offered: list[Choice] = []
        for end, text in canonical_routes(at, start).items():
            landed = Route.read(text)
            if end == start or not at.holds(end):
                turn = outcomes.get(self.after(at.pieces, landed))
                offered += [(landed, turn)] if turn else []
            elif any(turn for _, turn in self._placings(at, landed, outcomes)):
                offered.append((landed, None))
        return sorted(offered, key=lambda choice: choice[0].stops[-1])

    def _placings(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> Iterator[Choice]:
        for place in self.free(at, route.stops[0]):
            placed = Route(route.stops, place)
            yield placed, outcomes.get(self.after(at.pieces, placed))


def _ends(at: Situation, start: int, free: Sequence[int]) -> _Ends:
    """Walk the routes of a piece and sort their ends by what stands there."""
    pieces = at.pieces
    value = at.holds(start)
    hits: dict[int, str] = {}
    stands: dict[int, str] = {}
    twins: list[str] = []
    for end, text in canonical_routes(at, start).items():
        hit = pieces >> WIDTH * end & 3
        if not hit or end == start:
            stands[end] = text
        elif hit == value:
            twins.append(text)
        else:
            hits[end] = text
    if twins:
        # Relocating a piece of the same value has the same result as moving there: keep the text that ranks first.
        twin = min(twins, key=_rank)
        rank = _rank(twin)
        for place in free:
            if place not in stands or rank < _rank(stands[place]):
                stands[place] = twin + EQUALS[place]
    stands.pop(start, None)
    return _Ends(hits, stands)


def _rank(text: str) -> tuple[int, str]:
    """Sort texts of routes, relocations aside, as ``RULES.md``, "Notation", says: by fewest stops, then code points.

    A stop is a square where a leg ends. A relocation is no leg, so its square does not count. It decides nothing
    either: a route to a square and a route that puts a piece there differ before that.
    """
    return len(text), text
