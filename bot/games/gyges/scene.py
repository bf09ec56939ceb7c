"""What a position of Gygès looks like and how it is said in words. Knows the position, decides no rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.games.game import PASS
from bot.games.gyges.board import (
    FROM_HOME,
    GOALS,
    NAMES,
    NORTH,
    RANKS,
    SEAT_NAMES,
    SIZE,
    SOUTH,
    SQUARES,
    pieces_of,
    rows_of,
)
from bot.games.gyges.notation import Route, Turn
from bot.games.gyges.rules import GygesPosition, SetUp
from renderers.scene import Colour, EdgeMark, Goal, Ground, Mark, Path, Piece, Scene, Shape, Side, Tray

_COLOURS: Final = (Colour.SEAT1, Colour.SEAT2)
_HEADINGS: Final = (Side.TOP, Side.BOTTOM)
_BESIDE: Final = (Side.LEFT, Side.RIGHT)
"""The side of the board at which each seat's border row is marked, so that both can be marked at one rank."""
_GOALS: Final = (Goal("N", Side.TOP, "goal N"), Goal("S", Side.BOTTOM, "goal S"))
_TOLD: Final = 120
"""Characters of a route that is told leg by leg; a longer one is summed up."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What is drawn of a turn: marks on squares and lines through them, and pieces that a set-up begun has placed."""

    marks: tuple[tuple[Mark, str], ...] = ()
    paths: tuple[Path, ...] = ()
    placed: tuple[tuple[int, int], ...] = ()


def draw(
    position: SetUp | GygesPosition,
    *,
    last: Turn | None,
    seat: int,
    before: SetUp | GygesPosition | None,
    chosen: Sequence[str],
    targets: Iterable[str],
    coordinates: bool,
) -> Scene:
    """Return the scene of ``position``; the arguments are those of ``Game.scene``.

    The last move is not drawn under one in the making: two paths at a time cannot be told apart.
    """
    aims = tuple((Mark.TARGET, square) for square in dict.fromkeys(targets))
    trace = _of_choice(position, "".join(chosen)) if chosen else Trace() if aims else _of_last(last, before)
    pieces = (*pieces_of(position.pieces), *trace.placed)
    return Scene(
        files=SIZE,
        ranks=SIZE,
        ground=Ground.CELLS,
        tiles=(Colour.WOOD,) * len(SQUARES),
        pieces=tuple(Piece(NAMES[at], Shape.RINGS, Colour.WOOD, str(value), value) for at, value in pieces),
        marks=(*trace.marks, *aims),
        paths=trace.paths,
        goals=_GOALS,
        edges=_edges(position),
        trays=tuple(_tray(position, player) for player in (SOUTH, NORTH)),
        turned=seat == NORTH,
        coordinates=coordinates,
        title="Gygès",
        caption=_caption(position, last),
        words=pieces_in_words(position),
    )


def _of_choice(position: SetUp | GygesPosition, begun: str) -> Trace:
    """Return what is drawn of a move under construction."""
    if isinstance(position, SetUp):
        home = RANKS[FROM_HOME[position.side][0]]
        placed = tuple(zip(home, map(int, begun), strict=False))
        return Trace(tuple((Mark.CHOSEN, NAMES[square]) for square, _ in placed), placed=placed)
    if begun == PASS:
        return Trace()
    route = Route.read(begun)
    places = dict.fromkeys(route.stops if route.placed is None else (*route.stops, route.placed))
    return Trace(tuple((Mark.CHOSEN, NAMES[place]) for place in places), _paths(position, route))


def _of_last(last: Turn | None, before: SetUp | GygesPosition | None) -> Trace:
    """Return what is drawn of the last move; without the position before it, its stops but not its path."""
    if last is None or last == PASS:
        return Trace()
    route = last.route
    if route is None:
        home = RANKS[FROM_HOME[before.side][0]] if before else ()
        return Trace(tuple((Mark.ENTERED, NAMES[square]) for square in home))
    start, *passed, end = route.stops
    entered = (end,) if route.placed is None else (end, route.placed)
    marks = dict.fromkeys(
        [
            (Mark.LEFT, NAMES[start]),
            *((Mark.PASSED, NAMES[stop]) for stop in passed if stop not in entered),
            *((Mark.ENTERED, NAMES[place]) for place in entered),
        ]
    )
    return Trace(tuple(marks), _paths(before, route) if isinstance(before, GygesPosition) else ())


def _paths(before: GygesPosition, route: Route) -> tuple[Path, ...]:
    """Return the path of a route, through every square it passes, and the line of what it relocates."""
    ways = before.rules.walk(before.situation, route.stops)
    lines = [next(iter(ways.values()))] if ways else []
    if route.placed is not None:
        lines.append((route.stops[-1], route.placed))
    return tuple(Path(tuple(NAMES[place] for place in line)) for line in lines if len(line) > 1)


def _edges(position: SetUp | GygesPosition) -> tuple[EdgeMark, ...]:
    """Return the marks beside both border rows; a set-up has none yet."""
    if isinstance(position, SetUp):
        return ()
    return tuple(
        EdgeMark(rows_of(position.pieces, player)[0] + 1, _BESIDE[player], _COLOURS[player], f"{name}'s border row")
        for player, name in enumerate(SEAT_NAMES)
    )


def _tray(position: SetUp | GygesPosition, player: int) -> Tray:
    return Tray(
        seat=player,
        name=SEAT_NAMES[player],
        colour=_COLOURS[player],
        label="sets up" if isinstance(position, SetUp) and player == position.side else "",
        to_move=player in position.to_move,
        heading=_HEADINGS[player],
    )


def _caption(position: SetUp | GygesPosition, last: Turn | None) -> str:
    result = position.result
    if isinstance(position, SetUp):
        state = f"{SEAT_NAMES[position.side]} to set up."
    elif result is None:
        state = f"{SEAT_NAMES[position.side]} to move."
    elif len(result.winners) > 1:
        state = f"Draw: {result.reason}."
    else:
        (winner,) = result.winners
        state = f"{SEAT_NAMES[winner]} wins: {result.reason}."
    return state if last is None else f"{state} Last move: {last}."


def pieces_in_words(position: SetUp | GygesPosition) -> tuple[str, ...]:
    """Return a line for each value and where its pieces stand, then one for the border rows."""
    pieces = pieces_of(position.pieces)
    if not pieces:
        return ("The board is empty",)
    lines = [
        f"{value}s: {', '.join(_place(place) for place, other in pieces if other == value)}" for value in (1, 2, 3)
    ]
    if isinstance(position, GygesPosition):
        south, north = (rows_of(position.pieces, player)[0] + 1 for player in (SOUTH, NORTH))
        lines.append(f"Border rows: South's is rank {south}, North's is rank {north}")
    return tuple(lines)


def _place(place: int) -> str:
    return f"goal {NAMES[place]}" if place in GOALS else NAMES[place]


def move_in_words(before: SetUp | GygesPosition, turn: Turn) -> str:
    """Return what a turn does: "sets up 2 3 1 1 2 3", "moves the 3 on c1 to d3 and the 2 there to d6", "passes"."""
    route = turn.route
    if isinstance(before, SetUp) or route is None:
        return "passes" if turn == PASS else f"sets up {' '.join(turn)}"
    if before.ruleset == "classic":
        told = [_told_at_once(before, route)]
    else:
        told = [_told_leg_by_leg(before, route)]
        if len(told[0]) > _TOLD:
            told = [f"moves {'-'.join(NAMES[stop] for stop in route.stops)}"]
    if route.placed is not None:
        told.append(f"puts the {before.situation.holds(route.stops[-1])} there on {NAMES[route.placed]}")
    return " and ".join(told)


def _told_leg_by_leg(before: GygesPosition, route: Route) -> str:
    """Say which piece each leg moves: in ``fogliaccio`` every bounce moves another one."""
    holds = before.situation.holds
    (start, end), *others = pairwise(route.stops)
    first = f"moves the {holds(start)} on {NAMES[start]} to {_place(end)}"
    return ", ".join([first, *(f"the {holds(origin)} there to {_place(stop)}" for origin, stop in others)])


def _told_at_once(before: GygesPosition, route: Route) -> str:
    """Say where the one piece that moves goes, and over what."""
    start, *passed, end = route.stops
    over = ", ".join(NAMES[stop] for stop in passed) if len(passed) <= 8 else f"{len(passed)} pieces"
    told = f"moves the {before.situation.holds(start)} on {NAMES[start]} to {_place(end)}"
    return f"{told}, bouncing on {over}" if passed else told
