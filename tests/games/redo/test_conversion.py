"""How pieces change colour (``RULES.md``, "Conversion")."""

from __future__ import annotations

import pytest

from tests.games.redo.boards import at, board_after, legal, piece_at, played


def test_a_white_disc_converts_on_the_five_squares_beside_and_ahead_of_where_it_arrives() -> None:
    position = at("7/7/2rrr2/2r1r2/2rwr2/7/7/7")
    assert board_after(position, "d4-d5") == "7/7/2www2/2www2/2r1r2/7/7/7"


def test_a_red_disc_converts_towards_the_other_side() -> None:
    position = at("7/7/7/2wrw2/2w1w2/2www2/7/7", "r")
    assert board_after(position, "d5-d4") == "7/7/7/2w1w2/2rrr2/2rrr2/7/7"


def test_what_is_behind_does_not_change() -> None:
    position = at("7/7/7/2r1r2/2r1r2/2rWr2/7/7")
    assert board_after(position, "d3-d4") == "7/7/7/2w1w2/2wWw2/2r1r2/7/7"


def test_a_piece_two_squares_away_does_not_change() -> None:
    position = at("7/3r3/7/1r3r1/3w3/7/7/7")
    assert board_after(position, "d4-d5") == "7/3r3/7/1r1w1r1/7/7/7/7"


def test_the_edge_of_the_board_is_an_edge() -> None:
    position = at("7/6r/6r/7/w6/7/6R/7")
    assert board_after(position, "a4-a5") == "7/6r/6r/w6/7/7/6R/7"


def test_towers_are_converted_as_well_and_stay_towers() -> None:
    position = at("7/7/3R3/2R4/3w3/7/7/7")
    assert board_after(position, "d4-d5") == "7/7/3W3/2Ww3/7/7/7/7"


def test_a_tower_converts_on_the_same_five_squares() -> None:
    position = at("7/7/2rRr2/2r1r2/2r1r2/3W3/7/7")
    assert board_after(position, "d3-d4") == "7/7/2rRr2/2w1w2/2wWw2/7/7/7"


def test_a_tower_that_goes_back_or_sideways_still_converts_forward_only() -> None:
    position = at("7/7/3W3/2r1r2/2r1r2/2r1r2/7/7")
    assert board_after(position, "d6-d5") == "7/7/7/2wWw2/2r1r2/2r1r2/7/7"
    assert board_after(at("7/7/r6/1W5/r6/7/7/r6"), "b5-a5") == "7/7/w6/W6/r6/7/7/r6"


@pytest.mark.parametrize(
    ("target", "jumped"),
    [("b6", "c5"), ("d6", "d5"), ("f6", "e5"), ("b4", "c4"), ("f4", "e4"), ("b2", "c3"), ("d2", "d3"), ("f2", "e3")],
)
def test_a_jumped_disc_changes_wherever_it_lies(target: str, jumped: str) -> None:
    position = at("R6/7/7/2rrr2/2rWr2/2rrr2/7/7")
    assert piece_at(played(position, f"d4x{target}"), jumped) == "w"


def test_a_forward_jump_converts_the_jumped_disc_behind_and_nothing_else_behind() -> None:
    position = at("7/7/7/2rrr2/3W3/7/7/7")
    assert board_after(position, "d4xd6") == "7/7/3W3/2rwr2/7/7/7/7"


def test_after_a_jump_the_pieces_round_the_square_arrived_at_change_too() -> None:
    position = at("7/3r3/2R4/3r3/3W3/7/7/7")
    assert board_after(position, "d4xd6") == "7/3w3/2WW3/3w3/7/7/7/7"


def test_there_is_no_chain_reaction() -> None:
    # c5 turns white; c6 ahead of it and b5 beside it are out of reach of d5 and stay red.
    position = at("7/7/1r5/1rr4/3w3/7/7/7")
    assert board_after(position, "d4-d5") == "7/7/1r5/1rww3/7/7/7/7"


def test_a_promotion_converts_nothing() -> None:
    position = at("7/7/7/2rwr2/3w3/7/7/7")
    assert board_after(position, "d4-d5+") == "7/7/7/2rWr2/7/7/7/7"


def test_a_tower_just_made_converts_and_is_converted_like_any_other() -> None:
    position = played(at("7/3r3/7/2rw3/3w3/7/7/7"), "d4-d5+")
    assert board_after(position, "d7-d6") == "7/7/3r3/2rR3/7/7/7/7"
    assert board_after(position, "c5-c4", "d5-c5") == "7/3r3/7/2W4/2r4/7/7/7"


def test_conversion_is_no_choice() -> None:
    position = at("7/7/7/2r1r2/3w3/7/7/7")
    assert [text for text in legal(position) if "d5" in text] == ["d4-d5"]


def test_a_converted_piece_goes_the_way_of_its_new_owner() -> None:
    position = played(at("R6/7/7/2r4/3w3/7/7/7"), "d4-d5", "a8-a7")
    assert "c5-c6" in legal(position)
    assert "c5-c4" not in legal(position)


def test_a_two_step_converts_where_it_ends_not_on_the_way() -> None:
    position = at("7/7/7/7/r6/7/r6/1w5")
    assert board_after(position, "b1-b3") == "7/7/7/7/w6/1w5/r6/7"
