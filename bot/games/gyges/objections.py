"""Judges a route that somebody typed: the legal move it is, or what is wrong with it, in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bot.games.game import IllegalMove
from bot.games.gyges.board import GOALS, NAMES, SEAT_NAMES, SIZE
from bot.games.gyges.notation import PASSING, Route, Turn
from bot.games.gyges.rulesets import Ruleset, Situation, Ways, starts


def judge(rules: Ruleset, at: Situation, route: Route | None) -> Turn:
    """Return the legal move a route (None: a pass) comes to, whichever way it takes. Raises ``IllegalMove``."""
    if route is None:
        if turns := rules.all_turns(at):
            raise IllegalMove(f"you may pass only without any legal move, and there is one: {turns[0]}")
        return PASSING
    start = route.stops[0]
    _check_start(rules, at, start)
    if len(route.stops) == 1:
        raise IllegalMove(f"say where the {at.holds(start)} on {NAMES[start]} goes, as in c1-d3")
    _check_legs(rules, at, route.stops)
    _check_end(rules, at, route)
    after = rules.after(at.pieces, route)
    if after == at.pieces:
        raise IllegalMove("that leaves everything where it was: a move must change the board")
    if after == at.barred:
        opponent = SEAT_NAMES[1 - at.seat]
        raise IllegalMove(f"that brings back the board as it was before {opponent}'s last move, which is forbidden")
    return rules.outcomes(at, start)[after]


def _check_start(rules: Ruleset, at: Situation, start: int) -> None:
    name, player = NAMES[start], SEAT_NAMES[at.seat]
    if not at.holds(start):
        raise IllegalMove(f"{name} is empty: there is no piece to move")
    rows = rules.rows(at)
    for row in rows:
        if row == start % SIZE:
            return
        if any(rules.outcomes(at, other) for other in starts(at, row)):
            break
    where = f"{player}'s border row, rank {rows[0] + 1}" if row == rows[0] else f"rank {row + 1}"
    why = "" if row == rows[0] else f", as {player}'s border row is stuck"
    raise IllegalMove(f"{name} is not on {where}: only pieces standing there may move now{why}")


def _check_legs(rules: Ruleset, at: Situation, stops: Sequence[int]) -> None:
    start = stops[0]
    ways: Ways = {rules.begin(start): ()}
    for number, (origin, end) in enumerate(pairwise(stops), start=2):
        onward = rules.extend(at, ways, start, origin, end)
        if not onward:
            raise IllegalMove(_why_not(rules, at, start, origin, end))
        if number < len(stops) and (not at.holds(end) or end == start):
            ends = "the game" if end in GOALS else "the move"
            raise IllegalMove(f"{NAMES[end]} holds no piece to bounce on: {ends} ends there")
        ways = onward


def _why_not(rules: Ruleset, at: Situation, start: int, origin: int, end: int) -> str:
    """Say why the leg from ``origin`` to ``end`` cannot be made in a turn of the piece on ``start``."""
    value, here, name = at.holds(origin), NAMES[origin], NAMES[end]
    if end == GOALS[1 - at.seat]:
        return f"{name} is {SEAT_NAMES[at.seat]}'s own goal: it cannot be entered"
    table = rules.legs[at.seat]
    steps = "one step" if value == 1 else f"{value} steps"
    if all(leg.end != end for leg in table.legs[value][origin]):
        return f"{name} is out of reach from {here}: exactly {steps} must be made, never diagonally"
    if all(leg.end != end for leg in table.fan(value, origin, at.without(start)).legs):
        return f"every way of {steps} from {here} to {name} is blocked: only the last step may end on a piece"
    return f"every free way from {here} to {name} {rules.twice} in this turn"


def _check_end(rules: Ruleset, at: Situation, route: Route) -> None:
    start, end, placed = route.stops[0], route.stops[-1], route.placed
    hit = 0 if end == start else at.holds(end)
    if placed is None:
        if hit:
            raise IllegalMove(f"{NAMES[end]} holds a {hit}: bounce on, or say where it is put, as in c1-d3=a2")
        return
    if not hit:
        raise IllegalMove(f"{NAMES[end]} holds no piece to relocate")
    name, opponent = NAMES[placed], SEAT_NAMES[1 - at.seat]
    if placed in GOALS:
        raise IllegalMove("a piece cannot be put into a goal")
    if placed not in rules.zone(at):
        ranks = sorted({square % SIZE + 1 for square in rules.zone(at)})
        where = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {ranks[0]} to {ranks[-1]}"
        raise IllegalMove(
            f"{name} is out of bounds: with {opponent}'s border row on rank {at.shore + 1}, a piece is put on {where}"
        )
    if placed not in rules.free(at, start):
        raise IllegalMove(f"{name} is taken: a piece is put on a free square")
