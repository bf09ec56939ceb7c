"""What a position of Gygès looks like and how it is said in words. Knows the position, decides no rule."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.games.game import PASS, IllegalMove, View, caption
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
from bot.games.gyges.rulesets import Situation
from renderers.scene import Colour, EdgeMark, Goal, Ground, Mark, Path, Piece, Region, Scene, Shape, Side, Tray

_COLOURS: Final = (Colour.SEAT1, Colour.SEAT4)
_HEADINGS: Final = (Side.TOP, Side.BOTTOM)
_BESIDE: Final = (Side.LEFT, Side.RIGHT)
"""The side of the board at which each seat's border row is marked, so that both can be marked at one rank."""
_GOALS: Final = (
    Goal("N", Side.TOP, "South wins here", _COLOURS[SOUTH]),
    Goal("S", Side.BOTTOM, "North wins here", _COLOURS[NORTH]),
)
_MOST_TOLD: Final = 6
"""Bounces told one by one; more are summed up."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What is drawn of a turn: marks on squares and lines through them, and pieces that a set-up begun has placed."""

    marks: tuple[tuple[Mark, str], ...] = ()
    paths: tuple[Path, ...] = ()
    placed: tuple[tuple[int, int], ...] = ()


def draw(position: SetUp | GygesPosition, view: View[SetUp | GygesPosition, Turn]) -> Scene:
    """Return the scene of ``position``, seen as ``view`` says.

    The last move is not drawn under one in the making: two paths at a time cannot be told apart. A move in the making
    that is complete is shown as if it were played, but for who is to move.
    """
    shown = _result_of_choice(position, "".join(view.chosen))
    aims = tuple((Mark.TARGET, square) for square in view.targets)
    if view.chosen:
        trace = _of_choice(position, "".join(view.chosen))
    else:
        trace = Trace() if aims else _of_last(view.last, view.before)
    pieces = (*pieces_of(shown.pieces), *trace.placed)
    return Scene(
        files=SIZE,
        ranks=SIZE,
        ground=Ground.CELLS,
        tiles=(Colour.WOOD,) * len(SQUARES),
        pieces=tuple(Piece(NAMES[at], Shape.RINGS, Colour.WOOD, str(value), value) for at, value in pieces),
        marks=(*trace.marks, *aims),
        paths=trace.paths,
        goals=_GOALS,
        regions=_regions(position),
        edges=_edges(position),
        trays=tuple(_tray(position, player) for player in (SOUTH, NORTH)),
        turned=view.seat == NORTH,
        coordinates=view.coordinates,
        title="Gygès",
        caption=caption(position.result, _turn(position), SEAT_NAMES, view.last),
        words=pieces_in_words(shown),
    )


def _result_of_choice(position: SetUp | GygesPosition, begun: str) -> SetUp | GygesPosition:
    """Return what the choices so far lead to where they are a whole move, else the position itself."""
    if isinstance(position, SetUp) or not begun:
        return position
    try:
        return position.play(position.parse(begun))
    except IllegalMove:
        return position


def _of_choice(position: SetUp | GygesPosition, begun: str) -> Trace:
    """Return what is drawn of a move under construction."""
    if isinstance(position, SetUp):
        home = RANKS[FROM_HOME[position.side][0]]
        placed = tuple(zip(home, map(int, begun), strict=False))
        return Trace(tuple((Mark.CHOSEN, NAMES[square]) for square, _ in placed), placed=placed)
    if begun == PASS:
        return Trace()
    route = Route.read(begun)
    marks = dict.fromkeys((Mark.CHOSEN, NAMES[stop]) for stop in route.stops)
    if route.placed is not None:
        marks[Mark.ENTERED, NAMES[route.placed]] = None
    return Trace(tuple(marks), _paths(position, route))


def _of_last(last: Turn | None, before: SetUp | GygesPosition | None) -> Trace:
    """Return what is drawn of the last move; without the position before it, its stops but not its path."""
    if last is None or last == PASS:
        return Trace()
    route = _seen(last, before)
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


def _seen(turn: Turn, before: SetUp | GygesPosition | None) -> Route | None:
    """Return the route of a turn as it is shown, or None for one without."""
    route = turn.route
    return before.rules.plain(before.situation, route) if route and isinstance(before, GygesPosition) else route


def _paths(before: GygesPosition, route: Route) -> tuple[Path, ...]:
    """Return the path of a route, through every square it passes; a relocation goes through none and has no line."""
    ways = before.rules.walk(before.situation, route.stops)
    if not ways or len(route.stops) == 1:
        return ()
    return (Path(tuple(NAMES[place] for place in min(ways.values(), key=_bends))),)


def _bends(path: tuple[int, ...]) -> int:
    """Return how often a path turns; its steps are differences of places, and one into a goal bends nothing."""
    steps = [after - before for before, after in pairwise(path) if after not in GOALS]
    return sum(one != other for one, other in pairwise(steps))


def _edges(position: SetUp | GygesPosition) -> tuple[EdgeMark, ...]:
    """Return the marks beside both border rows; a set-up has none yet."""
    if isinstance(position, SetUp):
        return ()
    return tuple(
        EdgeMark(rows_of(position.pieces, player)[0] + 1, _BESIDE[player], _COLOURS[player], f"{name}'s border row")
        for player, name in enumerate(SEAT_NAMES)
    )


def _regions(position: SetUp | GygesPosition) -> tuple[Region, ...]:
    """Return the border row of the player to move, from which alone they may move; there is none in a set-up."""
    if isinstance(position, SetUp) or position.result is not None:
        return ()
    row = RANKS[rows_of(position.pieces, position.side)[0]]
    squares = tuple(NAMES[square] for square in row)
    label = f"{SEAT_NAMES[position.side]}'s border row"
    return (Region(squares, _COLOURS[position.side], label, tinted=True),)


def _tray(position: SetUp | GygesPosition, player: int) -> Tray:
    return Tray(
        seat=player,
        name=SEAT_NAMES[player],
        colour=_COLOURS[player],
        label="sets up" if isinstance(position, SetUp) and player == position.side else "",
        to_move=player in position.to_move,
        heading=_HEADINGS[player],
    )


def _turn(position: SetUp | GygesPosition) -> str:
    return f"{SEAT_NAMES[position.side]} to {'set up' if isinstance(position, SetUp) else 'move'}"


def pieces_in_words(position: SetUp | GygesPosition) -> tuple[str, ...]:
    """Return a line for each value and where its pieces stand, then one for the border rows and one for the goals."""
    pieces = pieces_of(position.pieces)
    if not pieces:
        return ("The board is empty",)
    lines = [
        f"{value}s: {', '.join(_place(place) for place, other in pieces if other == value)}" for value in (1, 2, 3)
    ]
    if isinstance(position, GygesPosition):
        south, north = (rows_of(position.pieces, player)[0] + 1 for player in (SOUTH, NORTH))
        lines.append(f"Border rows: South's is rank {south}, North's is rank {north}")
    lines.append("Goals: South wins in N, beyond rank 6; North wins in S, beyond rank 1")
    return tuple(lines)


def _place(place: int) -> str:
    return f"goal {NAMES[place]}" if place in GOALS else NAMES[place]


def move_in_words(before: SetUp | GygesPosition, turn: Turn) -> str:
    """Return what a turn does: "sets up 2 3 1 1 2 3", "moves the 3 on c1 to d3, the 2 there to d6", "passes"."""
    route = _seen(turn, before)
    if isinstance(before, SetUp) or route is None:
        return "passes" if turn == PASS else f"sets up {' '.join(turn)}"
    at = before.situation
    told = _told_at_once(at, route) if before.ruleset == "classic" else _told_leg_by_leg(at, route)
    if route.placed is None:
        return told
    comma = "," if len(route.stops) > 2 else ""
    return f"{told}{comma} and puts the {at.holds(route.stops[-1])} there on {NAMES[route.placed]}"


def _told_leg_by_leg(at: Situation, route: Route) -> str:
    """Say which piece each leg moves, unless they are many: in ``fogliaccio`` every bounce moves another one."""
    start, end, *others = route.stops
    first = f"moves the {at.holds(start)} on {NAMES[start]} to {_place(end)}"
    if len(others) > _MOST_TOLD:
        return f"{first}, then {len(others)} more pieces, the last to {_place(others[-1])}"
    legs = pairwise((end, *others))
    return ", ".join([first, *(f"the {at.holds(origin)} there to {_place(stop)}" for origin, stop in legs)])


def _told_at_once(at: Situation, route: Route) -> str:
    """Say where the one piece that moves goes, and over what."""
    start, *passed, end = route.stops
    told = f"moves the {at.holds(start)} on {NAMES[start]} to {_place(end)}"
    if not passed:
        return told
    if len(passed) > _MOST_TOLD:
        return f"{told}, bouncing on {len(passed)} pieces"
    *names, final = (NAMES[stop] for stop in passed)
    return f"{told}, bouncing on {' and '.join([', '.join(names), final] if names else [final])}"
