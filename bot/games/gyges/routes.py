"""The routes of one piece by the published rules, which use no connection twice, and the places they lead to.

Knows no turn: what happens to a piece that is landed on is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.games.cancellation import check_cancelled
from bot.games.gyges.board import BITS, GOALS, NAMES, NORTH, SOUTH, places_in
from bot.games.gyges.legs import MOST_ROUTES, LegTable, Reachability, connections_used
from bot.games.gyges.notation import DASH
from bot.games.gyges.rulesets import Situation

_SHIFT: Final = 80


def _connections_and_stop(path: tuple[int, ...]) -> int:
    return connections_used(path) << _SHIFT | BITS[path[-1]]


_LEGS: Final = (LegTable(GOALS[SOUTH], _connections_and_stop), LegTable(GOALS[NORTH], _connections_and_stop))
"""The legs for each seat. A route may come back to a piece, but then it can do less than when it was there first: so
these legs use up the place where they end, too."""

_Landed = tuple[str, int, int]
"""A route that has just landed on a piece: its text, what it has used up, and where that piece stands."""


def canonical_routes(at: Situation, start: int) -> dict[int, str]:
    """Return the text of the canonical route to every place where a leg of the piece on ``start`` can end.

    The search goes leg by leg and in the order of texts, until it has found every place that could be reached if
    connections might be used twice. It gives a route up that lands where an earlier one did if the earlier one has used
    no other connections: that one can do all that the later one can.
    """
    blockers = at.without(start)
    reachability = Reachability(_LEGS[at.seat], at.pieces, blockers)
    missing, _ = reachability.reach(start, 0)
    texts: dict[int, str] = {}
    front: list[_Landed] = [(NAMES[start], 0, start)]
    used_by_square: dict[int, list[int]] = {}
    while front:
        check_cancelled()
        landed: list[_Landed] = []
        for text, used, square in front:
            for uses, end, bit, _, _ in reachability.legs_from(square).legs:
                if uses & used:
                    continue
                if bit & missing:
                    missing ^= bit
                    texts[end] = text + DASH[end]
                if bit & blockers:
                    landed.append((text + DASH[end], used | uses, end))
            if not missing:
                return texts
        landed.sort()
        front = landed
        if len(front) > MOST_ROUTES:
            missing &= _attainable(reachability, start, missing)
            front = [route for route in _promising(front, reachability, missing) if _is_new(route, used_by_square)]
    return texts


def reached_places(at: Situation, start: int) -> int:
    """Return the mask of the places that ``canonical_routes`` leads to.

    One route to each piece, the first that is found, mostly shows that all places in reach by legs that use nothing up
    are in reach indeed. Otherwise the routes decide.
    """
    blockers = at.without(start)
    reachability = Reachability(_LEGS[at.seat], at.pieces, blockers)
    bound, _ = reachability.reach(start, 0)
    missing, fresh = bound, blockers
    routes = [(0, start)]
    for used, square in routes:
        for uses, end, bit, _, _ in reachability.legs_from(square).legs:
            if not uses & used:
                missing &= ~bit
                if bit & fresh:
                    fresh ^= bit
                    routes.append((used | uses, end))
        if not missing:
            return bound
    return sum(BITS[end] for end in canonical_routes(at, start))


def _promising(front: list[_Landed], reachability: Reachability, missing: int) -> Iterator[_Landed]:
    """Yield the routes that might go on to a place in ``missing``, without what no later leg could use."""
    for text, used, square in front:
        ends, uses = reachability.reach(square, used & reachability.blockers)
        if ends & missing:
            yield text, used & uses, square


def _is_new(route: _Landed, used_by_square: dict[int, list[int]]) -> bool:
    """Tell whether no earlier route landed on the same square and used nothing else; add this one then."""
    _, used, square = route
    earlier = used_by_square.setdefault(square, [])
    for other in earlier:
        if other & used == other:
            return False
    earlier.append(used)
    return True


def _attainable(reachability: Reachability, start: int, missing: int) -> int:
    """Return the places in ``missing`` that some last leg could end on.

    The piece must come to the beginning of that leg without what the leg itself uses. All else is allowed.
    """
    attainable = 0
    for square in places_in(reachability.blockers | BITS[start]):
        legs = reachability.legs_from(square)
        if legs.ends & missing & ~attainable:
            for uses, _, bit, _, _ in legs.legs:
                if bit & missing & ~attainable and BITS[square] & _flood(reachability, start, uses):
                    attainable |= bit
    return attainable


def _flood(reachability: Reachability, start: int, used: int) -> int:
    """Return the places the piece on ``start`` could come to if only what is ``used`` were barred."""
    waiting, seen = [start], BITS[start]
    for square in waiting:
        legs = reachability.legs_from(square)
        if legs.ends & ~seen:
            for uses, end, bit, _, _ in legs.legs:
                if not bit & seen and not uses & used:
                    seen |= bit
                    if bit & reachability.blockers:
                        waiting.append(end)
    return seen
