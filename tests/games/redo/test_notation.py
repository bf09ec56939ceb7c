"""Turns of Redo as people type them, why they are refused, and positions as text (``RULES.md``, "Notation")."""

from __future__ import annotations

import pytest

from bot.games.game import IllegalMove, Position
from tests.games.redo.boards import REDO, at, played

MIDDLE = "7/7/2Rr3/3r3/1wwWr2/2w4/3w3/6w"
"""White to move: discs c4, b4, c3, d2, g1 and a tower d4; red discs d6, d5, e4 and a tower c6."""


def refusal(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        position.parse(text)
    return str(refused.value)


@pytest.mark.parametrize(
    "typed", ["c4-b5", "C4-B5", " c4 - b5 ", "c4–b5", "c4—b5", "c4−b5", "c4b5", "c4 b5", "c\u00a04-b5"]
)
def test_case_spaces_and_dashes_are_forgiven(typed: str) -> None:
    assert str(at(MIDDLE).parse(typed)) == "c4-b5"


@pytest.mark.parametrize("typed", ["d4xf4", "D4Xf4", "d4×f4", "d4-f4", "d4f4"])
def test_the_sign_of_a_jump_is_forgiven(typed: str) -> None:
    assert str(at(MIDDLE).parse(typed)) == "d4xf4"


@pytest.mark.parametrize("typed", ["c3-b4+", "c3-b4", "c3b4", "C3–B4 +"])
def test_the_sign_of_a_promotion_is_forgiven(typed: str) -> None:
    assert str(at(MIDDLE).parse(typed)) == "c3-b4+"


@pytest.mark.parametrize("typed", ["pass", "PASS", " Pa ss "])
def test_a_pass_is_read(typed: str) -> None:
    assert str(at("w6/7/7/7/7/7/7/3R3").parse(typed)) == "pass"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "a turn is two squares"),
        ("c4", "a turn is two squares"),
        ("c4-b5-a6", "a turn is two squares"),
        ("c4+b5", "a turn is two squares"),
        ("x" * 5000, "a turn is two squares"),
        ("h1-h2", "there is no square h1: files go from a to g"),
        ("a8-a9", "there is no square a9: files go from a to g, ranks from 1 to 8"),
        ("pass", "you may pass only when all you could do is promote"),
        ("a1-a2", "a1 is empty: there is no piece to move"),
        ("d6-d5", "d6 holds a red piece: it is not yours to move"),
        ("c4-c4", "the piece already stands on c4"),
        ("c4-c3", "a white disc moves only forward, up the board"),
        ("b4-a4", "a white disc moves only forward, up the board"),
        ("c4-d5", "d5 holds a red piece: a disc lands on empty squares and own discs only"),
        ("c3-d4", "d4 holds a tower: nothing lands on a tower"),
        ("c4-c6", "c6 holds a red piece"),
        ("b4-b6", "a white disc goes two steps only from rank 1"),
        ("b4-b7", "b7 is out of reach: a disc goes one step straight or diagonally forward"),
        ("b4-d5", "d5 holds a red piece"),
        ("c3-e5", "e5 is out of reach"),
        ("b4xb5", "a disc does not jump: only towers do"),
        ("b4-b5+", "b5 is empty: a promotion needs a disc of your own there"),
        ("d4-e4", "e4 is taken: a tower lands on empty squares only"),
        ("d4-c4+", "c4 is taken: a tower lands on empty squares only"),
        ("d4-e3+", "a tower is not promoted"),
        ("d4xe3", "a jump leads over a red disc to the square behind it: e3 is next to the tower"),
        ("d4-d6", "d6 is taken"),
        ("d4-b2", "c3 holds your own piece: only red discs can be jumped"),
        ("d4xf2", "e3 is empty: there is no red disc to jump"),
        ("d4-f5", "f5 is out of reach: a tower goes one step in any direction, or jumps straight over one disc"),
        ("d4-d8", "d8 is out of reach"),
        ("d4-g7", "g7 is out of reach"),
    ],
)
def test_a_refusal_says_why(typed: str, reason: str) -> None:
    assert refusal(at(MIDDLE), typed).startswith(reason)


def test_a_refused_two_step_names_the_disc_in_the_way() -> None:
    assert refusal(at("7/7/7/3r3/7/7/3w3/3w3"), "d1-d3") == "d2 is in the way: a disc jumps over nothing"


def test_a_tower_that_cannot_be_jumped_is_named() -> None:
    assert refusal(at("7/7/7/3R3/3W3/7/7/7"), "d4xd6") == "d5 holds a tower: only discs can be jumped"


def test_red_is_told_of_its_own_direction() -> None:
    position = at("7/7/7/3r3/7/7/7/w6", "r")
    assert refusal(position, "d5-d6") == "a red disc moves only forward, down the board"
    assert refusal(position, "d5-d3") == "a red disc goes two steps only from rank 8"


def test_nothing_is_read_once_the_game_is_over() -> None:
    over = played(at("7/7/7/3r3/7/3W3/7/7"), "d3-d4")
    assert refusal(over, "d4-d6") == "the game is over: Red has no piece left, 2 to 0"


def test_a_position_is_written_with_its_counters_and_its_history() -> None:
    position = played(at("3R3/7/7/7/7/7/7/3W3", plies=7), "d1-d2")
    assert position.encode() == "3R3/7/7/7/7/7/3W3/7 r 0 1 8 3R3/7/7/7/7/7/7/3W3:w"


def test_the_history_begins_anew_with_a_promotion() -> None:
    position = played(REDO.start(), "c2-c3", "c7-c6", "c1-c2")
    assert position.encode().count(":") == 3
    assert played(position, "d8-d7+").encode().endswith(" 4 -")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww b 0 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/wwwwwww/wwwwwww w 0 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/8/wwwwwww/wwwwwww w 0 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/61/wwwwwww/wwwwwww w 0 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/6/wwwwwww/wwwwwww w 0 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/6R/wwwwwww/wwwwwww w 0 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 1 0 0 -",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 2 1 -",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 41 99 -",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 0 301 -",
        "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 0 00 -",
        "3R3/7/7/7/7/7/3W3/7 r 0 1 8 3R3/7/7/7/7/7/7/3W3",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        REDO.decode(text)


def test_the_history_is_written_in_one_order_only() -> None:
    text = played(at("3R3/7/7/7/7/7/7/3W3"), "d1-d2", "d8-d7").encode()
    head, _, history = text.rpartition(" ")
    assert REDO.decode(text).encode() == text
    with pytest.raises(ValueError, match="not how"):
        REDO.decode(f"{head} {','.join(reversed(history.split(',')))}")


def test_positions_reached_by_other_ways_with_the_same_past_are_equal() -> None:
    one = played(at("3R3/7/7/7/7/7/7/3W3"), "d1-d2", "d8-d7", "d2-d1", "d7-d8")
    assert one == REDO.decode(one.encode())
    assert one != at("3R3/7/7/7/7/7/7/3W3", plies=4)
