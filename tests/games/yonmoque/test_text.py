"""How people write Yonmoque, what they are told when it is wrong, and how positions are written."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.games.game import IllegalMove
from bot.games.yonmoque.rules import YonmoquePosition
from tests.games.yonmoque.positions import after, board, game

YONMOQUE = GAMES["yonmoque"]
OPEN = board("..w.. ..... ..b.. .b... w.b..", hands="5,2")


@pytest.mark.parametrize("typed", ["b2-a3", "B2-A3", " b2 - a3 ", "b2–a3", "b2—a3", "b2−a3", "\tB2\n–\u00a0a3"])
def test_case_spaces_and_dashes_are_forgiven(typed: str) -> None:
    assert str(OPEN.parse(typed)) == "b2-a3"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("c3", "c3 is taken: a piece is placed on an empty square"),
        ("b1-b2", "b1 is empty: there is no piece to move"),
        ("c5-c4", "c5 holds a white piece: it is not yours to move"),
        ("b2-c3", "c3 is taken: a piece moves to an empty square"),
        ("b2-b2", "the piece already stands on b2"),
        ("b2-b5", "b5 is out of reach: a piece goes one square in any direction, further only along a diagonal"),
        ("b2-d3", "d3 is out of reach: a piece goes one square in any direction, further only along a diagonal"),
        ("c3-e5", "c3 is a neutral square: a blue piece slides only from a blue one"),
        ("b2-d4", "c3 is a neutral square: the slide stops before it"),
        ("c1-a3", "b2 is taken: the slide stops before it"),
        ("f6", "there is no square f6: files go from a to e, ranks from 1 to 5"),
        ("a1-a9", "there is no square a9: files go from a to e, ranks from 1 to 5"),
        ("pass", "a turn cannot be skipped: place a piece or move one"),
        ("b2a3", "a turn is a piece placed, such as c3, or a move, such as a1-b2"),
        ("b2xa3", "a turn is a piece placed, such as c3, or a move, such as a1-b2"),
        ("b2-a3-a4", "a turn is a piece placed, such as c3, or a move, such as a1-b2"),
        ("b٢-a٣", "a turn is a piece placed, such as c3, or a move, such as a1-b2"),
        ("", "a turn is a piece placed, such as c3, or a move, such as a1-b2"),
        ("b2-a3" * 800, "a turn is a piece placed, such as c3, or a move, such as a1-b2"),
    ],
)
def test_a_refusal_says_why_in_the_games_terms(typed: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        OPEN.parse(typed)
    assert str(refusal.value) == reason


@pytest.mark.parametrize(
    ("position", "typed", "reason"),
    [
        (board("..... ..... ..... .b... ....."), "b2-d4", "c3 is a neutral square: the slide stops before it"),
        (board("..... ..... ..... b.... ....."), "a2-c4", "a2 is a white square: a blue piece slides only from a blue"),
        (board("bw... ...wb ..... bw.ww w.b..", hands="0,2"), "c3", "you have no pieces left in hand"),
        (after(board("..... ..... bb.bb ..... ....."), "c3"), "a1", "the game is over: five in a row"),
    ],
)
def test_elsewhere_a_refusal_says_why_too(position: YonmoquePosition, typed: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        position.parse(typed)


def test_a_position_is_written_rank_by_rank_from_the_fifth_down_with_what_came_since_the_last_put() -> None:
    assert YonmoquePosition().encode() == "5/5/5/5/5 b 6,6 - -"
    assert game("c3 a1").encode() == "5/5/2b2/5/w4 b 5,5 - -"
    assert game("c3 a1 c3-d3").encode() == "5/5/3b1/5/w4 w 5,5 - 5/5/2b2/5/w4:b"


def test_a_won_four_is_told_from_one_that_was_put() -> None:
    won = after(board("..... ..... bbb.. ...b. ....."), "d2-d3")
    put = after(board("..... ..... bbb.. ..... ....."), "d3")
    assert won.encode().split()[3] == "four"
    assert put.encode().split()[3] == "-"
    assert YONMOQUE.decode(won.encode()).result == won.result
    assert YONMOQUE.decode(put.encode()).result is None


@pytest.mark.parametrize(
    "text",
    [
        "5/5/5/5/5 b 6,6 -",
        "5/5/5/5/5 b 6,6 - - -",
        "5/5/5/5 b 6,6 - -",
        "5/5/5/5/5/5 b 6,6 - -",
        "5/5/6/5/5 b 6,6 - -",
        "5/5/23/5/5 b 6,6 - -",
        "5/5/2b1/5/5 w 5,6 - -",
        "5/5/2x2/5/5 w 5,6 - -",
        "5/5/2b2/5/5 r 5,6 - -",
        "5/5/2b2/5/5 bw 5,6 - -",
        "5/5/2b2/5/5 w 6,6 - -",
        "5/5/2b2/5/5 w 4,6 - -",
        "5/5/2b2/5/5 w 5,7 - -",
        "5/5/2b2/5/5 w 5,٦ - -",
        "5/5/2b2/5/5 w 11 - -",
        "5/5/2b2/5/5 w 5,6 four -",
        "5/5/2b2/5/5 w 5,6 won -",
        "5/5/bbbbb/5/5 b 2,5 - -",
        "5/5/2b2/5/w4 b 5,5 - 5/5/2b2/5/w4:x",
        "5/5/2b2/5/w4 b 5,5 - 5/5/2b2/5/w4",
        "5/5/2b2/5/w4 b 5,5 - 5/5/2b2/5/w4:b,",
        "5/5/3b1/5/w4 w 5,5 - 5/5/3b1/5/w4:b,5/5/2b2/5/w4:b",
        " 5/5/5/5/5 b 6,6 - -",
        "5/5/5/5/5 b 6,6 - -\n",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        YONMOQUE.decode(text)


def test_a_put_and_a_move_are_said_in_words() -> None:
    assert YONMOQUE.move_in_words(OPEN, OPEN.parse("e5")) == "places a piece on e5"
    assert YONMOQUE.move_in_words(OPEN, OPEN.parse("b2-a3")) == "moves b2-a3"
    flipping = board("..b.b ..ww. bw... ..b.. .....")
    assert YONMOQUE.move_in_words(flipping, flipping.parse("c2-c3")) == "moves c2-c3 and flips b3, c4, d4"


def test_choices_begin_with_an_empty_square_or_a_piece_and_say_what_they_do() -> None:
    position = board("..b.b ..ww. bw... ..b.. .....", hands="1,4")
    first = {step.key: step for step in position.steps()}
    assert first["a1"].label == "Place on a1"
    assert str(first["a1"].move) == "a1"
    assert first["c2"].label == "Move c2"
    assert first["c2"].move is None
    assert "b3" not in first
    second = {step.key: step.label for step in position.steps(("c2",))}
    assert second["-c3"] == "to c3, flips 3"
    assert second["-d2"] == "to d2"


def test_a_piece_that_cannot_move_is_no_choice() -> None:
    position = board("w.... ..... ..... ww... bw...")
    assert "a1" not in {step.key for step in position.steps()}
