"""A turn by the published rules of Gygès: the piece arriving bounces on by the value of the piece it landed on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from bot.games.gyges.board import FROM_HOME, GOALS, NAMES, NORTH, PUT, RANKS, SIZE, SOUTH, rows_of, value_at
from bot.games.gyges.legs import Leg, LegTable, connections_used, table
from bot.games.gyges.notation import DASH, EQUALS, Route, Turn, rank_of
from bot.games.gyges.rulesets import Choice, Ruleset, Situation, lifted
from bot.games.patience import checkpoint

_BEYOND: Final = tuple(
    tuple(tuple(sorted(sum((RANKS[rank] for rank in FROM_HOME[seat][depth:]), ()))) for depth in range(SIZE))
    for seat in (SOUTH, NORTH)
)
"""``_BEYOND[seat][depth]``: the squares on the rank ``depth`` ranks from the seat's home rank or further from it."""

_MANY: Final = 60
"""Routes at a time from which on it pays to give up those that lead to nothing new."""

_Front = list[tuple[str, int, int]]
"""Routes that have just landed on a piece: text, what is used and occupied (as in ``Leg.blocks``), its square."""


class Classic(Ruleset):
    """The published rules (``GAMES.md``, Gygès, second column of the table).

    Only the piece that starts moves, and one other at the most is relocated: so what a turn comes to depends on where
    it starts and where the last leg ends, however many routes lead there.
    """

    key: ClassVar[str] = "classic"
    legs: ClassVar[tuple[LegTable, LegTable]] = (
        table(GOALS[SOUTH], connections_used),
        table(GOALS[NORTH], connections_used),
    )
    twice: ClassVar[str] = "uses a connection between two squares twice"

    def rows(self, at: Situation) -> Sequence[int]:
        return rows_of(at.pieces, at.seat)

    def zone(self, at: Situation) -> tuple[int, ...]:
        opponent = 1 - at.seat
        return _BEYOND[opponent][FROM_HOME[opponent].index(at.shore)]

    def begin(self, at: Situation, start: int) -> int:
        return lifted(at, start)

    def turns(self, at: Situation, start: int) -> list[Turn]:
        pieces, value = at.pieces, at.holds(start)
        rest, free = pieces - PUT[value][start], self.free(at, start)
        texts: list[str] = []
        moved: dict[int, str] = {}
        twin: str | None = None
        for end, text in self.reach(at, start).items():
            hit = value_at(pieces, end)
            if not hit or end == start:
                moved[end] = text
            elif hit != value:
                lifted_off = rest + PUT[value][end] - PUT[hit][end]
                texts += [text + EQUALS[place] for place in free if lifted_off + PUT[hit][place] != at.barred]
            elif twin is None or rank_of(text) < rank_of(twin):
                twin = text
        if twin is not None:
            _add_twin(moved, twin, free)
        texts += [text for end, text in moved.items() if at.allows(rest + PUT[value][end])]
        return [*map(Turn, texts)]

    def reach(self, at: Situation, start: int) -> dict[int, str]:
        """Return the text of the canonical route to every place where a leg of the piece on ``start`` can end.

        Leg by leg and in the order of texts, until every place is reached on which any leg could end. Of routes that
        have landed on the same square and used the same connections, the first can do all that the others can. (Dense
        positions have tens of thousands of routes.)
        """
        legs = self._open_legs(at, start)
        onward = {square: legs[square] for square in legs if square != start}
        missing = {leg.end for found in legs.values() for leg in found}
        found: dict[int, str] = {}
        known: set[tuple[int, int]] = set()
        front: _Front = [(NAMES[start], self.begin(at, start), start)]
        while front and missing:
            checkpoint()
            landed: _Front = []
            for text, blocked, square in front:
                for blocks, end, _, uses, _ in legs[square]:
                    if blocks & blocked:
                        continue
                    reached = text + DASH[end]
                    if end not in found:
                        found[end] = reached
                        missing.remove(end)
                    if end in onward and (here := (blocked | uses, end)) not in known:
                        known.add(here)
                        landed.append((reached, *here))
            front = sorted(landed)
            if len(front) > _MANY:
                front = [route for route in front if _leads_on(route, onward, missing)]
        return found

    def _open_legs(self, at: Situation, start: int) -> dict[int, list[Leg]]:
        """Return the unobstructed legs from each square that the piece on ``start`` might move on from."""
        table, blocked = self.legs[at.seat], self.begin(at, start)
        legs: dict[int, list[Leg]] = {}
        waiting = [start]
        for square in waiting:
            if square not in legs:
                legs[square] = [leg for leg in table[at.holds(square)][square] if not leg.blocks & blocked]
                waiting += [leg.end for leg in legs[square] if at.occupied & leg.bit]
        return legs

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
        """Offer every place the piece can come to at once, then where the piece there is put.

        What lies between makes no difference to the position, and would take many more choices.
        """
        start = route.stops[0]
        if len(route.stops) > 1:
            return [choice for choice in self._placings(at, route, outcomes) if choice[1]]
        offered: list[Choice] = []
        for text in self.reach(at, start).values():
            landed = Route.read(text)
            end = landed.stops[-1]
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


def _leads_on(route: tuple[str, int, int], legs: Mapping[int, Sequence[Leg]], missing: Collection[int]) -> bool:
    """Tell whether a place in ``missing`` could be reached from a route if only connections used by now were barred."""
    _, blocked, landed = route
    waiting, known = [landed], {landed}
    for square in waiting:
        for blocks, end, *_ in legs[square]:
            if blocks & blocked:
                continue
            if end in missing:
                return True
            if end in legs and end not in known:
                known.add(end)
                waiting.append(end)
    return False


def _add_twin(moved: dict[int, str], twin: str, free: Sequence[int]) -> None:
    """Relocating a piece of the same value comes to the same as moving there: keep the text that ranks first."""
    for place in free:
        text = twin + EQUALS[place]
        if place not in moved or rank_of(text) < rank_of(moved[place]):
            moved[place] = text
