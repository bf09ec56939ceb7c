"""``RULES.md``, "Jump". The jumper is mostly a ``w4``: whatever the direction, it leads with white."""

from __future__ import annotations

import pytest

from bot.games.game import IllegalMove
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


def test_a_jump_is_never_diagonal() -> None:
    assert jumps("d4 w4, e5 b4, c3 b1N") == set()
    assert "jumps go in those directions" in refusal("d4 w4, e5 b4", "d4xf6")


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


def test_the_landing_square_must_be_empty() -> None:
    assert jumps("a4 w4, b4 b4, c4 w1E") == set()
    assert "c4 is occupied" in refusal("a4 w4, b4 b4, c4 w1E", "a4xc4")


def test_a_jumping_piece_does_not_turn() -> None:
    found = after(with_others("d4 w1N, d5 b4"), "d4xd6")
    assert pieces_on(found)["d6"] == "w1N"
    with pytest.raises(IllegalMove, match="a move is"):
        with_others("d4 w1N, d5 b4").parse("d4xd6@E")


def test_the_same_piece_is_never_jumped_twice() -> None:
    assert jumps("d4 w4, d5 b4") == {"d4xd6"}
    assert refusal("d4 w4, d5 b4", "d4xd6xd4") == (
        "the piece on d5 has already been jumped in this move: it stays and blocks until the move is over"
    )


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


def test_a_chain_may_end_off_the_board_and_nothing_goes_on_from_there() -> None:
    pieces = "a3 w4, b3 b4, d3 b1W, e3 b2W, f3 b2W, g3 b3W, h3 b1W"
    assert jumps(pieces) == {"a3xc3", "a3xc3xE"}
    assert set(pieces_on(after(with_others(pieces), "a3xc3xE"))) == {"a1", "h8"}
    with pytest.raises(IllegalMove, match="a move is"):
        with_others(pieces).parse("a3xExc3")


def test_no_piece_jumps_off_the_board_over_an_empty_square() -> None:
    assert "b8 is empty" in refusal("b6 w4, b7 b4", "b6xN")
    assert "a4 is on that edge: there is no piece" in refusal("a4 w4", "a4xW")


def test_jumping_into_the_rectangle_wins_and_ends_the_move() -> None:
    pieces = "d5 w4, d6 b4, e7 b1W"
    assert jumps(pieces) == {"d5xd7"}
    found = after(with_others(pieces), "d5xd7")
    assert found.result is not None
    assert found.result.winners == {0}
    assert "the move is over as soon as the piece stands on d7" in refusal(pieces, "d5xd7xf7")
    assert "the move is over as soon as the piece stands on d7" in refusal("d5 w4, d6 b4, d8 b1S", "d5xd7xN")
