"""Where one piece can come to by the published rules, which use no connection twice, and by which route.

Knows no turn: what is done with a piece that is landed on is no matter here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.games.cancellation import check_cancelled
from bot.games.gyges.board import BITS, GOALS, NAMES, NORTH, SOUTH, places_in
from bot.games.gyges.legs import LegTable, connections_used
from bot.games.gyges.notation import DASH
from bot.games.gyges.rulesets import Situation
from bot.games.gyges.scopes import MANY, Scopes

_SHIFT: Final = 80


def _connections_and_stop(path: tuple[int, ...]) -> int:
    return connections_used(path) << _SHIFT | BITS[path[-1]]


_LEGS: Final = (LegTable(GOALS[SOUTH], _connections_and_stop), LegTable(GOALS[NORTH], _connections_and_stop))
"""The legs for each seat. That a route comes back to a piece is allowed, but it can do less then than when it was there
first: so where a leg ends is used up here, too."""

_Landed = tuple[str, int, int]
"""A route that has just landed on a piece: its text, what it has used up, and where that piece stands."""


def reach(at: Situation, start: int) -> dict[int, str]:
    """Return the text of the canonical route to every place where a leg of the piece on ``start`` can end.

    Leg by leg and in the order of texts, until every place is reached that could be if connections might be used
    twice. A route that lands where an earlier one did is given up if that one has used no other connections: it can do
    all that the later one can.
    """
    others = at.without(start)
    scopes = Scopes(_LEGS[at.seat], at.pieces, others)
    missing, _ = scopes.after(start, 0)
    found: dict[int, str] = {}
    front: list[_Landed] = [(NAMES[start], 0, start)]
    known: dict[int, list[int]] = {}
    while front:
        check_cancelled()
        landed: list[_Landed] = []
        for text, used, square in front:
            for uses, end, bit, _, _ in scopes.fan(square).legs:
                if uses & used:
                    continue
                if bit & missing:
                    missing ^= bit
                    found[end] = text + DASH[end]
                if bit & others:
                    landed.append((text + DASH[end], used | uses, end))
            if not missing:
                return found
        landed.sort()
        front = landed
        if len(front) > MANY:
            missing &= _attainable(scopes, start, others, missing)
            front = [route for route in _in_scope(front, scopes, missing) if _is_new(route, known)]
    return found


def _in_scope(front: list[_Landed], scopes: Scopes, missing: int) -> Iterator[_Landed]:
    """Yield the routes that might go on to a place in ``missing``, forgetting what no later leg could use."""
    for text, used, square in front:
        ends, uses = scopes.after(square, used & scopes.others)
        if ends & missing:
            yield text, used & uses, square


def _is_new(route: _Landed, known: dict[int, list[int]]) -> bool:
    """Tell whether no route in ``known`` landed on the same square and used nothing else; add this one then."""
    _, used, square = route
    earlier = known.setdefault(square, [])
    for other in earlier:
        if other & used == other:
            return False
    earlier.append(used)
    return True


def _attainable(scopes: Scopes, start: int, others: int, missing: int) -> int:
    """Return the places in ``missing`` that some last leg could end on.

    For that, the piece must come to where the leg begins without what the leg itself uses, all else allowed.
    """
    found = 0
    for square in places_in(others | BITS[start]):
        fan = scopes.fan(square)
        if fan.ends & missing & ~found:
            for uses, _, bit, _, _ in fan.legs:
                if bit & missing & ~found and BITS[square] & _flood(scopes, start, others, uses):
                    found |= bit
    return found


def _flood(scopes: Scopes, start: int, others: int, used: int) -> int:
    """Return where the piece on ``start`` could come to if only what is ``used`` were barred."""
    waiting, seen = [start], BITS[start]
    for square in waiting:
        fan = scopes.fan(square)
        if fan.ends & ~seen:
            for uses, end, bit, _, _ in fan.legs:
                if not bit & seen and not uses & used:
                    seen |= bit
                    if bit & others:
                        waiting.append(end)
    return seen
