"""Turns of Gygès choice by choice: the next steps of the move builder and their labels. Decides no legality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games.game import PASS, IllegalMove, Step
from bot.games.gyges.board import ARRANGEMENTS, FROM_HOME, GOALS, NAMES, RANKS
from bot.games.gyges.notation import PASSING, Route, Turn, read_route
from bot.games.gyges.rulesets import Choice, Ruleset, Situation
from renderers.i18n import COMMA, LazyJoin, LazyText
from renderers.i18n import gettext_lazy as _

_MENU = 25
"""The options of one menu."""
_MOST_NAMED = 11
"""Bounces named one by one in a label: the most a turn can have that enters no square twice."""

# Translators: {piece} and {other} are the values of pieces: "d3: the 3 lands on a 2", "e6: the 2 from d3 stops there".
_PUT: Final = (_("{square}: put the {piece} there"), _("{square}: put the {piece} from {origin} there"))
_ENTERS: Final = (_("{square}: the {piece} enters the goal"), _("{square}: the {piece} from {origin} enters the goal"))
_LANDS: Final = (
    _("{square}: the {piece} lands on a {other}"),
    _("{square}: the {piece} from {origin} lands on a {other}"),
)
_STOPS: Final = (_("{square}: the {piece} stops there"), _("{square}: the {piece} from {origin} stops there"))
"""What a choice does with a piece: without the square it comes from, and with it."""


def of_setup(seat: int, prefix: tuple[str, ...]) -> list[Step]:
    """Return the choices that continue a set-up: a value for each square from file a, until the rest is settled."""
    if prefix and prefix[-1] not in {step.key for step in of_setup(seat, prefix[:-1])}:
        return []
    begun = "".join(prefix)
    home = RANKS[FROM_HOME[seat][0]]
    steps: dict[str, Step] = {}
    for value in "123":
        whole = [text for text in ARRANGEMENTS if text.startswith(begun + value)]
        if whole:
            key = value if len(whole) > 1 else whole[0][len(begun) :]
            squares = [NAMES[square] for square in home[len(begun) :]]
            shown = [_("{head}: {text}", head=square, text=digit) for square, digit in zip(squares, key, strict=False)]
            steps[key] = Step(key, LazyJoin(COMMA, shown), squares[0], Turn(whole[0]) if len(whole) == 1 else None, key)
    return list(steps.values())


def prompt_of_setup(seat: int, prefix: tuple[str, ...]) -> str:
    """Return the question that the choices after ``prefix`` answer."""
    placed = len("".join(prefix))
    home = RANKS[FROM_HOME[seat][0]]
    return _("Which value on {square}?", square=NAMES[home[placed]]) if placed < len(home) else _("Play it?")


def of_turn(rules: Ruleset, at: Situation, prefix: tuple[str, ...]) -> list[Step]:
    """Return the choices that continue a turn: a piece, then where it comes to, bounces and relocations as they follow.

    The ruleset decides how much one choice says: see ``Ruleset.onward``. Where a menu has room, the choices that follow
    stand in place of a choice, so that most moves take few.
    """
    if not prefix:
        return _of_pieces(rules, at)
    route = _begun(rules, at, "".join(prefix))
    if route is None:
        return []
    offered = _offered(rules, at, route, rules.outcomes(at, route.stops[0]))
    return [_of_route(rules, at, route, longer, turn) for longer, turn in offered]


def _begun(rules: Ruleset, at: Situation, text: str) -> Route | None:
    """Read choices as a route that has just come to a piece; None for any other text."""
    try:
        route = read_route(text)
    except IllegalMove:
        return None
    if route is None or route.placed is not None:
        return None
    start, *others = route.stops
    if not all(at.holds(stop) and stop != start for stop in others) or not rules.walk(at, route.stops):
        return None
    return route if start in rules.movable(at) else None


def _of_pieces(rules: Ruleset, at: Situation) -> list[Step]:
    found = [_of_piece(NAMES[start], at.holds(start)) for start in rules.movable(at)]
    return found or [Step(PASS, _("Pass"), None, PASSING)]


def _of_piece(square: str, value: int) -> Step:
    # Translators: {piece} is the value of a piece: "c1: the 3".
    label = _("{square}: the {piece}", square=square, piece=value)
    return Step(square, label, square, None, f"{square} ({value})")


def _of_route(rules: Ruleset, at: Situation, begun: Route, longer: Route, turn: Turn | None) -> Step:
    """Return the choice that makes ``begun`` ``longer``; a button says how it is written, with dots if it goes on."""
    key = str(longer)[len(str(begun)) :]
    short = key.removeprefix("-") if turn is not None else f"{key.removeprefix('-')} …"
    return Step(key, _label(rules, at, begun, longer), _square(longer), turn, short)


def _offered(rules: Ruleset, at: Situation, route: Route, outcomes: Mapping[int, Turn]) -> list[Choice]:
    """Return the choices after ``route``, each move once. Those with the fewest to follow give way to them first."""
    offered = rules.onward(at, route, outcomes)
    following = {longer: rules.onward(at, longer, outcomes) for longer, turn in offered if turn is None}
    while following:
        nearest = min(following, key=lambda longer: len(following[longer]))
        place = [longer for longer, _ in offered].index(nearest)
        opened = _once([*offered[:place], *following.pop(nearest), *offered[place + 1 :]])
        if len(opened) > _MENU:
            break
        offered = opened
        new = [longer for longer, turn in offered[place:] if turn is None and longer not in following]
        following |= {longer: rules.onward(at, longer, outcomes) for longer in new}
    return offered


def _once(offered: Sequence[Choice]) -> list[Choice]:
    """Leave out a choice that completes the same move as one before it."""
    moves = [turn for _, turn in offered]
    return [choice for place, choice in enumerate(offered) if choice[1] is None or choice[1] not in moves[:place]]


def _square(route: Route) -> str:
    return NAMES[route.stops[-1] if route.placed is None else route.placed]


def _label(rules: Ruleset, at: Situation, begun: Route, longer: Route) -> LazyText:
    """Say what a choice does.

    Such as "d3: the 3 lands on a 2", "e5: the 3 stops there, via d3", "a2: put the 2 there", or, two legs on,
    "e6: the 2 from d3 stops there".
    """
    *passed, end = longer.stops[len(begun.stops) :] or begun.stops[-1:]
    told = end if longer.placed is not None else rules.mover(longer.stops[:-1])
    if longer.placed is not None:
        does = _PUT
    elif end in GOALS:
        does = _ENTERS
    elif at.holds(end) and end != longer.stops[0]:
        does = _LANDS
    else:
        does = _STOPS
    choice = does[told not in begun.stops].filled(
        square=_square(longer), piece=at.holds(told), origin=NAMES[told], other=at.holds(end)
    )
    return _by_way_of(choice, [stop for stop in passed if stop != told])


def _by_way_of(choice: LazyText, stops: Sequence[int]) -> LazyText:
    if not stops:
        return choice
    if len(stops) > _MOST_NAMED:
        return _("{choice}, by many bounces", choice=choice)
    # Translators: a choice, and squares on the way: "e5: the 3 stops there, via d3, d4".
    return _("{choice}, via {squares}", choice=choice, squares=LazyJoin(COMMA, [NAMES[stop] for stop in stops]))
