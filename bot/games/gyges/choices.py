"""Turns of Gygès choice by choice: the next steps of the move builder, and their words. Decides no legality."""

from __future__ import annotations

from typing import Final

from bot.games.game import PASS, IllegalMove, Step
from bot.games.gyges.board import ARRANGEMENTS, FROM_HOME, GOALS, NAMES, RANKS
from bot.games.gyges.notation import PASSING, Route, Turn, read_route
from bot.games.gyges.rulesets import Choice, Ruleset, Situation
from renderers.i18n import COMMA, LazyJoin, LazyText
from renderers.i18n import gettext_lazy as _

_PUSH: Final = "-"
_PUT: Final = "="
"""The two ways to go on after a piece has landed on another: keys of steps, and what the text of a move has there."""

_MOST_NAMED: Final = 11
"""Bounces named one by one in a label: the most a turn can have that enters no square twice."""


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
            label = LazyJoin(COMMA, shown)
            move = Turn(whole[0]) if len(whole) == 1 else None
            steps[key] = Step(key, label, squares[0], move, label)
    return list(steps.values())


def prompt_of_setup(seat: int, prefix: tuple[str, ...]) -> str:
    """Return the question that the choices after ``prefix`` answer."""
    placed = len("".join(prefix))
    home = RANKS[FROM_HOME[seat][0]]
    return _("Which value on {square}?", square=NAMES[home[placed]]) if placed < len(home) else _("Play it?")


def of_turn(rules: Ruleset, at: Situation, prefix: tuple[str, ...]) -> list[Step]:
    """Return the choices that continue a turn: a piece, where it comes to, and what happens to a piece it lands on.

    The ruleset decides how much one choice says: see ``Ruleset.onward``. Where the piece that is hit can be pushed on
    or put elsewhere, that is a choice of its own before the square.
    """
    if not prefix:
        pieces = []
        for start in rules.movable(at):
            square, value = NAMES[start], at.holds(start)
            # Translators: {piece} is the value of a piece: "c1: the 3".
            label = _("{square}: the {piece}", square=square, piece=value)
            pieces.append(Step(square, label, square, None, _standing(square, value)))
        return pieces or [Step(PASS, _("Pass"), None, PASSING)]
    text = "".join(prefix)
    way = text[-1:] if text[-1:] in (_PUSH, _PUT) else ""
    route = _route_so_far(rules, at, text.removesuffix(way))
    if route is None:
        return []
    pushes, puts = onward(rules, at, route)
    if way:
        both = bool(pushes and puts)
        return [_of_route(rules, at, route, *choice, 1) for choice in (pushes if way == _PUSH else puts) if both]
    if pushes and puts:
        hit = at.holds(route.stops[-1])
        push = Step(_PUSH, _("Push the {piece} away", piece=hit))
        return [push, Step(_PUT, _("Put the {piece} elsewhere", piece=hit))]
    return [_of_route(rules, at, route, *choice, 0) for choice in pushes or puts]


def onward(rules: Ruleset, at: Situation, route: Route) -> tuple[list[Choice], list[Choice]]:
    """Return the choices after ``route`` in two parts: those that move a piece on, and those that relocate one."""
    offered = rules.onward(at, route, rules.outcomes(at, route.stops[0]))
    puts = [choice for choice in offered if choice[0].placed is not None]
    return [choice for choice in offered if choice[0].placed is None], puts


def prompt_of_turn(rules: Ruleset, at: Situation, prefix: tuple[str, ...]) -> str:
    """Return the question that the choices after ``prefix`` answer."""
    text = "".join(prefix)
    way = text[-1:] if text[-1:] in (_PUSH, _PUT) else ""
    route = _route_so_far(rules, at, text.removesuffix(way)) if text else None
    if route is None:
        return _("Which piece?") if not text else _("Play it?")
    end = route.stops[-1]
    told = {"piece": at.holds(end), "square": NAMES[end]}
    if len(route.stops) == 1:
        # Translators: {piece} is the value of a piece, here and below: "Where does the 3 on b1 go?"
        return _("Where does the {piece} on {square} go?", **told)
    if way == _PUSH:
        return _("Where do you push the {piece} from {square}?", **told)
    if way == _PUT:
        return _("Where do you put the {piece} from {square}?", **told)
    pushes, puts = onward(rules, at, route)
    lands = {"piece": at.holds(rules.mover(route.stops[:-1])), "other": at.holds(end), "square": NAMES[end]}
    if pushes and puts:
        return _(
            "The {piece} lands on the {other} on {square}: push the {other} away, or put it elsewhere?",
            **lands,
        )
    if pushes:
        return _("The {piece} lands on the {other} on {square}. Where do you push the {other}?", **lands)
    return _("The {piece} lands on the {other} on {square}. Where do you put the {other}?", **lands)


def _route_so_far(rules: Ruleset, at: Situation, text: str) -> Route | None:
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


def _standing(square: str, value: int) -> LazyText:
    # Translators: on a button: the piece of a value, and its square: "3 on c1".
    return _("{piece} on {square}", piece=value, square=square)


def _of_route(rules: Ruleset, at: Situation, begun: Route, longer: Route, turn: Turn | None, signs: int) -> Step:
    """Return the choice that makes ``begun`` ``longer``; the first ``signs`` characters of its key are chosen before.

    A relocation is asked about: it changes more than the square that is chosen.
    """
    key = str(longer)[len(str(begun)) + signs :]
    end = longer.stops[-1] if longer.placed is None else longer.placed
    relocated = longer.placed is not None
    short: str = NAMES[end]
    if not relocated and end in GOALS:
        short = _("goal {goal}", goal=NAMES[end])
    elif not relocated and turn is None:
        short = _standing(NAMES[end], at.holds(end))
    return Step(key, _label(rules, at, begun, longer), NAMES[end], turn, short, relocated)


def _label(rules: Ruleset, at: Situation, begun: Route, longer: Route) -> LazyText:
    """Say what a choice does.

    Such as "d3: the 3 lands on a 2", "e5: the 3 stops there, via d3", "a2: put the 2 there".
    """
    *passed, end = longer.stops[len(begun.stops) :] or begun.stops[-1:]
    if longer.placed is not None:
        return _("{square}: put the {piece} there", square=NAMES[longer.placed], piece=at.holds(end))
    # Translators: {piece} and {other} are the values of pieces: "d3: the 3 lands on a 2".
    told = {"square": NAMES[end], "piece": at.holds(rules.mover(longer.stops[:-1]))}
    if end in GOALS:
        choice = _("{square}: the {piece} enters the goal", **told)
    elif at.holds(end) and end != longer.stops[0]:
        choice = _("{square}: the {piece} lands on a {other}", **told, other=at.holds(end))
    else:
        choice = _("{square}: the {piece} stops there", **told)
    if not passed:
        return choice
    if len(passed) > _MOST_NAMED:
        return _("{choice}, by many bounces", choice=choice)
    # Translators: a choice, and squares on the way: "e5: the 3 stops there, via d3, d4".
    return _("{choice}, via {squares}", choice=choice, squares=LazyJoin(COMMA, [NAMES[stop] for stop in passed]))
