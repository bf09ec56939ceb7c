"""``RULES.md``, "Win" and "Draw", passing, and what all games have in common about ends."""

from __future__ import annotations

import pytest

from bot.games.game import IllegalMove, Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.rules import RedtanglePosition
from tests.games.redtangle.boards import after, pieces_on, position, texts

BOTH = {0, 1}


def end(found: RedtanglePosition) -> tuple[set[int], str]:
    assert found.result is not None
    assert found.to_move is None
    assert list(found.legal_moves()) == []
    return set(found.result.winners), found.result.reason


def test_a_player_left_without_pieces_loses() -> None:
    assert end(after(position("d4 w4, a1 w0, d5 b4"), "d4xd6")) == ({0}, "no black piece is left")
    assert end(after(position("d4 w4, d5 b4, h8 b0", "b"), "d5xd3")) == ({1}, "no white piece is left")


def test_a_player_who_jumps_off_with_the_last_piece_loses_if_the_opponent_has_pieces_left() -> None:
    assert end(after(position("b7 w4, b8 b4, h8 b0"), "b7xN")) == ({1}, "no white piece is left")


def test_a_player_who_jumps_off_over_the_last_enemies_wins_with_pieces_left() -> None:
    assert end(after(position("b7 w4, a1 w0, b8 b4"), "b7xN")) == ({0}, "no black piece is left")


def test_if_both_are_left_without_pieces_it_is_a_draw() -> None:
    last_of_both = position("b6 w4, b7 b4, b8 b1S")
    assert end(after(last_of_both, "b6xN")) == (BOTH, "no piece is left on either side")


def test_a_player_without_a_legal_move_passes() -> None:
    # White's 0 shows black all round, as do the sides that face it: nothing can be jumped, and no square is free.
    stuck = position("a1 w0, a2 b4, b1 b1W, b2 b1N")
    assert texts(stuck) == {"pass"}
    assert str(stuck.forced_move()) == "pass"
    assert str(stuck.parse("Pass")) == "pass"
    passed = after(stuck, "pass")
    assert passed.to_move == 1
    assert pieces_on(passed) == pieces_on(stuck)


def test_nobody_else_may_pass() -> None:
    found = position("a1 w1S, a2 b4, b1 b1W, b2 b1N")
    assert texts(found) == {"a1@N", "a1@E", "a1@W"}
    assert found.forced_move() is None
    with pytest.raises(IllegalMove, match="you may pass only if you have no other move"):
        found.parse("pass")


SHUFFLE = ("a1-a2", "h8-h7", "a2-a1", "h7-h8")


def test_the_third_repetition_is_a_draw_and_the_first_position_counts() -> None:
    found = position("a1 w1N, a8 w4, h8 b1N, h1 b4")
    twice = after(found, *SHUFFLE, *SHUFFLE[:3])
    assert twice.result is None
    assert end(after(twice, SHUFFLE[3])) == (BOTH, "third repetition")


def test_the_position_after_the_set_ups_is_the_first_one_that_counts() -> None:
    begun: Position = REDTANGLE.start()
    for _ in range(2):
        begun = begun.play(begun.parse("0,1N,1E,2S,2W,2N,3E,4"))
    assert isinstance(begun, RedtanglePosition)
    assert end(after(begun, *("c2-c3", "c7-c6", "c3-c2", "c6-c7") * 2)) == (BOTH, "third repetition")


def test_a_piece_that_lies_differently_makes_another_position() -> None:
    found = after(position("a1 w1N, a8 w4, h8 b1N, h1 b4"), *SHUFFLE, "a1-a2", "h8-h7", "a2-a1@E", "h7-h8")
    assert found.result is None


def test_pieces_that_look_alike_may_change_places_and_the_position_is_the_same() -> None:
    found = position("a1 w1N, b1 w1N, h8 b1N, h1 b4")
    swap = ("a1-a2", "h8-g8", "b1-a1", "g8-g7", "a2-b1", "g7-h8")
    assert end(after(found, *swap, *swap)) == (BOTH, "third repetition")


def test_the_side_to_move_makes_another_position() -> None:
    # White can only pass, so the same arrangement is there with White and with Black to move.
    found = position("a1 w0, a2 b4, b1 b1W, b2 b1N, h8 b2N")
    again = after(found, "pass", "h8-g8", "pass", "g8-h8")
    assert pieces_on(again) == pieces_on(found)
    assert again.result is None
    assert end(after(again, "pass", "h8-g8", "pass", "g8-h8")) == (BOTH, "third repetition")


def test_a_hundred_and_twenty_plies_without_a_capture_are_a_draw() -> None:
    found = position("a1 w1N, a8 w4, h8 b1N, h1 b4", quiet=118)
    nearly = after(found, "a1-a2")
    assert nearly.result is None
    assert end(after(nearly, "h8-h7")) == (BOTH, "120 turns without a capture")


def test_the_plies_are_counted_after_the_set_up() -> None:
    begun: Position = REDTANGLE.start()
    for _ in range(2):
        begun = begun.play(begun.parse("0,1N,1E,2S,2W,2N,3E,4"))
    assert isinstance(begun, RedtanglePosition)
    assert begun.quiet == 0


def test_passes_are_counted_too() -> None:
    stuck = position("a1 w0, a2 b4, b1 b1W, b2 b1N, h8 b2N", quiet=119)
    assert end(after(stuck, "pass")) == (BOTH, "120 turns without a capture")


def test_a_capture_begins_the_count_anew() -> None:
    found = after(position("d4 w4, a1 w1N, d5 b4, h8 b1N", quiet=119), "d4xd6")
    assert found.result is None
    assert found.quiet == 0
    assert len(found.seen) == 1


def test_a_win_on_the_board_goes_before_a_draw() -> None:
    found = position("c6 w4, a1 w1N, h1 b4, h8 b1N", quiet=119)
    assert end(after(found, "c6-c7"))[0] == {0}
    assert end(after(position("d4 w4, d5 b4", quiet=119), "d4xd6"))[0] == {0}


def test_two_last_pieces_neither_of_which_can_force_a_win_are_a_stalemate() -> None:
    found = position("a1 w2N, h8 b2N")
    assert end(found) == (BOTH, "stalemate, neither of the two last pieces can force a win")


def test_a_capture_that_leads_to_a_stalemate_ends_the_game() -> None:
    found = position("a1 w2N, g6 w4, g7 b4, g8 b1S, h8 b2N")
    assert end(after(found, "g6xN")) == (BOTH, "stalemate, neither of the two last pieces can force a win")


def test_two_last_pieces_play_on_while_one_of_them_can_force_a_win() -> None:
    racing = position("d6 w0, h8 b4")
    assert racing.result is None
    assert end(after(racing, "d6-d7")) == ({0}, "a white piece entered Black's red rectangle")


def test_a_stalemate_depends_on_whose_turn_it_is() -> None:
    assert position("d4 w0, d6 b0", "w").result is None
    assert end(position("d4 w0, d6 b0", "b"))[1].startswith("stalemate")


def test_more_than_two_pieces_are_never_a_stalemate() -> None:
    assert position("a1 w2N, a2 w1N, h8 b2N").result is None


def test_the_reason_is_told_to_whoever_tries_to_move_on() -> None:
    over = position("a1 w2N, h8 b2N")
    with pytest.raises(IllegalMove, match="the game is over: stalemate"):
        over.parse("a1-a2")
