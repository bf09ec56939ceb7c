"""How a game of Redo ends and who has won (``RULES.md``, "End" and "Score")."""

from __future__ import annotations

from bot.games.game import Position
from tests.games.redo.boards import REDO, at, played

SHUFFLE = ("d1-d2", "d8-d7", "d2-d1", "d7-d8")
"""Two towers go to and fro, far from each other."""


def reason(position: Position) -> str:
    assert position.result is not None
    return position.result.reason


def winners(position: Position) -> frozenset[int]:
    assert position.result is not None
    return position.result.winners


def test_the_game_ends_when_both_pass_one_after_the_other() -> None:
    position = at("wwwwwww/wwwwwww/7/7/7/7/rrrrrr1/rrrrrrr")
    assert position.result is None
    after = played(position, "pass", "pass")
    assert reason(after) == "both passed, one after the other, 14 to 13"
    assert winners(after) == {0}
    assert after.to_move is None
    assert list(after.legal_moves()) == []


def test_a_pass_answered_by_a_move_ends_nothing() -> None:
    position = at("wwwwwww/wwwwwww/7/7/7/7/rrrrrr1/rrrrrrr")
    after = played(position, "pass", "a2-a1+", "pass")
    assert after.result is None
    assert after.to_move == 1


def test_being_skipped_counts_as_passing() -> None:
    position = at("w6/7/7/7/7/7/r6/rr5")
    assert str(position.forced_move()) == "pass"
    skipped = played(position, "pass")
    assert {str(move) for move in skipped.legal_moves()} == {"a2-a1+", "a2-b1+", "pass"}
    assert reason(played(skipped, "pass")) == "both passed, one after the other, 3 to 1"


def test_the_game_ends_when_a_colour_has_no_piece_left() -> None:
    after = played(at("7/7/7/3r3/7/3W3/7/7"), "d3-d4")
    assert reason(after) == "Red has no piece left, 2 to 0"
    assert winners(after) == {0}
    assert winners(played(at("7/7/3R3/7/3w3/7/7/7", "r"), "d6-d5")) == {1}


def test_the_game_ends_when_no_conversion_is_possible_any_more() -> None:
    position = at("7/7/7/4r2/2w4/7/7/7")
    assert position.result is None
    after = played(position, "c4-b5")
    assert reason(after) == "no conversion is possible any more, 1 to 1"
    assert winners(after) == {0, 1}


def test_the_third_repetition_ends_the_game() -> None:
    start = at("3R3/7/7/7/7/7/7/W2W3")
    assert played(start, *SHUFFLE, *SHUFFLE[:3]).result is None
    after = played(start, *SHUFFLE, *SHUFFLE)
    assert reason(after) == "third repetition, 2 to 1"
    assert winners(after) == {0}


def test_the_first_position_of_the_play_counts_for_repetition() -> None:
    # It stands after 0, 4 and 8 plies.
    assert played(at("3R3/7/7/7/7/7/7/3W3"), *SHUFFLE * 2).result is not None


def test_the_same_arrangement_with_the_other_side_to_move_is_another_position() -> None:
    position = played(at("3R3/7/7/7/7/7/7/3W3"), *SHUFFLE)
    # Both lose a move: each arrangement now stands with either side to move.
    tempo = ("d1-e2", "d8-d7", "e2-d2", "d7-d8", "d2-d1")
    assert played(position, *tempo).result is None
    assert played(position, *tempo, "d8-d7", "d1-d2", "d7-d8").result is None


def test_positions_before_a_conversion_or_a_disc_move_can_come_back_and_count() -> None:
    # White converts the disc and Red converts it back; after eight plies everything stands where it stood.
    circle = ("d3-d4", "e7-d6", "d4-e3", "d6-d7", "e3-d3", "d7-e7")
    position = at("7/4R2/7/3r3/7/3W3/7/7")
    once = played(position, *circle)
    assert once.encode().split(" ")[0] == position.encode().split(" ")[0]
    assert reason(played(once, *circle)) == "third repetition, 2 to 1"


def test_forty_plies_without_a_conversion_a_promotion_or_a_disc_move_end_the_game() -> None:
    position = at("3R3/7/7/7/7/7/7/W2W3", quiet=38)
    assert played(position, "d1-d2").result is None
    after = played(position, "d1-d2", "d8-d7")
    assert reason(after) == "40 turns without a conversion, a promotion or a disc move, 2 to 1"
    assert winners(after) == {0}


def test_a_conversion_a_promotion_or_a_disc_move_starts_the_forty_plies_again() -> None:
    assert played(at("3R3/7/7/3r3/7/3W3/7/7", quiet=39), "d3-d4").result is None
    assert played(at("3R3/7/7/7/7/3W3/w6/w6", quiet=39), "a1-a2+").result is None
    assert played(at("3R3/7/7/7/7/3W3/w6/7", quiet=39), "a2-a3").result is None


def test_passes_count_among_the_forty_plies() -> None:
    after = played(at("w6/7/7/7/7/7/7/3R3", quiet=39), "pass")
    assert reason(after) == "40 turns without a conversion, a promotion or a disc move, 1 to 1"


def test_the_game_ends_after_three_hundred_plies() -> None:
    position = at("3R3/7/7/7/7/3W3/w6/7", plies=298)
    assert played(position, "a2-a3").result is None
    after = played(position, "a2-a3", "d8-d7")
    assert reason(after) == "300 turns, 2 to 1"
    assert winners(after) == {0}


def test_ends_on_the_board_go_before_repetition_and_limits() -> None:
    assert reason(played(at("7/7/7/3r3/7/3W3/7/7", quiet=39, plies=299), "d3-d4")).startswith("Red has no piece")
    dead = played(at("7/7/7/4r2/2w4/7/7/7", plies=299), "c4-b5")
    assert reason(dead).startswith("no conversion")
    passed = at("wwwwwww/wwwwwww/7/7/7/7/rrrrrr1/rrrrrrr", quiet=38, plies=298)
    assert reason(played(passed, "pass", "pass")).startswith("both passed")


def test_repetition_goes_before_the_limits() -> None:
    position = at("3R3/7/7/7/7/7/7/W2W3", quiet=32, plies=292)
    assert reason(played(position, *SHUFFLE, *SHUFFLE)).startswith("third repetition")
    assert reason(played(at("3R3/7/7/7/7/7/7/W2W3", quiet=39, plies=299), "d1-d2")).startswith("40 turns")


def test_a_disc_and_a_tower_are_one_point_each() -> None:
    after = played(at("w1R4/7/7/7/7/7/7/W2r3", plies=299), "a1-a2")
    assert reason(after) == "300 turns, 2 to 2"


def test_as_many_points_are_a_draw() -> None:
    after = played(at("w1R4/7/7/7/7/7/7/W2r3", plies=299), "a1-a2")
    assert winners(after) == {0, 1}


def test_more_points_win_whoever_moved_last_and_whatever_the_end() -> None:
    after = played(at("w1R4/7/7/7/7/7/7/W2r2r", plies=299), "a1-a2")
    assert winners(after) == {1}
    assert reason(after) == "300 turns, 3 to 2"


def test_a_promotion_costs_a_point() -> None:
    before = REDO.start()
    after = played(before, "c1-c2+")
    scene = REDO.scene(after)
    assert [tray.label for tray in scene.trays] == ["13 pieces", "14 pieces"]
