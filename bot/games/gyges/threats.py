"""Where a player could come to in one turn, and whether the goal is among it, without listing any move."""

from __future__ import annotations

from typing import NamedTuple

from bot.games.gyges.board import BITS, GOALS
from bot.games.gyges.rulesets import Ruleset, Situation, starts
from bot.games.gyges.scopes import Scopes


class Outlook(NamedTuple):
    """What the pieces of a row might do: the mask of the places they could come to if moving used up nothing, and the
    square of one that can enter the goal, or None."""

    places: int
    winning: int | None


def outlook(rules: Ruleset, at: Situation) -> Outlook:
    """Return the outlook of the first row that has a legal move, up to a piece that can win."""
    goal = BITS[GOALS[at.seat]]
    places = 0
    for row in rules.rows(at):
        moves = False
        places = 0
        for start in starts(at, row):
            scopes = Scopes(rules.legs[at.seat], at.pieces, at.without(start))
            ends, _ = scopes.after(start, 0)
            places |= ends
            if ends & goal and _comes_to(goal, scopes, start, rules.begin(start), 0):
                return Outlook(places, start)
            # Of two free squares one leg away, only one can be barred.
            moves = moves or (scopes.fan(start).ends & ~at.occupied).bit_count() > 1
        if moves or any(rules.arrangements(at, start) for start in starts(at, row)):
            break
    return Outlook(places, None)


def _comes_to(goal: int, scopes: Scopes, square: int, used: int, passed: int) -> bool:
    """Tell whether a route that has come to ``square``, with this used up, can go on into the goal.

    A route that comes back to a piece it has ``passed`` could have gone on from there at once.
    """
    fan = scopes.fan(square)
    if fan.ends & goal and any(leg.bit & goal and not leg.uses & used for leg in fan.legs):
        return True
    passed |= BITS[square]
    return any(
        _comes_to(goal, scopes, end, used | uses, passed)
        for uses, end, bit, _, _ in fan.legs
        if bit & scopes.others & ~passed and not uses & used and scopes.after(end, passed)[0] & goal
    )
