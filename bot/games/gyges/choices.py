"""Turns of Gygès choice by choice: what a player is offered next, and in which words. Decides no legality."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.game import PASS, Step
from bot.games.gyges.board import ARRANGEMENTS, FROM_HOME, GOALS, NAMES, RANKS
from bot.games.gyges.notation import PASSING, Route, Turn
from bot.games.gyges.rulesets import Ruleset, Situation, starts

_MOST_NAMED = 8
"""Bounces named one by one in a label."""


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
            label = ", ".join(f"{square}: {digit}" for square, digit in zip(squares, key, strict=False))
            steps[key] = Step(key, label, squares[0], Turn(whole[0]) if len(whole) == 1 else None)
    return list(steps.values())


def of_turn(rules: Ruleset, at: Situation, prefix: tuple[str, ...]) -> list[Step]:
    """Return the choices that continue a turn: a piece, then where it comes to, bounces and relocations as they follow.

    How much one choice says is the ruleset's: see ``Ruleset.onward``.
    """
    if not prefix:
        return _of_pieces(rules, at)
    if prefix[-1] not in {step.key for step in of_turn(rules, at, prefix[:-1])} or "=" in prefix[-1]:
        return []
    begun = "".join(prefix)
    if begun == PASS:
        return []
    route = Route.read(begun)
    if len(route.stops) > 1 and not at.holds(route.stops[-1]):
        return []
    return [
        Step(str(longer)[len(begun) :], _label(rules, at, route, longer), _square(longer), turn)
        for longer, turn in rules.onward(at, route)
    ]


def _of_pieces(rules: Ruleset, at: Situation) -> list[Step]:
    for row in rules.rows(at):
        if found := [start for start in starts(at, row) if rules.turns(at, start)]:
            return [Step(NAMES[start], f"{NAMES[start]}: the {at.holds(start)}", NAMES[start]) for start in found]
    return [Step(PASS, "Pass", None, PASSING)]


def _square(route: Route) -> str:
    return NAMES[route.stops[-1] if route.placed is None else route.placed]


def _label(rules: Ruleset, at: Situation, begun: Route, longer: Route) -> str:
    """Say what a choice does: "d3: the 3 lands on a 2", "e5: the 3 stops there, over d3", "a2: put the 2 there"."""
    end, square = longer.stops[-1], _square(longer)
    if longer.placed is not None:
        return f"{square}: put the {at.holds(end)} there"
    mover = f"the {at.holds(rules.mover(begun.stops))}"
    if end in GOALS:
        does = f"{mover} enters the goal"
    elif at.holds(end) and end != longer.stops[0]:
        does = f"{mover} lands on a {at.holds(end)}"
    else:
        does = f"{mover} stops there"
    return f"{square}: {does}{_over(longer.stops[len(begun.stops) : -1])}"


def _over(stops: Sequence[int]) -> str:
    if not stops:
        return ""
    return f", over {', '.join(NAMES[stop] for stop in stops)}" if len(stops) <= _MOST_NAMED else ", by many bounces"
