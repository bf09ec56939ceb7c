"""Positions of Gygès as scenes and in words. Decides no rule."""

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
from renderers.i18n import COMMA, LazyJoin, LazyList, LazyText
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n
from renderers.scene import Colour, EdgeMark, Goal, Ground, Mark, Path, Piece, Region, Scene, Shape, Side, Tray

_COLOURS: Final = (Colour.SEAT1, Colour.SEAT4)
_HEADINGS: Final = (Side.TOP, Side.BOTTOM)
_BESIDE: Final = (Side.LEFT, Side.RIGHT)
"""The side of the board at which each seat's border row is marked, so that both can be marked at one rank."""
_GOALS: Final = (
    Goal("N", Side.TOP, _("South wins here"), _COLOURS[SOUTH]),
    Goal("S", Side.BOTTOM, _("North wins here"), _COLOURS[NORTH]),
)
_BORDER_ROW: Final = (_("South's border row"), _("North's border row"))
_MOST_TOLD: Final = 6
"""Bounces told one by one; more are summed up."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The drawing of a turn: marks on squares, lines through them, and the pieces a set-up in the making has placed."""

    marks: tuple[tuple[Mark, str], ...] = ()
    paths: tuple[Path, ...] = ()
    placed: tuple[tuple[int, int], ...] = ()


def draw(position: SetUp | GygesPosition, view: View[SetUp | GygesPosition, Turn]) -> Scene:
    """Return the scene of ``position``, seen as ``view`` says.

    The last move is not drawn under one in the making: two paths at a time cannot be told apart. A complete move in the
    making is shown as if it were played, except for the seat to move.
    """
    shown = _result_of_choice(position, "".join(view.chosen))
    aims = tuple((Mark.TARGET, square) for square in view.targets)
    if view.chosen:
        begun = "".join(view.chosen)
        if isinstance(position, SetUp):
            home = RANKS[FROM_HOME[position.side][0]]
            placed = tuple(zip(home, map(int, begun), strict=False))
            trace = Trace(tuple((Mark.CHOSEN, NAMES[square]) for square, _ in placed), placed=placed)
        elif begun == PASS:
            trace = Trace()
        else:
            # Until a square is chosen, the text ends with the sign for pushing a piece on, or putting it elsewhere.
            route = Route.read(begun.rstrip("-="))
            marks = dict.fromkeys((Mark.CHOSEN, NAMES[stop]) for stop in route.stops)
            if route.placed is not None:
                marks[Mark.ENTERED, NAMES[route.placed]] = None
            trace = Trace(tuple(marks), _paths(position, route))
    else:
        trace = Trace() if aims else _trace_of_last(view.last, view.before)
    pieces = (*pieces_of(shown.pieces), *trace.placed)
    seat = SEAT_NAMES[position.side]
    turn = _("{seat} to set up", seat=seat) if isinstance(position, SetUp) else _("{seat} to move", seat=seat)
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
        title=_("Gygès"),
        caption=caption(position.result, turn, SEAT_NAMES, view.last),
        words=pieces_in_words(shown),
    )


def _result_of_choice(position: SetUp | GygesPosition, begun: str) -> SetUp | GygesPosition:
    """Return the position after the choices so far if they are a whole move, else the position itself."""
    if isinstance(position, SetUp) or not begun:
        return position
    try:
        return position.play(position.parse(begun))
    except IllegalMove:
        return position


def _trace_of_last(last: Turn | None, before: SetUp | GygesPosition | None) -> Trace:
    """Return the drawing of the last move. Without the position before it, it has the stops but no path."""
    if last is None or last == PASS:
        return Trace()
    route = _route_of(last, before)
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


def _route_of(turn: Turn, before: SetUp | GygesPosition | None) -> Route | None:
    """Return the route of a turn as people see it, or None for a turn without one."""
    route = turn.route
    return before.rules.plain(before.situation, route) if route and isinstance(before, GygesPosition) else route


def _paths(before: GygesPosition, route: Route) -> tuple[Path, ...]:
    """Return the path of a route through all its squares. A relocation has no path."""
    ways = before.rules.walk(before.situation, route.stops)
    if not ways or len(route.stops) == 1:
        return ()
    return (Path(tuple(NAMES[place] for place in min(ways.values(), key=_bends))),)


def _bends(path: tuple[int, ...]) -> int:
    """Return how often a path turns. Its steps are differences of places; a step into a goal is no turn."""
    steps = [after - before for before, after in pairwise(path) if after not in GOALS]
    return sum(step != other for step, other in pairwise(steps))


def _edges(position: SetUp | GygesPosition) -> tuple[EdgeMark, ...]:
    """Return the marks beside both border rows; a set-up has none yet."""
    if isinstance(position, SetUp):
        return ()
    return tuple(
        EdgeMark(
            rows_of(position.pieces, player)[0] + 1,
            _BESIDE[player],
            _COLOURS[player],
            _BORDER_ROW[player],
            SEAT_NAMES[player],
        )
        for player in (SOUTH, NORTH)
    )


def _regions(position: SetUp | GygesPosition) -> tuple[Region, ...]:
    """Return the border row of the player to move, where their pieces start; none in a set-up."""
    if isinstance(position, SetUp) or position.result is not None:
        return ()
    row = RANKS[rows_of(position.pieces, position.side)[0]]
    squares = tuple(NAMES[square] for square in row)
    return (Region(squares, _COLOURS[position.side], _BORDER_ROW[position.side], tinted=True),)


def _tray(position: SetUp | GygesPosition, player: int) -> Tray:
    return Tray(
        seat=player,
        name=SEAT_NAMES[player],
        colour=_COLOURS[player],
        # Translators: beside the name of a seat, which is doing so.
        label=_("sets up") if isinstance(position, SetUp) and player == position.side else "",
        to_move=player == position.to_move,
        heading=_HEADINGS[player],
    )


def pieces_in_words(position: SetUp | GygesPosition) -> tuple[str, ...]:
    """Return a line for each value with the places of its pieces, then lines for the border rows and the goals."""
    pieces = pieces_of(position.pieces)
    if not pieces:
        return (_("The board is empty"),)
    lines = []
    for value in (1, 2, 3):
        places = [place for place, other in pieces if other == value]
        squares = LazyJoin(COMMA, [NAMES[place] for place in places if place not in GOALS])
        goal = next((NAMES[place] for place in places if place in GOALS), None)
        if goal is not None:
            # Translators: where the pieces of a value stand: "2s: a1, b3, f5, goal N".
            lines.append(_("{value}s: {squares}, goal {goal}", value=value, squares=squares, goal=goal))
        else:
            # Translators: where the pieces of a value stand: "2s: a1, b3, e6, f5".
            lines.append(_("{value}s: {squares}", value=value, squares=squares))
    if isinstance(position, GygesPosition):
        south, north = (rows_of(position.pieces, player)[0] + 1 for player in (SOUTH, NORTH))
        lines.append(_("Border rows: South's is rank {south}, North's is rank {north}", south=south, north=north))
    lines.append(_("Goals: South wins in N, beyond rank 6; North wins in S, beyond rank 1"))
    return tuple(lines)


def move_in_words(before: SetUp | GygesPosition, turn: Turn) -> LazyText:
    """Return a turn in words: "sets up 2 3 1 1 2 3", "moves the 3 on c1 to d3, the 2 there to d6", "passes"."""
    route = _route_of(turn, before)
    if isinstance(before, SetUp) or route is None:
        return _("passes") if turn == PASS else _("sets up {arrangement}", arrangement=" ".join(turn))
    at = before.situation
    told = _told_at_once(at, route) if before.ruleset == "classic" else _told_leg_by_leg(at, route)
    if route.placed is None:
        return told
    piece, square = at.holds(route.stops[-1]), NAMES[route.placed]
    if len(route.stops) == 2:
        # Translators: {moves} is "moves the 3 on c1 to d3", {piece} the value of the piece that stood there.
        return _("{moves} and puts the {piece} there on {square}", moves=told, piece=piece, square=square)
    return _("{moves}, and puts the {piece} there on {square}", moves=told, piece=piece, square=square)


def _first_leg(at: Situation, start: int, end: int) -> LazyText:
    piece, origin, name = at.holds(start), NAMES[start], NAMES[end]
    if end in GOALS:
        # Translators: what somebody does: "moves the 3 on c1 to goal N". {piece} is the value of a piece.
        return _("moves the {piece} on {origin} to goal {goal}", piece=piece, origin=origin, goal=name)
    return _("moves the {piece} on {origin} to {square}", piece=piece, origin=origin, square=name)


def _told_leg_by_leg(at: Situation, route: Route) -> LazyText:
    """Return each leg in words, because in ``fogliaccio`` every bounce moves another piece; many legs are summed up."""
    start, end, *others = route.stops
    told = _first_leg(at, start, end)
    if len(others) > _MOST_TOLD:
        count, end = len(others), others[-1]
        if end in GOALS:
            return _n(
                "{moves}, then {n} more piece, the last to goal {goal}",
                "{moves}, then {n} more pieces, the last to goal {goal}",
                count,
                moves=told,
                goal=NAMES[end],
            )
        return _n(
            "{moves}, then {n} more piece, the last to {square}",
            "{moves}, then {n} more pieces, the last to {square}",
            count,
            moves=told,
            square=NAMES[end],
        )
    for here, there in pairwise((end, *others)):
        if there in GOALS:
            # Translators: {moves} is what was done before: "moves the 3 on c1 to d3, the 2 there to goal N".
            told = _("{moves}, the {piece} there to goal {goal}", moves=told, piece=at.holds(here), goal=NAMES[there])
        else:
            told = _("{moves}, the {piece} there to {square}", moves=told, piece=at.holds(here), square=NAMES[there])
    return told


def _told_at_once(at: Situation, route: Route) -> LazyText:
    """Return the target of the one piece that moves, and its bounces."""
    start, *passed, end = route.stops
    told = _first_leg(at, start, end)
    if not passed:
        return told
    if len(passed) > _MOST_TOLD:
        return _n("{moves}, bouncing on {n} piece", "{moves}, bouncing on {n} pieces", len(passed), moves=told)
    return _("{moves}, bouncing on {squares}", moves=told, squares=LazyList(NAMES[stop] for stop in passed))
