"""The first turn of Redo, and who may pass (``RULES.md``, "Board" and "Pass"); how pieces move the reference tells."""

from __future__ import annotations

from tests.games.redo.boards import REDO, at, legal, played


def test_white_begins_with_fourteen_discs_on_ranks_one_and_two_against_red_on_seven_and_eight() -> None:
    position = REDO.start()
    assert position.to_move == 0
    assert position.encode() == "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 0 0 -"


def test_the_first_turn_has_38_moves_19_of_them_promotions() -> None:
    texts = [str(move) for move in REDO.start().legal_moves()]
    assert len(texts) == len(set(texts)) == 38
    assert sum(text.endswith("+") for text in texts) == 19


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
