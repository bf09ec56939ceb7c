"""Puts, moves, slides and flips of Yonmoque, sentence by sentence of ``RULES.md``."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.games.yonmoque.board import COLOURS, NAMES
from tests.games.yonmoque.positions import after, board, game, landings, squares, texts

YONMOQUE = GAMES["yonmoque"]


def coloured(colour: int) -> str:
    return " ".join(name for name, found in zip(NAMES, COLOURS, strict=True) if found == colour)


def test_the_neutral_squares_are_the_corners_and_the_centre() -> None:
    assert coloured(2) == "a1 e1 c3 a5 e5"


def test_the_blue_squares_are_where_the_publishers_board_has_them() -> None:
    assert coloured(0) == "c1 b2 d2 a3 e3 b4 d4 c5"


def test_the_white_squares_are_where_the_publishers_board_has_them() -> None:
    assert coloured(1) == "b1 d1 a2 c2 e2 b3 d3 a4 c4 e4 b5 d5"


def test_the_board_starts_empty_with_six_pieces_in_each_hand() -> None:
    start = YONMOQUE.start()
    assert YONMOQUE.pieces_in_words(start) == (
        "Blue: 6 in hand, none on the board",
        "White: 6 in hand, none on the board",
    )


def test_blue_moves_first_and_then_they_take_turns() -> None:
    assert game("").to_move == 0
    assert game("c3").to_move == 1
    assert game("c3 a1").to_move == 0
    assert game("c3 a1 c3-d3").to_move == 1


def test_the_first_turn_is_a_put_on_any_of_the_25_squares() -> None:
    assert texts(game("")) == set(NAMES)


def test_a_put_goes_from_the_hand_to_an_empty_square() -> None:
    position = game("c3")
    assert squares(position, 0) == "c3"
    assert position.hands == (5, 6)
    assert "c3" not in texts(position)


def test_a_put_flips_nothing() -> None:
    position = after(board("..... ..... bww.. ..... ....."), "d3")
    assert squares(position, 0) == "a3 d3"
    assert squares(position, 1) == "b3 c3"


def test_nobody_can_put_without_a_piece_in_hand() -> None:
    position = board("bw... ...wb ..... bw.ww w.b..", hands="0,2")
    assert all("-" in text for text in texts(position))


def test_a_player_may_move_while_he_has_pieces_in_hand_and_need_never_put_another() -> None:
    assert {"c3-d3", "b2"} <= texts(game("c3 a1"))


def test_a_turn_cannot_be_skipped() -> None:
    assert "pass" not in texts(game("c3"))


def test_a_piece_moves_to_any_of_the_eight_squares_around_it() -> None:
    assert landings(board("..... ..... ..b.. ..... ....."), "c3") == "b2 b3 b4 c2 c4 d2 d3 d4"


def test_a_piece_steps_whatever_the_colours_of_the_squares() -> None:
    assert landings(board("..... ..... ..... b.... ....."), "a2") == "a1 a3 b1 b2 b3"


def test_a_piece_does_not_move_to_an_occupied_square() -> None:
    assert landings(board("..... .bw.. .bbb. ..... ....."), "c3") == "b2 c2 d2 d4"


def test_only_ones_own_pieces_move() -> None:
    assert landings(board("..... ..... ..w.. ..... ..b.."), "c3") == ""


def test_a_white_piece_on_white_slides_along_the_whole_white_diagonal() -> None:
    assert landings(board("..... ..... ..... w.... .....", side="w"), "a2") == "a1 a3 b1 b2 b3 c4 d5"


def test_a_blue_piece_on_blue_slides_along_the_blue_diagonal() -> None:
    assert landings(board("..... ..... ..... ..... ..b.."), "c1") == "a3 b1 b2 c2 d1 d2 e3"


def test_a_piece_on_the_other_colour_does_not_slide() -> None:
    assert landings(board("..... ..... ..... ..... ..w..", side="w"), "c1") == "b1 b2 c2 d1 d2"


def test_a_neutral_square_ends_the_chain_but_may_be_stepped_on() -> None:
    reached = landings(board("..... ..... ..... .b... ....."), "b2").split()
    assert "c3" in reached
    assert "d4" not in reached


def test_no_piece_slides_from_a_neutral_square() -> None:
    for seat in "bw":
        position = board(f"..... ..... ..... ..... {seat}....", side=seat)
        assert landings(position, "a1") == "a2 b1 b2"


def test_a_slide_does_not_pass_a_piece() -> None:
    for piece in "bw":
        assert "a3" not in landings(board(f"..... ..... ..... .{piece}... ..b.."), "c1").split()


def test_a_slide_does_not_turn_corners() -> None:
    assert "c5" not in landings(board("..... ..... ..... ..... ..b.."), "c1").split()


def test_a_slide_is_never_straight() -> None:
    assert {"c3", "c5", "a1"}.isdisjoint(landings(board("..... ..... ..... ..... ..b.."), "c1").split())


def test_a_flipped_piece_slides_on_its_new_colour() -> None:
    position = after(board("..... ..... ..b.. .bw.. ....."), "c3-d2 a5")
    assert squares(position, 0) == "b2 c2 d2"
    assert landings(position, "c2") == "b1 b3 c1 c3 d1 d3"


@pytest.mark.parametrize(
    ("picture", "move", "blue"),
    [
        ("..... ..... bw.b. ..... .....", "d3-c3", "a3 b3 c3"),
        ("..... ..... bww.b ..... .....", "e3-d3", "a3 b3 c3 d3"),
        ("..b.. ..w.. ..... ..b.. .....", "c2-c3", "c3 c4 c5"),
        ("....b ...w. ..... ..b.. .....", "c2-c3", "c3 d4 e5"),
        ("b.... .w... ..... ..b.. .....", "c2-c3", "c3 b4 a5"),
        ("..... ..... ..... ww.b. bw...", "d2-c2", "a1 c2"),
    ],
)
def test_a_run_of_enemies_between_the_moved_piece_and_an_own_one_is_flipped(picture: str, move: str, blue: str) -> None:
    assert set(squares(after(board(picture), move), 0).split()) == set(blue.split())


def test_a_run_with_a_gap_is_not_flipped() -> None:
    assert squares(after(board("..... ..... bw..b ..... ....."), "e3-d3"), 1) == "b3"


def test_a_run_that_ends_at_the_edge_is_not_flipped() -> None:
    assert squares(after(board("..... ..... ww.b. ..... ....."), "d3-c3"), 1) == "a3 b3"


def test_all_lines_are_flipped_at_once() -> None:
    position = after(board("..b.b ..ww. bw... ..b.. ....."), "c2-c3")
    assert squares(position, 0) == "a3 b3 c3 c4 d4 c5 e5"
    assert squares(position, 1) == ""


def test_a_slide_flips_where_it_arrives_and_not_on_the_way() -> None:
    position = after(board("b.... wb... .w... ..... ..b.."), "c1-a3")
    assert squares(position, 0) == "a3 a4 b4 a5"
    assert squares(position, 1) == "b3"


def test_there_is_no_chain_reaction() -> None:
    position = after(board(".b... .w... bw.b. ..... ....."), "d3-c3")
    assert squares(position, 0) == "a3 b3 c3 b5"
    assert squares(position, 1) == "b4"


def test_moving_between_two_enemies_flips_nothing_of_ones_own() -> None:
    position = after(board("..... ..... .w.w. ..b.. ....."), "c2-c3")
    assert squares(position, 0) == "c3"
    assert squares(position, 1) == "b3 d3"


def test_a_flipped_piece_never_returns_to_a_hand() -> None:
    before = board("..... ..... bw.b. ..... .....")
    assert after(before, "d3-c3").hands == before.hands
