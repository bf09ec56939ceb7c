"""How Yonmoque ends, sentence by sentence of ``RULES.md``."""

from __future__ import annotations

import pytest

from bot.games.game import Result
from tests.games.yonmoque.naive import FIVES, FOURS, SQUARES, walk
from tests.games.yonmoque.positions import after, board, game, squares

BLUE_BY_FOUR = Result(frozenset({0}), "four in a row")
WHITE_BY_FIVE = Result(frozenset({1}), "five in a row")
BLUE_BY_NO_MOVE = Result(frozenset({0}), "no move left")
DRAW = Result(frozenset({0, 1}), "third repetition")


def blue_on(names: set[str]) -> str:
    """Return the picture of a board with blue pieces on the squares named."""
    letters = ["b" if name in names else "." for name in SQUARES]
    return " ".join("".join(letters[rank * 5 : rank * 5 + 5]) for rank in reversed(range(5)))


@pytest.mark.parametrize("line", FIVES, ids="-".join)
def test_five_loses_on_every_line_of_the_board(line: list[str]) -> None:
    missing = line[2]
    assert after(board(blue_on({*line} - {missing})), missing).result == WHITE_BY_FIVE


@pytest.mark.parametrize("line", FOURS, ids="-".join)
def test_four_wins_on_every_line_of_the_board(line: list[str]) -> None:
    start = next(at for at in SQUARES if at not in line and len(walk(at, line[0])) == 1)
    assert after(board(blue_on({start, *line[1:]})), f"{start}-{line[0]}").result == BLUE_BY_FOUR


@pytest.mark.parametrize(
    ("picture", "move"),
    [
        ("..... ..... bbb.. ...b. .....", "d2-d3"),
        ("..b.. ..b.. ..... ..bb. .....", "d2-c3"),
        ("..... ...b. ..b.. .b... .b...", "b1-a1"),
        ("...b. ..b.. .b... .b... .....", "b2-a2"),
        (".b... ..b.. ...b. ...b. .....", "d2-e2"),
        ("..... ..... ..b.. ..... bb.b.", "c3-c2 e5 c2-c1"),
    ],
)
def test_a_move_that_makes_four_in_a_row_wins(picture: str, move: str) -> None:
    assert after(board(picture), move).result == BLUE_BY_FOUR


def test_flipped_pieces_count_for_the_four_as_in_the_sources_figure() -> None:
    assert after(board("..... ..... bww.. ...b. ....."), "d2-d3").result == BLUE_BY_FOUR


def test_a_four_that_contains_a_flipped_piece_but_not_the_moved_one_wins() -> None:
    position = after(board("..b.. bbwb. ..... ..b.. ....."), "c2-c3")
    assert position.result == BLUE_BY_FOUR
    assert "c3" in squares(position, 0)


def test_white_wins_with_four_as_well() -> None:
    position = after(board("..... ..... www.. ...w. .....", side="w"), "d2-d3")
    assert position.result == Result(frozenset({1}), "four in a row")


def test_three_in_a_row_and_four_with_a_gap_are_nothing() -> None:
    assert after(board("..... ..... bb... ...b. ....."), "d2-c3").result is None
    assert after(board("..... ..... bb.b. ...b. ....."), "d2-e3").result is None


def test_four_round_a_corner_are_nothing() -> None:
    assert after(board("..... ..... bbb.. ...b. ....."), "d2-c2").result is None


def test_a_four_made_by_a_put_does_not_win() -> None:
    assert after(board("..... ..... bbb.. ..... ....."), "d3").result is None


def test_a_four_that_was_put_does_not_become_a_win_by_moving_another_piece() -> None:
    assert after(board("..... ..... bbb.. ....b ....."), "d3 a1 e2-e1").result is None


def test_a_four_that_was_put_does_not_become_a_win_by_flipping_another_piece() -> None:
    position = after(board("..... ..... bbb.. ..... bw.b."), "d3 e5 d1-c1")
    assert squares(position, 0) == "a1 b1 c1 a3 b3 c3 d3"
    assert position.result is None


def test_a_four_that_was_put_wins_once_a_piece_of_it_has_left_and_comes_back() -> None:
    position = after(board("..... ..... bbb.. ..... ....."), "d3 a1 d3-d2 a1-a2")
    assert position.result is None
    assert after(position, "d2-d3").result == BLUE_BY_FOUR


def test_a_standing_four_does_not_win_for_the_opponent_of_the_one_who_moves() -> None:
    assert after(board("..... ..... bbb.. ..... w...."), "d3 a1-b1").result is None


def test_five_in_a_row_by_a_put_loses() -> None:
    assert after(board("..... ..... bb.bb ..... ....."), "c3").result == WHITE_BY_FIVE


def test_five_in_a_row_by_a_move_loses_although_it_contains_a_four() -> None:
    assert after(board("..... ..... bb.bb ..b.. ....."), "c2-c3").result == WHITE_BY_FIVE


def test_five_in_a_row_by_flips_loses() -> None:
    assert after(board("..... ..... bwww. ....b ....."), "e2-e3").result == WHITE_BY_FIVE


def test_five_on_the_long_diagonal_loses() -> None:
    assert after(board("....b ...b. ..b.. .b... .b..."), "b1-a1").result == WHITE_BY_FIVE


def test_five_loses_even_with_a_four_in_another_line() -> None:
    assert after(board("..b.. ..b.. bb.bb ..bb. ....."), "d2-c3").result == WHITE_BY_FIVE


def test_a_player_with_an_empty_hand_and_no_piece_that_can_move_loses_at_once() -> None:
    position = after(board("wwwb. wwb.. bbb.. ..... .....", hands="2,0"), "d4")
    assert position.result == BLUE_BY_NO_MOVE
    assert position.to_move is None


def test_a_player_with_a_piece_in_hand_is_not_stuck() -> None:
    assert after(board("wwwb. wwb.. bbb.. ..... .....", hands="1,1"), "d4").result is None


def test_a_player_with_one_piece_that_can_move_is_not_stuck() -> None:
    assert after(board("wwwb. wwb.. bbb.. ..... .....", hands="2,0"), "d3").result is None


def test_a_player_without_any_piece_on_the_board_or_in_hand_loses_at_once() -> None:
    position = after(board("b.b.b ..... ..... ..... bw.b.", hands="6,0"), "d1-c1")
    assert squares(position, 1) == ""
    assert position.result == BLUE_BY_NO_MOVE


def test_a_four_goes_before_the_opponents_having_no_move() -> None:
    position = after(board("....b ..... b.wb. .b... ....b", hands="6,0"), "b2-b3")
    assert squares(position, 1) == ""
    assert position.result == BLUE_BY_FOUR


def test_the_same_position_for_the_third_time_is_a_draw() -> None:
    twice = game("c3 a1 c3-d3 a1-b1 d3-c3 b1-a1 c3-d3 a1-b1 d3-c3")
    assert twice.result is None
    assert after(twice, "b1-a1").result == DRAW


def test_the_first_position_of_a_play_counts() -> None:
    first = board("..... ..... ..b.. ..... w....")
    assert after(first, "c3-d3 a1-b1 d3-c3 b1-a1 c3-d3 a1-b1 d3-c3 b1-a1").result == DRAW


def test_the_same_arrangement_with_the_other_side_to_move_is_another_position() -> None:
    first = board("..... ..... ..b.. ..... w....")
    other_side = after(first, "c3-d3 a1-b1 d3-d2 b1-a1 d2-c3")
    assert other_side.pieces == first.pieces
    again = after(other_side, "a1-a2 c3-d3 a2-b1 d3-c3 b1-a1")
    assert again.pieces == first.pieces
    assert again.result is None


def test_repetitions_need_not_follow_one_another() -> None:
    first = board("..... ..... ..b.. ..... w....")
    round_trip, detour = "c3-d3 a1-b1 d3-c3 b1-a1", "c3-c4 a1-a2 c4-c5 a2-a3 c5-c4 a3-a2 c4-c3 a2-a1"
    assert after(first, f"{round_trip} {detour}").result == DRAW


def test_a_win_goes_before_the_draw_by_repetition() -> None:
    put = after(board("w.... ..... bbb.. ..... ....b"), "d3")
    twice = after(put, "a5-b5 e1-e2 b5-a5 e2-e1")
    assert twice.pieces == put.pieces
    assert after(twice, "a5-b5 d3-d2 b5-a5 d2-d3").result == BLUE_BY_FOUR


def test_positions_that_were_reached_by_other_ways_with_the_same_repetitions_are_equal() -> None:
    first = board("..... ..... ..b.. ..... w....")
    one = after(first, "c3-d3 a1-b1 d3-c3 b1-a1 c3-c4 a1-a2 c4-c3 a2-a1")
    other = after(first, "c3-c4 a1-a2 c4-c3 a2-a1 c3-d3 a1-b1 d3-c3 b1-a1")
    assert one == other
    assert hash(one) == hash(other)


def test_positions_with_different_repetitions_behind_them_differ() -> None:
    first = board("..... ..... ..b.. ..... w....")
    again = after(first, "c3-d3 a1-b1 d3-c3 b1-a1")
    assert again.pieces == first.pieces
    assert again != first


def test_a_put_leaves_all_repetitions_behind() -> None:
    assert after(board("..... ..... ..b.. ..... w...."), "c3-d3 a1-b1 e5").earlier == ()
