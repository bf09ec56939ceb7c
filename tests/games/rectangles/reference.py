"""Rectangles of Distinction a second time, from the text of ``RULES.md`` alone, to compare the engine with.

A rectangle is found by its diagonals: two pairs of dots with the same middle and the same length. Nothing here is
shared with ``bot.games.rectangles``.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import atan2

Dot = tuple[int, int]


@cache
def shapes(size: int, tilted: bool) -> dict[str, tuple[frozenset[Dot], float]]:
    """Return the corners and the area of every rectangle on ``size`` x ``size`` dots, by its text."""
    diagonals: dict[tuple[int, int, int], list[tuple[Dot, Dot]]] = {}
    for one, other in combinations([(x, y) for x in range(size) for y in range(size)], 2):
        length = (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
        diagonals.setdefault((one[0] + other[0], one[1] + other[1], length), []).append((one, other))
    found = {}
    for (twice_x, twice_y, _), pairs in diagonals.items():
        for first, second in combinations(pairs, 2):
            around = sorted({*first, *second}, key=lambda dot: atan2(2 * dot[1] - twice_y, 2 * dot[0] - twice_x))
            upright = len({x for x, _ in around}) == 2
            if upright or tilted:
                found[text(around, upright)] = (frozenset(around), area(around))
    return found


def text(around: list[Dot], upright: bool) -> str:
    """Return the notation of a rectangle whose corners are given counter-clockwise."""
    if upright:
        return f"{name(min(around))}-{name(max(around))}"
    lowest = around.index(min(around, key=lambda dot: dot[1]))
    return "-".join(name(around[(lowest + at) % 4]) for at in range(3))


def name(dot: Dot) -> str:
    return f"{'abcdefghij'[dot[0]]}{dot[1] + 1}"


def area(around: list[Dot]) -> float:
    """Return the area of a polygon by the shoelace formula."""
    following = [*around[1:], around[0]]
    return sum(x * v - y * u for (x, y), (u, v) in zip(around, following, strict=True)) / 2


class Reference:
    """A game in the course of play. Seats are counted from 0."""

    def __init__(self, players: int, dots: int, tilted: bool) -> None:
        self.shapes = shapes(dots, tilted)
        self.seats = list(range(players))
        self.inside = set(self.seats)
        self.seat = 0
        self.corners: set[Dot] = set()
        self.areas: set[float] = set()
        self.last: int | None = None
        self.winner: int | None = None

    def legal(self) -> list[str]:
        """Return the texts of all legal turns but ``stuck``, which always is one."""
        return [
            text
            for text, (corners, area) in self.shapes.items()
            if not corners & self.corners and area not in self.areas
        ]

    def draw(self, text: str) -> None:
        corners, area = self.shapes[text]
        self.corners |= corners
        self.areas.add(area)
        self.last = self.seat
        self._go_on()
        if not self.legal():
            self.stuck()

    def stuck(self) -> None:
        """End the game: the seat that drew last wins or, if it was dropped, the seat before the stuck one."""
        self.winner = self.last if self.last in self.inside else self._round(-1)

    def drop(self, seat: int) -> None:
        self.inside.remove(seat)
        if len(self.inside) == 1:
            (self.winner,) = self.inside
        elif seat == self.seat:
            self._go_on()

    def _go_on(self) -> None:
        self.seat = self._round(1)

    def _round(self, way: int) -> int:
        seat = self.seat
        while True:
            seat = self.seats[(seat + way) % len(self.seats)]
            if seat in self.inside:
                return seat
