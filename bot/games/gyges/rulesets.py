"""What the two rulesets of Gygès share, and the questions each answers for itself. Knows one turn, not the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar

from bot.games.gyges.board import BITS, border_row, occupied, value_at
from bot.games.gyges.legs import SHIFT, LegTable
from bot.games.gyges.notation import Route, Turn

Ways = dict[int, tuple[int, ...]]
"""The ways to make the same stops: what is used and occupied after each (as in ``Leg.blocks``), and its path."""

Choice = tuple[Route, Turn | None]
"""What a player may choose next: the route with it, and the legal move that it completes, if it does."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a turn begins with.

    ``barred`` is the arrangement before the opponent's last move, which must not come back (``GAMES.md``, Gygès,
    "Repetition"); None before the second ply. ``occupied`` is the mask of the squares that hold a piece.
    """

    pieces: int
    seat: int
    barred: int | None = None
    occupied: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "occupied", occupied(self.pieces))

    @property
    def shore(self) -> int:
        """The opponent's border row, a 0-based rank, as it stands now: nothing in this turn moves it."""
        return border_row(self.occupied, 1 - self.seat)

    def holds(self, place: int) -> int:
        """Return the value of the piece on ``place``, or 0."""
        return value_at(self.pieces, place)

    def allows(self, after: int) -> bool:
        """Tell whether a turn may lead to this arrangement: it must be neither the present nor the barred one."""
        return after not in (self.pieces, self.barred)


class Ruleset(ABC):
    """One reading of the rules of a turn."""

    key: ClassVar[str]
    legs: ClassVar[tuple[LegTable, LegTable]]
    """The legs for each seat, which differ in the goal."""
    twice: ClassVar[str]
    """What a route does that is forbidden, such as "enters a square twice"."""

    @abstractmethod
    def rows(self, at: Situation) -> Sequence[int]:
        """Return the 0-based ranks a player may move from: the first of them that has a legal move."""

    @abstractmethod
    def zone(self, at: Situation) -> tuple[int, ...]:
        """Return the squares a relocated piece may be put on, were they free."""

    @abstractmethod
    def begin(self, at: Situation, start: int) -> int:
        """Return what is used and occupied, as in ``Leg.blocks``, once the piece on ``start`` is lifted."""

    @abstractmethod
    def turns(self, at: Situation, start: int) -> list[Turn]:
        """Return the legal moves of the piece on ``start``, each once, under its canonical text."""

    @abstractmethod
    def after(self, pieces: int, route: Route) -> int:
        """Return the arrangement that a route leads to from ``pieces``."""

    @abstractmethod
    def mover(self, stops: Sequence[int]) -> int:
        """Return where the piece stood, when the turn began, that moves on from the last of ``stops``."""

    @abstractmethod
    def onward(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> list[Choice]:
        """Return the choices a player has after ``route``, a beginning of a turn that ends on a piece.

        ``outcomes`` are those of the piece that it starts with.
        """

    def outcomes(self, at: Situation, start: int) -> Mapping[int, Turn]:
        """Return the legal moves of the piece on ``start`` by the arrangement each leads to."""
        return _outcomes(self, at, start)

    def extend(self, at: Situation, ways: Ways, origin: int, end: int) -> Ways:
        """Return the ways to go on to ``end``, by as many steps as the piece on ``origin`` says.

        That is the same in both rulesets: the piece pushed off moves by its own value in one, the piece arriving moves
        on by the value of the one it landed on in the other.
        """
        return {
            blocked | leg.uses: (*path, *leg.squares)
            for blocked, path in ways.items()
            for leg in self.legs[at.seat][at.holds(origin)][origin]
            if leg.end == end and not leg.blocks & blocked
        }

    def walk(self, at: Situation, stops: Sequence[int]) -> Ways:
        """Return the ways to make ``stops``, the start first; none when it cannot be done."""
        ways: Ways = {self.begin(at, stops[0]): (stops[0],)}
        for origin, end in pairwise(stops):
            ways = self.extend(at, ways, origin, end)
        return ways

    def plain(self, at: Situation, route: Route) -> Route:
        """Return ``route`` as people see it: the canonical one may put away a piece of the same value as the arriving
        one, which then could as well go there itself."""
        if route.placed is None or at.holds(self.mover(route.stops[:-1])) != at.holds(route.stops[-1]):
            return route
        stops = (*route.stops[:-1], route.placed)
        return Route(stops) if self.walk(at, stops) else route

    def free(self, at: Situation, start: int) -> list[int]:
        """Return the squares a piece may be relocated to in a turn of the piece on ``start``, which leaves its own."""
        others = at.occupied & ~BITS[start]
        return [square for square in self.zone(at) if not others & BITS[square]]

    def all_turns(self, at: Situation) -> list[Turn]:
        """Return every legal move; none for a player who has to pass."""
        for row in self.rows(at):
            if found := [turn for start in starts(at, row) for turn in self.turns(at, start)]:
                return found
        return []


@lru_cache(maxsize=16)
def _outcomes(rules: Ruleset, at: Situation, start: int) -> Mapping[int, Turn]:
    """Remember the pieces somebody is choosing with: each choice of a move asks for the same again."""
    turns = rules.turns(at, start)
    return MappingProxyType({rules.after(at.pieces, route): turn for turn in turns if (route := turn.route)})


def starts(at: Situation, row: int) -> Iterator[int]:
    """Yield the squares of a 0-based rank that hold a piece, from file a to f."""
    return (square for square in range(row, 36, 6) if at.occupied & BITS[square])


def lifted(at: Situation, start: int) -> int:
    """Return the occupied squares without ``start``, where ``Leg.blocks`` has the squares a leg passes through."""
    return (at.occupied & ~BITS[start]) << SHIFT
