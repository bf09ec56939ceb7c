"""The pieces of Redo and their moves (``RULES.md``, "Board", "Disc", "Tower" and "Pass")."""

from __future__ import annotations

from tests.games.redo.boards import REDO, at, board_after, legal, legal_from, played

# A red tower and a white disc that can meet keep a sparse board alive; they stand far from what a test is about.


def test_white_begins_with_fourteen_discs_on_ranks_one_and_two_against_red_on_seven_and_eight() -> None:
    position = REDO.start()
    assert position.to_move == 0
    assert position.encode() == "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 0 0 -"


def test_the_first_turn_has_38_moves_19_of_them_promotions() -> None:
    texts = [str(move) for move in REDO.start().legal_moves()]
    assert len(texts) == len(set(texts)) == 38
    assert sum(text.endswith("+") for text in texts) == 19


def test_the_players_take_turns() -> None:
    assert played(REDO.start(), "c2-c3").to_move == 1
    assert played(REDO.start(), "c2-c3", "c7-c6").to_move == 0


def test_a_disc_goes_one_step_straight_or_diagonally_forward() -> None:
    position = at("6R/7/7/7/3w3/7/7/7")
    assert legal_from(position, "d4") == {"d4-c5", "d4-d5", "d4-e5"}


def test_forward_is_down_for_red() -> None:
    position = at("6W/7/7/7/3r3/7/7/7", "r")
    assert legal_from(position, "d4") == {"d4-c3", "d4-d3", "d4-e3"}


def test_a_disc_at_the_side_stays_on_the_board() -> None:
    position = at("7/7/7/7/w5w/7/7/3R3")
    assert legal(position) == {"a4-a5", "a4-b5", "g4-g5", "g4-f5"}


def test_a_disc_on_the_last_rank_does_not_move() -> None:
    position = at("w6/7/7/7/7/3R3/7/3W3")
    assert legal_from(position, "a8") == set()


def test_a_disc_goes_two_steps_straight_forward_from_its_lowest_rank() -> None:
    position = at("6R/7/7/7/7/7/7/3w3")
    assert legal_from(position, "d1") == {"d1-c2", "d1-d2", "d1-e2", "d1-d3"}


def test_the_lowest_rank_of_red_is_the_eighth() -> None:
    position = at("3r3/7/7/7/7/7/7/6W", "r")
    assert legal_from(position, "d8") == {"d8-c7", "d8-d7", "d8-e7", "d8-d6"}


def test_no_two_steps_from_another_rank() -> None:
    assert "d2-d4" not in legal(at("6R/7/7/7/7/7/3w3/7"))


def test_two_steps_go_by_position_not_by_the_first_move() -> None:
    # The red disc on d1 turns white on White's lowest rank, and has never moved as a white one.
    position = played(at("6R/7/7/7/7/7/7/W2r3"), "a1-b1", "g8-g7", "b1-c1", "g7-g6")
    assert "d1-d3" in legal(position)


def test_two_steps_need_the_square_between_to_be_empty() -> None:
    for blocker in "wWrR":
        position = at(f"6R/7/7/7/7/7/3{blocker}3/3w3")
        assert "d1-d3" not in legal(position)
        assert "d1-d3+" not in legal(at(f"6R/7/7/7/7/3w3/3{blocker}3/3w3"))


def test_a_disc_that_moves_on_to_an_own_disc_becomes_a_tower_with_it() -> None:
    position = at("6R/7/7/7/7/2www2/3w3/7")
    assert {text for text in legal_from(position, "d2") if "+" in text} == {"d2-c3+", "d2-d3+", "d2-e3+"}
    assert board_after(position, "d2-d3+") == "6R/7/7/7/7/2wWw2/7/7"


def test_two_steps_may_promote_as_well() -> None:
    position = at("6R/7/7/7/7/3w3/7/3w3")
    assert board_after(position, "d1-d3+") == "6R/7/7/7/7/3W3/7/7"


def test_a_disc_jumps_over_nothing() -> None:
    position = at("7/7/7/3r3/3w3/7/7/6R")
    assert legal_from(position, "d4") == {"d4-c5", "d4-e5"}


def test_a_disc_never_lands_on_a_tower_or_an_enemy() -> None:
    position = at("7/7/7/2WrR2/3w3/7/7/7")
    assert legal_from(position, "d4") == set()


def test_a_tower_goes_one_step_in_each_of_the_eight_directions() -> None:
    position = at("6r/7/7/7/3W3/7/7/7")
    assert legal(position) == {f"d4-{target}" for target in ("c5", "d5", "e5", "c4", "e4", "c3", "d3", "e3")}


def test_a_tower_jumps_an_adjacent_enemy_disc_in_each_of_the_eight_directions() -> None:
    position = at("7/7/7/2rrr2/2rWr2/2rrr2/7/7")
    targets = ("b6", "d6", "f6", "b4", "f4", "b2", "d2", "f2")
    assert legal(position) == {f"d4x{target}" for target in targets}


def test_a_red_tower_jumps_in_each_of_the_eight_directions_too() -> None:
    position = at("7/7/7/2www2/2wRw2/2www2/7/7", "r")
    targets = ("b6", "d6", "f6", "b4", "f4", "b2", "d2", "f2")
    assert legal(position) == {f"d4x{target}" for target in targets}


def test_a_jump_ends_right_behind_the_disc_and_only_if_that_square_is_empty() -> None:
    for blocker in "wWrR":
        assert "d4xd6" not in legal(at(f"7/7/3{blocker}3/3r3/3W3/7/7/7"))
    assert "d4xd7" not in legal(at("7/7/7/3r3/3W3/7/7/7"))


def test_a_jump_stays_on_the_board() -> None:
    beside = ("a5", "b5", "c5", "c4", "a3", "b3", "c3")
    assert legal_from(at("7/7/7/7/rW5/7/7/7"), "b4") == {f"b4-{target}" for target in beside}
    assert legal_from(at("2rWr2/7/7/7/7/7/7/7"), "d8") == {"d8xb8", "d8xf8", "d8-c7", "d8-d7", "d8-e7"}


def test_own_pieces_and_towers_are_not_jumped() -> None:
    for piece in "wWR":
        assert "d4xd6" not in legal(at(f"7/7/7/3{piece}3/3W3/7/7/r6"))


def test_a_tower_does_not_jump_twice_in_a_turn() -> None:
    position = at("7/3r3/7/3r3/3W3/7/7/7")
    assert "d4xd6" in legal(position)
    assert not any(text.count("x") > 1 for text in legal(position))


def test_a_tower_never_lands_on_a_piece() -> None:
    position = at("7/7/7/2wWr2/2rWR2/7/7/7")
    assert not {"d4-c5", "d4-d5", "d4-e5", "d4-c4", "d4-e4"} & {text.rstrip("+") for text in legal(position)}


def test_a_player_with_a_move_that_is_no_promotion_may_not_pass() -> None:
    assert "pass" not in legal(REDO.start())
    assert "pass" not in legal(at("6R/7/7/7/7/3w3/3w3/7"))


def test_a_player_who_could_only_promote_may_pass() -> None:
    position = at("wwwwwww/wwwwwww/7/7/7/R6/7/7")
    assert "pass" in legal(position)
    assert all(text.endswith("+") or text == "pass" for text in legal(position))
    assert position.forced_move() is None


def test_a_player_without_any_move_can_only_pass_and_the_bot_does_it_for_him() -> None:
    position = at("w6/7/7/7/7/7/7/3R3")
    assert legal(position) == {"pass"}
    assert str(position.forced_move()) == "pass"


def test_a_single_move_that_is_no_pass_is_not_played_for_the_player() -> None:
    position = at("1R5/w6/7/7/7/7/7/7")
    assert legal(position) == {"a7-a8"}
    assert position.forced_move() is None


def test_a_pass_is_a_ply_of_its_own() -> None:
    position = at("w6/7/7/7/7/7/7/3R3", plies=10)
    after = played(position, "pass")
    assert after.to_move == 1
    assert after.encode() == "w6/7/7/7/7/7/7/3R3 r 1 1 11 w6/7/7/7/7/7/7/3R3:w"


def test_after_a_pass_the_other_player_moves_on() -> None:
    position = at("w6/7/7/7/7/7/7/3R3", plies=10)
    assert played(position, "pass", "d1-d2", "pass").result is None
