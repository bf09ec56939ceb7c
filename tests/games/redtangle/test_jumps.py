"""``RULES.md``, "Jump". The jumper is mostly a ``w4``: whatever the direction, it leads with white."""

from __future__ import annotations

import pytest

from bot.games.game import IllegalMove
from bot.games.redtangle.moves import Jump
from bot.games.redtangle.rules import RedtanglePosition
from tests.games.redtangle.boards import after, pieces_on, position, texts

FAR = "a1 w2N, h8 b2N"
"""A piece a side in the corners, so that no jump takes the last one."""


def with_others(pieces: str, side: str = "w") -> RedtanglePosition:
    return position(f"{pieces}, {FAR}", side)


def jumps(pieces: str, side: str = "w") -> set[str]:
    return {text for text in texts(with_others(pieces, side)) if "x" in text}


def refusal(pieces: str, move: str, side: str = "w") -> str:
    with pytest.raises(IllegalMove) as caught:
        with_others(pieces, side).parse(move)
    return str(caught.value)


@pytest.mark.parametrize(
    ("over", "move"), [("d5 b1S", "d4xd6"), ("e4 b1W", "d4xf4"), ("d3 b1N", "d4xd2"), ("c4 b1E", "d4xb4")]
)
def test_a_jump_goes_straight_over_a_piece_whose_facing_side_has_the_opposite_colour(over: str, move: str) -> None:
    assert jumps(f"d4 w4, {over}") == {move}


@pytest.mark.parametrize("over", ["d5 b3W", "e4 b3N", "d3 b3E", "c4 b3S", "d5 b0"])
def test_a_piece_that_faces_the_jumper_with_the_same_colour_cannot_be_jumped(over: str) -> None:
    assert jumps(f"d4 w4, {over}") == set()


def test_the_leading_side_counts_and_not_the_others() -> None:
    # Only the northern side of w1N is white. Both black pieces face it with black.
    assert jumps("d4 w1N, d5 b1S, e4 b2W") == {"d4xd6"}


def test_a_black_leading_side_jumps_a_white_facing_side() -> None:
    assert jumps("d4 w0, d5 b0, e4 b4") == {"d4xd6"}


def test_if_two_pieces_face_each_other_with_the_same_colour_neither_can_jump_the_other() -> None:
    assert jumps("d4 w4, d5 b0", "w") == jumps("d4 w4, d5 b0", "b") == set()


def test_if_they_face_each_other_with_opposite_colours_either_can() -> None:
    assert jumps("d4 w4, d5 b4", "w") == {"d4xd6"}
    assert jumps("d4 w4, d5 b4", "b") == {"d5xd3"}


def test_a_jump_is_never_diagonal() -> None:
    assert jumps("d4 w4, e5 b4, c3 b1N") == set()
    assert "jumps go in those directions" in refusal("d4 w4, e5 b4", "d4xf6")


def test_a_jump_goes_over_an_unbroken_row_of_any_length() -> None:
    row = "b4 b4, c4 b1W, d4 b2W, e4 b3W"
    assert jumps(f"a4 w4, {row}") == {"a4xf4"}
    assert set(pieces_on(after(with_others(f"a4 w4, {row}"), "a4xf4"))) == {"f4", "a1", "h8"}


def test_a_row_begins_on_the_neighbouring_square() -> None:
    assert jumps("a4 w4, c4 b4") == set()
    assert "b4 is empty" in refusal("a4 w4, c4 b4", "a4xd4")


def test_a_row_is_jumped_as_a_whole_to_the_square_right_behind_it() -> None:
    assert jumps("a4 w4, b4 b4, d4 b1W") == {"a4xc4", "a4xc4xe4"}
    assert "c4 is empty" in refusal("a4 w4, b4 b4, d4 b1W", "a4xe4")
    assert "d4 is empty" in refusal("a4 w4, b4 b4, c4 b1W", "a4xe4")
    assert "c4 is occupied" in refusal("a4 w4, b4 b4, c4 b1W", "a4xc4")


def test_every_piece_of_a_row_must_face_the_jumper_with_the_opposite_colour() -> None:
    assert jumps("a4 w4, b4 b4, c4 b0, d4 b1W") == set()
    assert refusal("a4 w4, b4 b4, c4 b0, d4 b1W", "a4xe4") == (
        "the side of c4 that faces your piece is white, like the side you jump with: it cannot be jumped"
    )


def test_each_piece_of_a_row_is_compared_with_the_jumper_and_not_with_its_neighbour() -> None:
    # b4's far side is white, as is the facing side of c4: that does not matter.
    assert jumps("a4 w4, b4 b1W, c4 b1W") == {"a4xd4"}


def test_the_landing_square_must_be_empty() -> None:
    assert jumps("a4 w4, b4 b4, c4 w1E") == set()
    assert "c4 is occupied" in refusal("a4 w4, b4 b4, c4 w1E", "a4xc4")


def test_a_jumping_piece_does_not_turn() -> None:
    found = after(with_others("d4 w1N, d5 b4"), "d4xd6")
    assert pieces_on(found)["d6"] == "w1N"
    with pytest.raises(IllegalMove, match="a move is"):
        with_others("d4 w1N, d5 b4").parse("d4xd6@E")


def test_jumped_pieces_leave_the_board() -> None:
    assert pieces_on(after(with_others("d4 w4, d5 b4"), "d4xd6")) == {"d6": "w4", "a1": "w2N", "h8": "b2N"}


def test_a_piece_may_jump_again_from_where_it_lands_and_stop_where_it_likes() -> None:
    pieces = "a4 w4, b4 b4, d4 b1W, e5 b1S"
    assert jumps(pieces) == {"a4xc4", "a4xc4xe4", "a4xc4xe4xe6"}
    assert set(pieces_on(after(with_others(pieces), "a4xc4"))) == {"c4", "d4", "e5", "a1", "h8"}
    assert set(pieces_on(after(with_others(pieces), "a4xc4xe4xe6"))) == {"e6", "a1", "h8"}


def test_each_leg_of_a_chain_counts_the_side_it_leads_with() -> None:
    # Eastwards w1E leads with white, northwards with black: there it jumps what faces it with white.
    assert jumps("a4 w1E, b4 b4, c5 b3W") == {"a4xc4", "a4xc4xc6"}
    assert jumps("a4 w1E, b4 b4, c5 b3N") == {"a4xc4"}


def test_the_same_piece_is_never_jumped_twice() -> None:
    assert jumps("d4 w4, d5 b4") == {"d4xd6"}
    assert refusal("d4 w4, d5 b4", "d4xd6xd4") == (
        "the piece on d5 has already been jumped in this move: it stays and blocks until the move is over"
    )


def test_the_jumpers_own_starting_square_is_empty_while_it_jumps() -> None:
    found = with_others("c3 w4, d3 b1W, e4 b1S, d5 b2E, c4 b2N")
    assert "c3xe3xe5xc5xc3" in texts(found)
    assert pieces_on(after(found, "c3xe3xe5xc5xc3")) == {"c3": "w4", "a1": "w2N", "h8": "b2N"}


ROUND_THE_CORNER = "d2 w4, d3 b2S, d4 b1S, c5 b1E, b4 b2N, c3 b3W"
"""From d2 over d3 and d4, over c5 and over b4 to b3; there c3 and behind it d3, which has been jumped, lie ahead."""


def test_jumped_pieces_stay_until_the_move_is_over_and_block_the_square_they_stand_on() -> None:
    assert jumps(ROUND_THE_CORNER) == {"d2xd5", "d2xd5xb5", "d2xd5xb5xb3"}
    assert "d3 is occupied" in refusal(ROUND_THE_CORNER, "d2xd5xb5xb3xd3")


def test_a_row_that_contains_a_jumped_piece_cannot_be_jumped_not_even_in_part() -> None:
    assert "b3xe3" in jumps("b3 w4, d3 b2S, c3 b3W"), "the colours allow it"
    assert "the piece on d3 has already been jumped in this move" in refusal(ROUND_THE_CORNER, "d2xd5xb5xb3xe3")


def test_ones_own_pieces_cannot_be_jumped() -> None:
    assert jumps("d4 w4, d5 w1N") == set()
    assert jumps("a4 w4, b4 b4, c4 w1N, d4 b1W") == set()
    assert refusal("d4 w4, d5 w1N", "d4xd6") == "the piece on d5 is your own: it cannot be jumped"


@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("b7 w4, b8 b1S", "b7xN"),
        ("g4 w4, h4 b1W", "g4xE"),
        ("b2 w4, b1 b1N", "b2xS"),
        ("c4 w4, b4 b1E, a4 b4", "c4xW"),
    ],
)
def test_if_the_row_reaches_the_edge_the_jumper_may_land_off_the_board(pieces: str, move: str) -> None:
    assert jumps(pieces) == {move}
    assert pieces_on(after(with_others(pieces), move)) == {"a1": "w2N", "h8": "b2N"}


def test_a_chain_may_end_off_the_board_and_nothing_goes_on_from_there() -> None:
    pieces = "a3 w4, b3 b4, d3 b1W, e3 b2W, f3 b2W, g3 b3W, h3 b1W"
    assert jumps(pieces) == {"a3xc3", "a3xc3xE"}
    assert set(pieces_on(after(with_others(pieces), "a3xc3xE"))) == {"a1", "h8"}
    with pytest.raises(IllegalMove, match="a move is"):
        with_others(pieces).parse("a3xExc3")


def test_no_piece_jumps_off_the_board_over_an_empty_square() -> None:
    assert "b8 is empty" in refusal("b6 w4, b7 b4", "b6xN")
    assert "a4 is on that edge: there is no piece" in refusal("a4 w4", "a4xW")


def test_pieces_in_their_own_rectangle_are_jumped_like_others() -> None:
    assert jumps("b7 w4, c7 b4") == {"b7xd7"}
    assert jumps("d6 w4, d7 b4, d8 b1S") == {"d6xN"}


def test_a_jump_may_begin_in_ones_own_rectangle() -> None:
    assert jumps("c2 w4, c3 b4") == {"c2xc4"}


def test_jumping_into_the_rectangle_wins_and_ends_the_move() -> None:
    pieces = "d5 w4, d6 b4, e7 b1W"
    assert jumps(pieces) == {"d5xd7"}
    found = after(with_others(pieces), "d5xd7")
    assert found.result is not None
    assert found.result.winners == {0}
    assert "the move is over as soon as the piece stands on d7" in refusal(pieces, "d5xd7xf7")
    assert "the move is over as soon as the piece stands on d7" in refusal("d5 w4, d6 b4, d8 b1S", "d5xd7xN")


def test_a_chain_may_end_in_the_rectangle() -> None:
    found = after(with_others("a5 w4, b5 b4, c6 b1S"), "a5xc5xc7")
    assert found.result is not None
    assert found.result.reason == "a white piece entered Black's red rectangle"


def test_jumping_across_the_rectangle_is_nothing() -> None:
    pieces = "b7 w4, c7 b4, d7 b1W, e7 b2W, f7 b3W"
    assert jumps(pieces) == {"b7xg7"}
    assert after(with_others(pieces), "b7xg7").result is None
    beyond = after(with_others("c6 w4, c7 b4, c8 b1S, a8 w0"), "c6xN")
    assert beyond.result is None


def test_black_jumps_by_the_same_rules() -> None:
    assert jumps("d5 b4, d4 w4, h3 w1N", "b") == {"d5xd3"}
    assert jumps("d3 b4, d2 w4, d1 w1N", "b") == {"d3xS"}


def test_a_jump_knows_the_squares_it_takes() -> None:
    move = with_others("a3 w4, b3 b4, c4 b1S, c6 b2S, c7 b2S, c8 b3S").parse("a3xc3xc5xN")
    assert isinstance(move, Jump)
    assert [divmod(square, 8) for square in move.captured] == [(2, 1), (3, 2), (5, 2), (6, 2), (7, 2)]
