"""The rules page: every figure of the source is there and shows what its caption claims."""

from __future__ import annotations

import re

import pytest

from bot.games.game import IllegalMove
from bot.games.guides import Diagram, guide
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.pieces import piece_on, squares_of
from bot.games.redtangle.rules import RedtanglePosition
from tests.games.redtangle.boards import texts

FIGURES: dict[int, Diagram] = {
    int(number[1]): diagram
    for page in guide(REDTANGLE)
    for diagram in page.diagrams
    if (number := re.match(r"Figure (\d+)\.", diagram.caption))
}


def shown(figure: int) -> RedtanglePosition:
    found = FIGURES[figure].position
    assert isinstance(found, RedtanglePosition)
    return found


def test_all_twelve_figures_are_there() -> None:
    assert set(FIGURES) == set(range(1, 13))


def test_figure_1_a_piece_steps_in_eight_directions() -> None:
    assert len({text[:5] for text in texts(shown(1), "d4-")}) == 8


@pytest.mark.parametrize(("figure", "square"), [(2, "e5"), (3, "d4")])
def test_figures_2_and_3_a_piece_is_turned(figure: int, square: str) -> None:
    number = "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
    piece = piece_on(shown(figure).board, number)
    assert piece is not None
    assert piece.first != 1


def test_figure_4_the_rectangle_is_entered_straight() -> None:
    found = shown(4)
    assert {text for text in texts(found) if text[3:5] in ("c7", "e7", "f7", "f8", "d7") and "@" not in text} == {
        "f6-f7",
        "b7-c7",
        "g8-f8",
    }
    with pytest.raises(IllegalMove, match="diagonally"):
        found.parse("f6-e7")


def test_figures_5_and_6_one_jump_over_two_pieces() -> None:
    assert "a4xd4" in texts(shown(5))
    assert shown(6) == shown(5).play(shown(5).parse("a4xd4"))


def test_figures_7_and_8_three_jumps_take_three_pieces() -> None:
    chain = "b2xb4xd4xd6"
    assert chain in texts(shown(7))
    assert shown(8) == shown(7).play(shown(7).parse(chain))
    assert len(squares_of(shown(7).board, 1)) - len(squares_of(shown(8).board, 1)) == 3


def test_figure_9_the_same_jumps_are_stopped_by_a_side_of_the_same_colour() -> None:
    assert [square for square, _ in standing(9)] == [square for square, _ in standing(7)]
    with pytest.raises(IllegalMove, match="the side of c4 that faces your piece is white"):
        shown(9).parse("b2xb4xd4xd6")


def standing(figure: int) -> list[tuple[int, int]]:
    return [(square, code) for square, code in enumerate(shown(figure).board) if code]


def test_figure_10_a_winning_jump() -> None:
    result = shown(10).result
    assert result is not None
    assert result.winners == {0}


def test_figure_11_a_winning_jump_that_cannot_be_made() -> None:
    before = FIGURES[10].before
    assert isinstance(before, RedtanglePosition)
    assert [square for square, _ in standing(11)] == [square for square, code in enumerate(before.board) if code]
    with pytest.raises(IllegalMove, match="the side of d6 that faces your piece is white"):
        shown(11).parse("d5xd7")


def test_figure_12_jumper_and_jumped_are_both_out() -> None:
    before = FIGURES[12].before
    assert isinstance(before, RedtanglePosition)
    for seat in (0, 1):
        assert len(squares_of(before.board, seat)) - len(squares_of(shown(12).board, seat)) == 1
    assert shown(12).result is None
