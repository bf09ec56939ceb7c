"""Turns and arrangements as text: reading what people type, writing what is stored. Decides no legality."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.games.game import PASS, IllegalMove
from bot.games.gyges.board import COPIES, GOALS, NAMES, NORTH, PLACES, PUT, RANKS, SIZE, SOUTH, pieces_of, value_at
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

DASH: Final = tuple(f"-{name}" for name in NAMES)
EQUALS: Final = tuple(f"={name}" for name in NAMES)
SIDES: Final = "SN"
"""The letter of each seat."""

_LONGEST: Final = 250
"""A route has no more legs than the board has connections between squares, so no text of a move is longer."""


class Turn(str):
    """One seat's turn, which is its canonical text: a route such as ``c1-d3=a2``, a set-up, or ``pass``."""

    __slots__ = ()

    @property
    def route(self) -> Route | None:
        """The route this turn names, or None for a set-up or a pass."""
        if self == PASS or self[0].isdigit():
            return None
        return Route.read(self)


PASSING: Final = Turn(PASS)


@dataclass(frozen=True, slots=True)
class Route:
    """The places where the legs of a turn end, the start first, and the place a piece is relocated to, if any."""

    stops: tuple[int, ...]
    placed: int | None = None

    @classmethod
    def read(cls, text: str) -> Route:
        stops, _equals, placed = text.partition("=")
        return cls(tuple([PLACES[name] for name in stops.split("-")]), PLACES[placed] if placed else None)

    def __str__(self) -> str:
        return "-".join(NAMES[stop] for stop in self.stops) + ("" if self.placed is None else EQUALS[self.placed])


def tidy(text: str) -> str:
    """Return typed text in lower case, without spaces, with plain hyphens. Raises ``IllegalMove`` if it is too long."""
    if len(text) > 2 * _LONGEST:
        raise IllegalMove(_("that is far too long for a move"))
    tidied = re.sub(r"[‐‑‒–—―−]", "-", "".join(text.casefold().split()))
    if len(tidied) > _LONGEST:
        raise IllegalMove(_("that is longer than any move can be"))
    return tidied


def read_route(text: str) -> Route | None:
    """Read a tidied text as a route, or None for ``pass``. Raises ``IllegalMove`` for what is neither."""
    if text == PASS:
        return None
    strange = re.search(r"[a-z]\d+", re.sub(r"[a-f][1-6](?!\d)", "", text))
    if strange and re.fullmatch(r"([a-z]\d+|[ns]|[-=])+", text):
        raise IllegalMove(
            _("there is no square {square}: files go from a to f, ranks from 1 to 6", square=strange[0][:8])
        )
    if not re.fullmatch(r"[a-f][1-6](-?([a-f][1-6]|[ns]))*(=?([a-f][1-6]|[ns]))?", text):
        raise IllegalMove(_("a move is written as the squares where it stops, such as c1-d3, c1-d3-N or c1-d3=a2"))
    stops, _equals, placed = text.partition("=")
    return Route(tuple(map(_place, re.findall(r"[a-f][1-6]|[ns]", stops))), _place(placed) if placed else None)


def _place(name: str) -> int:
    return PLACES[name.upper() if name in "ns" else name]


def read_arrangement(text: str) -> str:
    """Read a tidied text as the six values of a home rank. Raises ``IllegalMove`` when they are not two of each."""
    values = re.sub(r"[-,;/.]", "", text)
    if not re.fullmatch(r"[1-9]{1,20}", values):
        raise IllegalMove(_("a set-up is written as the six values from file a to f, such as 231123"))
    if len(values) != SIZE:
        raise IllegalMove(
            _n(
                "a home rank has six squares, and this is {n} value",
                "a home rank has six squares, and these are {n} values",
                len(values),
            )
        )
    for value in "123":
        if (times := values.count(value)) != 2:
            if not times:
                raise IllegalMove(_("a set-up has two 1s, two 2s and two 3s, and this one has no {value}", value=value))
            raise IllegalMove(
                _n(
                    "a set-up has two 1s, two 2s and two 3s, and {value} is in this one only once",
                    "a set-up has two 1s, two 2s and two 3s, and {value} is in this one {n} times",
                    times,
                    value=value,
                )
            )
    return values


def write_board(pieces: int) -> str:
    """Write an arrangement: goal N, the ranks from 6 to 1, goal S, with ``/`` between and a dot for an empty square."""

    def rank(places: tuple[int, ...]) -> str:
        return "".join(str(value_at(pieces, place) or ".") for place in places)

    return "/".join([rank(GOALS[:1]), *map(rank, reversed(RANKS)), rank(GOALS[1:])])


def read_board(text: str) -> int:
    """Restore what ``write_board`` wrote, four pieces of each value. Raises ``ValueError`` for anything else."""
    if not re.fullmatch(r"[1-3.](/[1-3.]{6}){6}/[1-3.]", text):
        raise ValueError("a board of Gygès is written as goal N, the ranks from 6 to 1 and goal S, with / between")
    north, *ranks, south = text.split("/")
    places = [GOALS[SOUTH], *(place for rank in reversed(RANKS) for place in rank), GOALS[NORTH]]
    values = "".join([north, *ranks, south])
    return check(sum(PUT[int(value)][place] for place, value in zip(places, values, strict=True) if value != "."))


def read_packed(text: str) -> int:
    """Restore an arrangement from hexadecimal digits. Raises ``ValueError`` unless it has four pieces of each value."""
    if not re.fullmatch(r"[0-9a-f]{1,19}", text):
        raise ValueError("an arrangement of Gygès is written in hexadecimal digits")
    return check(int(text, 16))


def check(pieces: int) -> int:
    """Return ``pieces``. Raises ``ValueError`` unless they are four of each value, one in a goal at the most."""
    on_places = pieces_of(pieces)
    values = [value for _, value in on_places]
    if any(values.count(value) != COPIES for value in (1, 2, 3)):
        raise ValueError(f"there are {COPIES} pieces of each value 1, 2 and 3")
    if sum(place in GOALS for place, _ in on_places) > 1:
        raise ValueError("a piece in a goal ends the game: there cannot be two")
    return pieces
