"""``RULES.md``, "Turn" A and B, and "Win": single steps, rotations and entering the red rectangle."""

from __future__ import annotations

import pytest

from bot.games.game import IllegalMove
from tests.games.redtangle.boards import OUT_OF_THE_WAY, after, pieces_on, position, texts


def test_a_piece_steps_to_any_of_the_eight_squares_around_it() -> None:
    found = position(f"d4 w4, {OUT_OF_THE_WAY}")
    assert texts(found, "d4") == {f"d4-{square}" for square in ["c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"]}


def test_a_step_may_turn_the_piece_into_any_rotation() -> None:
    found = position(f"d4 w2E, {OUT_OF_THE_WAY}")
    assert texts(found, "d4-d5") == {"d4-d5", "d4-d5@N", "d4-d5@S", "d4-d5@W"}
    assert pieces_on(after(found, "d4-d5@W"))["d5"] == "w2W"
    assert pieces_on(after(found, "d4-d5"))["d5"] == "w2E"


def test_the_rotation_is_written_only_if_it_changes() -> None:
    found = position(f"d4 w2E, {OUT_OF_THE_WAY}")
    assert str(found.parse("d4-d5@e")) == "d4-d5"


@pytest.mark.parametrize("kind", ["0", "4"])
def test_pieces_that_look_the_same_from_every_side_have_no_rotations(kind: str) -> None:
    found = position(f"d4 w{kind}, h8 b0, h1 b4")
    assert len(texts(found, "d4")) == 8
    for typed in ("d4-d5@N", "d4@N"):
        with pytest.raises(IllegalMove, match=f"the {kind} on d4 looks the same from every side"):
            found.parse(typed)


def test_a_step_needs_an_empty_square() -> None:
    found = position(f"d4 w4, d5 w2E, e4 b2W, {OUT_OF_THE_WAY}")
    assert texts(found, "d4-") == {f"d4-{square}" for square in ["c3", "d3", "e3", "c4", "c5", "e5"]}
    with pytest.raises(IllegalMove, match="d5 is occupied"):
        found.parse("d4-d5")


def test_a_step_stays_on_the_board_and_goes_one_square_only() -> None:
    found = position("a1 w0, e5 w1N, h8 b0, h1 b4")
    assert texts(found, "a1") == {"a1-a2", "a1-b2", "a1-b1"}
    with pytest.raises(IllegalMove, match=r"a3 is not next to a1.*a1xa3"):
        found.parse("a1-a3")


def test_a_turn_on_the_spot_must_change_what_is_seen() -> None:
    found = position(f"d4 w3W, {OUT_OF_THE_WAY}")
    assert texts(found, "d4@") == {"d4@N", "d4@E", "d4@S"}
    assert pieces_on(after(found, "d4@S"))["d4"] == "w3S"
    with pytest.raises(IllegalMove, match="already lies as 3W"):
        found.parse("d4@W")


def test_only_ones_own_pieces_move() -> None:
    found = position(f"d4 w3W, e6 b2N, {OUT_OF_THE_WAY}")
    with pytest.raises(IllegalMove, match="the piece on e6 is Black's: you play White"):
        found.parse("e6-e5")
    with pytest.raises(IllegalMove, match="b3 is empty"):
        found.parse("b3-b4")
    assert not texts(found, "e6")
    assert texts(after(found, "d4-d5"), "e6-e5")


def test_black_moves_in_every_direction_too() -> None:
    found = position(f"d4 b4, {OUT_OF_THE_WAY}", side="b")
    assert texts(found, "d4") == {f"d4-{square}" for square in ["c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"]}


@pytest.mark.parametrize("move", ["c6-c7", "d6-d7", "e6-e7", "f6-f7", "b7-c7", "b8-c8", "g7-f7", "g8-f8"])
def test_a_straight_step_into_the_opponents_rectangle_wins(move: str) -> None:
    found = after(position(f"{move[:2]} w2N, {OUT_OF_THE_WAY}"), move)
    assert found.result is not None
    assert found.result.winners == {0}
    assert found.result.reason == "a white piece entered Black's red rectangle"
    assert found.to_move is None
    assert list(found.legal_moves()) == []


@pytest.mark.parametrize("move", ["c3-c2", "f3-f2", "b2-c2", "b1-c1", "g1-f1", "g2-f2"])
def test_black_wins_in_whites_rectangle(move: str) -> None:
    found = after(position(f"{move[:2]} b2N, {OUT_OF_THE_WAY}", side="b"), move)
    assert found.result is not None
    assert found.result.winners == {1}
    assert found.result.reason == "a black piece entered White's red rectangle"


def test_a_step_into_the_rectangle_may_turn_the_piece() -> None:
    found = after(position(f"c6 w2N, {OUT_OF_THE_WAY}"), "c6-c7@S")
    assert found.result is not None
    assert pieces_on(found)["c7"] == "w2S"


@pytest.mark.parametrize("move", ["b6-c7", "c6-d7", "d6-c7", "g6-f7", "b7-c8", "g7-f8", "f6-e7", "b8-c7"])
def test_the_rectangle_cannot_be_entered_diagonally(move: str) -> None:
    found = position(f"{move[:2]} w2N, {OUT_OF_THE_WAY}")
    assert not texts(found, move)
    with pytest.raises(IllegalMove, match="cannot be entered diagonally"):
        found.parse(move)


def test_ones_own_rectangle_may_be_left_and_entered_in_every_direction() -> None:
    leaving = position("c2 w4, h8 b0, a8 w0, h1 b4")
    assert texts(leaving, "c2-") == {f"c2-{square}" for square in ["b1", "c1", "d1", "b2", "d2", "b3", "c3", "d3"]}
    entering = position("b3 w4, g3 w0, h8 b0, h1 b4")
    assert {"b3-c2", "g3-f2"} <= texts(entering)
    assert after(entering, "b3-c2").result is None


def test_a_piece_standing_in_its_own_rectangle_keeps_others_out_of_its_square() -> None:
    found = position(f"d6 w2N, d7 b4, {OUT_OF_THE_WAY}")
    assert not texts(found, "d6-d7")
