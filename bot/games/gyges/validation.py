"""Validates a typed route: finds the legal move it means, or says in the words of the game why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.games.game import IllegalMove
from bot.games.gyges.board import GOALS, NAMES, SIZE, SOUTH
from bot.games.gyges.notation import PASSING, Route, Turn
from bot.games.gyges.rulesets import Ruleset, Situation, Ways, starts
from renderers.i18n import LazyText
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

_BROUGHT_BACK: Final = (
    _("that brings back the board as it was before North's last move, which is forbidden"),
    _("that brings back the board as it was before South's last move, which is forbidden"),
)
"""By the seat that is told: the other one moved last."""
_OWN_GOAL: Final = (
    _("S is South's own goal: it cannot be entered"),
    _("N is North's own goal: it cannot be entered"),
)
_OFF_BORDER_ROW: Final = (
    _("{square} is not on South's border row, rank {rank}: only pieces standing there may move now"),
    _("{square} is not on North's border row, rank {rank}: only pieces standing there may move now"),
)
_OFF_NEXT_ROW: Final = (
    _("{square} is not on rank {rank}: only pieces standing there may move now, as South's border row is stuck"),
    _("{square} is not on rank {rank}: only pieces standing there may move now, as North's border row is stuck"),
)


def validated(rules: Ruleset, at: Situation, route: Route | None) -> Turn:
    """Return the legal move with the same result as a route (None: a pass). Raises ``IllegalMove`` if there is none."""
    if route is None:
        if rules.all_turns(at):
            raise IllegalMove(_("you may pass only when you have no legal move, and you have one"))
        return PASSING
    start = route.stops[0]
    _check_start(rules, at, start)
    if len(route.stops) == 1:
        # Translators: {piece} is the value of a piece.
        say = _("say where the {piece} on {square} goes, as in c1-d3", piece=at.holds(start), square=NAMES[start])
        raise IllegalMove(say)
    _check_legs(rules, at, route.stops)
    _check_end(rules, at, route)
    after = rules.after(at.pieces, route)
    if after == at.pieces:
        raise IllegalMove(_("that leaves everything where it was: a move must change the board"))
    if after == at.barred:
        raise IllegalMove(_BROUGHT_BACK[at.seat])
    return rules.outcomes(at, start)[after]


def _check_start(rules: Ruleset, at: Situation, start: int) -> None:
    name = NAMES[start]
    if not at.holds(start):
        raise IllegalMove(_("{square} is empty: there is no piece to move", square=name))
    rows = rules.rows(at)
    for row in rows:
        if row == start % SIZE:
            return
        if any(rules.outcomes(at, other) for other in starts(at, row)):
            break
    said = _OFF_BORDER_ROW if row == rows[0] else _OFF_NEXT_ROW
    raise IllegalMove(said[at.seat].filled(square=name, rank=row + 1))


def _check_legs(rules: Ruleset, at: Situation, stops: Sequence[int]) -> None:
    start = stops[0]
    ways: Ways = {rules.begin(start): ()}
    for number, (origin, end) in enumerate(pairwise(stops), start=2):
        onward = rules.extend(at, ways, start, origin, end)
        if not onward:
            raise IllegalMove(_why_not(rules, at, start, origin, end))
        if number < len(stops) and (not at.holds(end) or end == start):
            raise IllegalMove(
                _("{goal} holds no piece to bounce on: the game ends there", goal=NAMES[end])
                if end in GOALS
                else _("{square} holds no piece to bounce on: the move ends there", square=NAMES[end])
            )
        ways = onward


def _why_not(rules: Ruleset, at: Situation, start: int, origin: int, end: int) -> LazyText:
    """Return why a turn of the piece on ``start`` cannot have a leg from ``origin`` to ``end``."""
    value, here, name = at.holds(origin), NAMES[origin], NAMES[end]
    if end == GOALS[1 - at.seat]:
        return _OWN_GOAL[at.seat]
    table = rules.legs[at.seat]
    if all(leg.end != end for leg in table.legs[value][origin]):
        return _n(
            "{end} is out of reach from {origin}: exactly one step must be made, never diagonally",
            "{end} is out of reach from {origin}: exactly {n} steps must be made, never diagonally",
            value,
            origin=here,
            end=name,
        )
    if all(leg.end != end for leg in table.open_legs(value, origin, at.without(start)).legs):
        return _n(
            "every way of one step from {origin} to {end} is blocked: only the last step may end on a piece",
            "every way of {n} steps from {origin} to {end} is blocked: only the last step may end on a piece",
            value,
            origin=here,
            end=name,
        )
    return rules.twice.filled(origin=here, end=name)


def _check_end(rules: Ruleset, at: Situation, route: Route) -> None:
    start, end, placed = route.stops[0], route.stops[-1], route.placed
    hit = 0 if end == start else at.holds(end)
    if placed is None:
        if hit:
            # Translators: {piece} is the value of a piece.
            say = _("{square} holds a {piece}: bounce on, or say where it is put, as in c1-d3=a2")
            raise IllegalMove(say.filled(square=NAMES[end], piece=hit))
        return
    if not hit:
        raise IllegalMove(_("{square} holds no piece to relocate", square=NAMES[end]))
    name = NAMES[placed]
    if placed in GOALS:
        raise IllegalMove(_("a piece cannot be put into a goal"))
    if placed not in rules.zone(at):
        ranks = sorted({square % SIZE + 1 for square in rules.zone(at)})
        if at.seat == SOUTH:
            said = _n(
                "{square} is out of bounds: with North's border row on rank {row}, a piece is put on rank {first}",
                "{square} is out of bounds: with North's border row on rank {row}, "
                "a piece is put on ranks {first} to {last}",
                len(ranks),
            )
        else:
            said = _n(
                "{square} is out of bounds: with South's border row on rank {row}, a piece is put on rank {first}",
                "{square} is out of bounds: with South's border row on rank {row}, "
                "a piece is put on ranks {first} to {last}",
                len(ranks),
            )
        raise IllegalMove(said.filled(square=name, row=at.opponents_border + 1, first=ranks[0], last=ranks[-1]))
    if placed not in rules.free(at, start):
        raise IllegalMove(_("{square} is taken: a piece is put on a free square", square=name))
