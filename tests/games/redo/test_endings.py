"""How a game of Redo ends and who has won (``RULES.md``, "End" and "Score")."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.redo.boards import REDO, at, played

SHUFFLE = ("d1-d2", "d8-d7", "d2-d1", "d7-d8")
"""Two towers go to and fro, far from each other."""
CIRCLE = ("d3-d4", "e7-d6", "d4-e3", "d6-d7", "e3-d3", "d7-e7")
"""White converts the disc and Red converts it back; after eight plies everything stands where it stood."""
WALLS = "wwwwwww/wwwwwww/7/7/7/7/rrrrrr1/rrrrrrr"
TOWERS = "3R3/7/7/7/7/7/7/W2W3"
ALONE = "3R3/7/7/7/7/7/7/3W3"
BARE = "7/7/7/3r3/7/3W3/7/7"
PASSED = "7/7/7/4r2/2w4/7/7/7"
EVEN = "w1R4/7/7/7/7/7/7/W2r3"
DULL = "40 turns without a conversion, a promotion or a disc move, 2 to 1"


@pytest.mark.parametrize(
    ("board", "counters", "moves", "reason", "winners"),
    [
        (WALLS, {}, ("pass", "pass"), "both passed, one after the other, 14 to 13", {0}),
        ("w6/7/7/7/7/7/r6/rr5", {}, ("pass", "pass"), "both passed, one after the other, 3 to 1", {1}),
        (BARE, {}, ("d3-d4",), "Red has no piece left, 2 to 0", {0}),
        ("7/7/3R3/7/3w3/7/7/7", {"side": "r"}, ("d6-d5",), "White has no piece left, 2 to 0", {1}),
        (PASSED, {}, ("c4-b5",), "no conversion is possible any more, 1 to 1", {0, 1}),
        (TOWERS, {}, SHUFFLE * 2, "third repetition, 2 to 1", {0}),
        ("7/4R2/7/3r3/7/3W3/7/7", {}, CIRCLE * 2, "third repetition, 2 to 1", {1}),
        (TOWERS, {"quiet": 38}, ("d1-d2", "d8-d7"), DULL, {0}),
        ("w6/7/7/7/7/7/7/3R3", {"quiet": 39}, ("pass",), DULL.replace("2 to 1", "1 to 1"), {0, 1}),
        ("3R3/7/7/7/7/3W3/w6/7", {"plies": 298}, ("a2-a3", "d8-d7"), "300 turns, 2 to 1", {0}),
        (EVEN, {"plies": 299}, ("a1-a2",), "300 turns, 2 to 2", {0, 1}),
        (f"{EVEN[:-1]}2r", {"plies": 299}, ("a1-a2",), "300 turns, 3 to 2", {1}),
        # Ends on the board go before repetition, and that before the limits.
        (BARE, {"quiet": 39, "plies": 299}, ("d3-d4",), "Red has no piece left, 2 to 0", {0}),
        (PASSED, {"plies": 299}, ("c4-b5",), "no conversion is possible any more, 1 to 1", {0, 1}),
        (WALLS, {"quiet": 38, "plies": 298}, ("pass", "pass"), "both passed, one after the other, 14 to 13", {0}),
        (TOWERS, {"quiet": 32, "plies": 292}, SHUFFLE * 2, "third repetition, 2 to 1", {0}),
        (TOWERS, {"quiet": 39, "plies": 299}, ("d1-d2",), DULL, {0}),
    ],
)
def test_a_game_ends(
    board: str, counters: dict[str, Any], moves: tuple[str, ...], reason: str, winners: set[int]
) -> None:
    *before, last = moves
    position = played(at(board, **counters), *before)
    assert position.result is None
    result = played(position, last).result
    assert result is not None
    assert (result.reason, set(result.winners)) == (reason, winners)


TEMPO = (*SHUFFLE, "d1-e2", "d8-d7", "e2-d2", "d7-d8", "d2-d1")
"""Both lose a move: each arrangement then stands with either side to move."""


@pytest.mark.parametrize(
    ("board", "quiet", "moves"),
    [
        pytest.param(WALLS, 0, ("pass", "a2-a1+", "pass"), id="a pass answered by a move"),
        pytest.param(ALONE, 0, TEMPO, id="the other side to move"),
        pytest.param(ALONE, 0, (*TEMPO, "d8-d7", "d1-d2", "d7-d8"), id="the other side to move, later"),
        pytest.param("3R3/7/7/3r3/7/3W3/7/7", 39, ("d3-d4",), id="a conversion"),
        pytest.param("3R3/7/7/7/7/3W3/w6/w6", 39, ("a1-a2+",), id="a promotion"),
        pytest.param("3R3/7/7/7/7/3W3/w6/7", 39, ("a2-a3",), id="a disc move"),
    ],
)
def test_a_game_goes_on(board: str, quiet: int, moves: tuple[str, ...]) -> None:
    assert played(at(board, quiet=quiet), *moves).result is None


def test_a_promotion_costs_a_point() -> None:
    scene = REDO.scene(played(REDO.start(), "c1-c2+"))
    assert [tray.label for tray in scene.trays] == ["13 pieces", "14 pieces"]
