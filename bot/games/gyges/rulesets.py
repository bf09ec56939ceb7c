"""The common part of the two rulesets of Gygès, and the methods each has for itself. Knows one turn, not the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar

from bot.games.gyges.board import BITS, NAMES, border_row, occupied, value_at
from bot.games.gyges.legs import LegTable
from bot.games.gyges.notation import Route, Turn
from renderers.i18n import LazyText

Ways = dict[int, tuple[int, ...]]
"""The ways to make the same stops: what each has used up (as in ``Leg.uses``), and its path."""

Choice = tuple[Route, Turn | None]
"""The next choices of a player: the route with each, and the legal move that it completes, or None."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The arrangement and the seat a turn begins with.

    ``barred`` is the arrangement before the opponent's last move: it must not come back (``RULES.md``, "Rulesets").
    None stands for the first ply. ``occupied`` is the mask of the squares that hold a piece.
    """

    pieces: int
    seat: int
    barred: int | None = None
    occupied: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "occupied", occupied(self.pieces))

    @property
    def opponents_border(self) -> int:
        """The opponent's border row, a 0-based rank. It stays where it is during the turn."""
        return border_row(self.occupied, 1 - self.seat)

    def holds(self, place: int) -> int:
        """Return the value of the piece on ``place``, or 0."""
        return value_at(self.pieces, place)

    def without(self, start: int) -> int:
        """Return the mask of the pieces that stand on the board while the one on ``start`` moves."""
        return self.occupied & ~BITS[start]

    @property
    def forbidden(self) -> tuple[int, ...]:
        """The arrangements a turn must not lead to: the present one, and the barred one, if any."""
        return (self.pieces,) if self.barred is None else (self.pieces, self.barred)


class Ruleset(ABC):
    """One reading of the rules of a turn."""

    key: ClassVar[str]
    legs: ClassVar[tuple[LegTable, LegTable]]
    """The legs for each seat, which differ in the goal."""
    twice: ClassVar[LazyText]
    """The text that every free way from ``origin`` to ``end`` does twice what a route may do only once."""

    @abstractmethod
    def rows(self, at: Situation) -> Sequence[int]:
        """Return the 0-based ranks to look for moves in: a player moves from the first that has a legal move."""

    @abstractmethod
    def zone(self, at: Situation) -> tuple[int, ...]:
        """Return the squares a relocated piece may be put on if they are free."""

    @abstractmethod
    def begin(self, start: int) -> int:
        """Return what is used up, as in ``Leg.uses``, once the piece on ``start`` is lifted."""

    @abstractmethod
    def arrangements(self, at: Situation, start: int) -> list[int]:
        """Return the arrangement that each legal move of the piece on ``start`` leads to."""

    @abstractmethod
    def turns(self, at: Situation, start: int) -> dict[int, Turn]:
        """Return those moves by the arrangement each leads to, under their canonical texts."""

    @abstractmethod
    def after(self, pieces: int, route: Route) -> int:
        """Return the arrangement that a route leads to from ``pieces``."""

    @abstractmethod
    def mover(self, stops: Sequence[int]) -> int:
        """Return the place where the piece that moves on from the last of ``stops`` stood when the turn began."""

    @abstractmethod
    def onward(self, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> list[Choice]:
        """Return the choices a player has after ``route``, the beginning of a turn, which ends on a piece.

        ``outcomes`` are those of the piece it starts with.
        """

    def outcomes(self, at: Situation, start: int) -> Mapping[int, Turn]:
        """Return the legal moves of the piece on ``start`` by the arrangement each leads to; remembered for a while."""
        return outcomes_of(self, at, start)

    def extend(self, at: Situation, ways: Ways, start: int, origin: int, end: int) -> Ways:
        """Return the ways to go on to ``end``, by as many steps as the piece on ``origin`` says.

        Both rulesets agree here: in one, the piece pushed off moves by its own value; in the other, the arriving piece
        moves on by the value of the one it landed on.
        """
        open_legs = self.legs[at.seat].open_legs(at.holds(origin), origin, at.without(start))
        return {
            used | leg.uses: (*path, *leg.squares)
            for used, path in ways.items()
            for leg in open_legs.legs
            if leg.end == end and not leg.uses & used
        }

    def walk(self, at: Situation, stops: Sequence[int]) -> Ways:
        """Return the ways to make ``stops``, the start first; none if there is no way."""
        ways: Ways = {self.begin(stops[0]): (stops[0],)}
        for origin, end in pairwise(stops):
            ways = self.extend(at, ways, stops[0], origin, end)
        return ways

    def plain(self, at: Situation, route: Route) -> Route:
        """Return ``route`` as people see it.

        The canonical route may relocate a piece of the same value as the arriving one. Then the arriving piece could
        as well go there itself, and that is shown where it can.
        """
        if route.placed is None or at.holds(self.mover(route.stops[:-1])) != at.holds(route.stops[-1]):
            return route
        stops = (*route.stops[:-1], route.placed)
        return Route(stops) if self.walk(at, stops) else route

    def free(self, at: Situation, start: int) -> list[int]:
        """Return the squares to relocate a piece to in a turn of the piece on ``start``, which leaves its own."""
        others = at.without(start)
        return [square for square in self.zone(at) if not others & BITS[square]]

    def movable(self, at: Situation) -> Iterator[int]:
        """Yield the squares of the pieces that have a legal move; none if the player has to pass."""
        for row in self.rows(at):
            can_move = False
            for start in starts(at, row):
                if self.outcomes(at, start):
                    can_move = True
                    yield start
            if can_move:
                return

    def all_turns(self, at: Situation) -> tuple[Turn, ...]:
        """Return every legal move; none if the player has to pass."""
        return tuple([turn for start in self.movable(at) for turn in self.outcomes(at, start).values()])

    def turns_beginning(self, at: Situation, text: str) -> Iterator[Turn]:
        """Yield the legal moves whose texts in lower case begin with ``text``, in their order, as they are found.

        It finds the moves of those pieces alone that ``text`` might mean.
        """
        for row in self.rows(at):
            meant = [start for start in starts(at, row) if NAMES[start].startswith(text[:2])]
            can_move = False
            for start in meant:
                for turn in self.outcomes(at, start).values():
                    can_move = True
                    if turn.casefold().startswith(text):
                        yield turn
            if can_move or any(self.outcomes(at, start) for start in starts(at, row) if start not in meant):
                return


@lru_cache(maxsize=128)
def outcomes_of(rules: Ruleset, at: Situation, start: int) -> Mapping[int, Turn]:
    """Return ``rules.turns``, remembered: lists, choices, suggestions and typed moves of one board ask for the same."""
    return MappingProxyType(rules.turns(at, start))


def starts(at: Situation, row: int) -> Iterator[int]:
    """Yield the squares of a 0-based rank that hold a piece, from file a to f."""
    return (square for square in range(row, 36, 6) if at.occupied & BITS[square])
