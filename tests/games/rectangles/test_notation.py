"""Rectangles as people type them, why they are refused, and positions as text (``RULES.md``, "Notation")."""

from __future__ import annotations

from itertools import permutations

import pytest

from bot.games.game import IllegalMove, Position
from bot.languages.speaking import language
from renderers.i18n import speaking, translated
from tests.games.rectangles.play import RECTANGLES, played, start


def refusal(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        position.parse(text)
    return str(refused.value)


@pytest.mark.parametrize("typed", ["a1-c4", "c4-a1", "a4-c1", "c1-a4"])
def test_any_two_opposite_corners_in_any_order_are_understood(typed: str) -> None:
    assert str(start().parse(typed)) == "a1-c4"
    assert str(start(tilted=True).parse(typed)) == "a1-c4"


def test_any_three_corners_of_an_upright_rectangle_are_understood() -> None:
    for three in permutations(("a1", "c1", "c4", "a4"), 3):
        assert str(start().parse("-".join(three))) == "a1-c4"
        assert str(start(tilted=True).parse("-".join(three))) == "a1-c4"


def test_a_tilted_rectangle_is_written_counter_clockwise_from_its_lowest_corner() -> None:
    for three in permutations(("b1", "d2", "c4", "a3"), 3):
        assert str(start(tilted=True).parse("-".join(three))) == "b1-d2-c4"


@pytest.mark.parametrize("typed", ["A1-C4", " a1 - c4 ", "a1–c4", "a1—c4", "a1−c4", "a1c4", "a1 c4", "a1, c4", "a1;c4"])
def test_case_spaces_and_dashes_are_forgiven(typed: str) -> None:
    assert str(start().parse(typed)) == "a1-c4"


@pytest.mark.parametrize("typed", ["stuck", "STUCK", " St uck "])
def test_stuck_is_understood(typed: str) -> None:
    assert str(start().parse(typed)) == "stuck"


def test_ranks_have_two_figures_on_ten_dots() -> None:
    assert str(start(dots=10).parse("j10-a1")) == "a1-j10"
    assert str(start(dots=10).parse("a10c1")) == "a1-c10"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "a turn is two opposite corners"),
        ("a1", "a turn is two opposite corners"),
        ("a1-c1-c4-a4", "a turn is two opposite corners"),
        ("a1-c", "a turn is two opposite corners"),
        ("pass", "a turn is two opposite corners"),
        ("a1xc4", "a turn is two opposite corners"),
        ("9" * 5000, "a turn is two opposite corners"),
        ("a1-g4", "there is no dot g4: files go from a to f, ranks from 1 to 6"),
        ("a0-c4", "there is no dot a0"),
        ("a1-c7", "there is no dot c7"),
        ("a01-c4", "there is no dot a01"),
        ("a1-a1", "a1 is named twice"),
        ("a1-c4-a1", "a1 is named twice"),
        ("a1-a4", "a1 and a4 are on one line: name two opposite corners, or three corners"),
        ("a1-f1", "a1 and f1 are on one line"),
        ("a1-b2-c4", "a1, b2 and c4 make no right angle: no rectangle has these corners"),
        ("a1-b2-c3", "a1, b2 and c3 make no right angle"),
        ("b1-d2-c4", "that rectangle is tilted: in this game the sides run along the grid"),
        ("b5-d6-a7", "there is no dot a7"),
        ("d4-f5-c6", "the fourth corner of that rectangle lies off the board"),
    ],
)
def test_a_refusal_says_why(typed: str, reason: str) -> None:
    assert refusal(start(), typed).startswith(reason)


def test_used_corners_are_named() -> None:
    position = played(start(), "b2-d3")
    assert refusal(position, "a1-b2") == "b2 is already a corner"
    assert refusal(position, "b2-d5") == "b2 and d2 are already corners"


@pytest.mark.parametrize("typed", ["a1-b2", "b2-d5", "e4-f6", "e1", "a1-a3", "a1-b2-c4", "a1-a7"])
def test_a_refusal_is_in_the_language_of_the_reader(typed: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        played(start(), "b2-d3").parse(typed)
    with speaking(language("de")):
        assert translated(refused.value.args[0]) != str(refused.value)


def test_a_used_area_is_named() -> None:
    assert refusal(played(start(), "a1-b3"), "c1-e2") == "area 2 is already used"


def test_a_tilted_guess_off_the_board_is_refused() -> None:
    assert refusal(start(tilted=True), "d4-f5-c6") == "the fourth corner of that rectangle lies off the board"


def test_nothing_is_read_once_the_game_is_over() -> None:
    assert refusal(played(start(), "stuck"), "a1-c4") == "the game is over: Player 1 said stuck"


def test_a_position_is_written_with_who_drew_what_and_who_has_left() -> None:
    position = played(start(4, 6, True), "a1-b2", "c1-d3").drop(1)
    assert position.encode() == "6 tilted 4 3 2 1:a1-b2,2:c1-d3 -"
    assert played(position, "stuck").encode() == "6 tilted 4 3 2 1:a1-b2,2:c1-d3 stuck"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "6 upright 2 1 - -",
        "5 upright 2 1 - - -",
        "6 upright 5 1 - - -",
        "4 upright 3 1 - - -",
        "6 upright 2 3 - - -",
        "6 upright 2 0 - - -",
        "6 upright 2 1 1 - -",
        "6 upright 2 1 3 - -",
        "6 upright 3 1 3,2,2 - -",
        "6 upright 4 1 3,2 - -",
        "6 upright 2 1 - 3:a1-b2 -",
        "6 upright 2 1 - 1:a1-b2,2:b2-c4 -",
        "6 upright 2 1 - 1:a1-b2,2:c1-d2 -",
        "6 upright 2 1 - 1:b2-a1 -",
        "6 upright 2 1 - 1:b1-d2-c4 -",
        "6 upright 2 1 - 1:stuck -",
        "6 upright 2 1 - - Stuck",
        "4 upright 2 2 - 1:b2-c3,2:b1-d4,1:a2-d3,2:a1-b4 -",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        RECTANGLES.decode(text)


def test_positions_are_equal_when_nothing_that_can_still_happen_tells_them_apart() -> None:
    one = played(start(), "a1-b2", "c1-d3", "a3-b6")
    other = played(start(), "a3-b6", "c1-d3", "a1-b2")
    assert one == other
    assert hash(one) == hash(other)
    assert one != played(start(), "a1-b2", "c1-d3")
    assert start(3).drop(1) != start(3)
