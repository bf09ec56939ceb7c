"""``RULES.md``, "Turn" A and B, and "Win": single steps, rotations and entering the red rectangle."""

from __future__ import annotations

import pytest

from bot.games.game import IllegalMove
from tests.games.redtangle.boards import OUT_OF_THE_WAY, after, pieces_on, position, texts


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


@pytest.mark.parametrize("move", ["b6-c7", "c6-d7", "d6-c7", "g6-f7", "b7-c8", "g7-f8", "f6-e7", "b8-c7"])
def test_the_rectangle_cannot_be_entered_diagonally(move: str) -> None:
    found = position(f"{move[:2]} w2N, {OUT_OF_THE_WAY}")
    assert not texts(found, move)
    with pytest.raises(IllegalMove, match="cannot be entered diagonally"):
        found.parse(move)
