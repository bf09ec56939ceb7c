"""The first column of ``RULES.md``, "Rulesets", sentence by sentence."""

from __future__ import annotations

from bot.games.gyges.notation import PASSING
from tests.games.gyges.positions import NORTH, after, board, changed, picture, relocations, texts, why_not

CHAIN = ".3.2.. 1...1. ..2..3 2.1.31 .3..2. ......"
"""The 3 on b2 can land on the 2 on c4."""

STUCK = "...... ...... ...... ....1. 121221 33332."
"""South's border row has one legal move, e1-f2-f3, which pushes the 1 on f2 to f3."""

UNSTUCK = "...... ...... ...... ....11 121222 3333.."
"""What that move leads to; North's f3-f2-e1 is its reverse."""


def test_the_arriving_piece_stays_and_the_piece_it_hit_moves_on_by_its_own_value() -> None:
    assert changed(board("fogliaccio", CHAIN), "b2-c4-c6") == {"b2": (3, 0), "c4": (2, 3), "c6": (0, 2)}
    assert "c5 is out of reach from c4: exactly 2 steps" in why_not(board("fogliaccio", CHAIN), "b2-c4-c5")


def test_the_example_of_the_source_five_pieces_one_pushing_the_next_and_north_wins() -> None:
    position = board("fogliaccio", "...... .3...3 1..12. ..2..3 .1..2. 2.13..", "N")
    pushed = {"b5": (3, 0), "c3": (2, 3), "d4": (1, 2), "e4": (2, 1), "S": (0, 2)}
    assert changed(position, "b5-c3-d4-e4-e2-S") == pushed
    result = after(position, "b5-c3-d4-e4-e2-S").result
    assert result is not None
    assert result.winners == {NORTH}


def test_no_square_is_entered_twice_not_even_one_passed_through() -> None:
    position = board("fogliaccio", "#####. ####.. ...... .1.... ...... .2...#")
    assert why_not(position, "b1-b3-b2") == "every free way from b3 to b2 enters a square twice in this turn"
    assert not why_not(position, "b1-b3-b4")


def test_the_starting_square_counts_as_entered() -> None:
    position = board("fogliaccio", "#####. ####.. ...... ...... 1..... 1....1")
    assert why_not(position, "a1-a2-a1") == "every free way from a2 to a1 enters a square twice in this turn"


def test_a_relocation_enters_no_square() -> None:
    position = board("fogliaccio", "...... ..1... ##.### ##.### ..3... ......")
    assert relocations(position, "c2-c5") == "c4"


def test_a_piece_is_relocated_to_the_rank_next_to_the_opponents_border_row_on_its_inner_side() -> None:
    lines = "...... .3.2.. 1.2..3 2.1.31 .3..2. .1...."
    assert relocations(board("fogliaccio", lines), "b1-b2") == "b4 d4 e4"
    upside_down = " ".join(reversed(lines.split()))
    assert relocations(board("fogliaccio", upside_down, "N"), "b6-b5") == "b3 d3 e3"
    refusal = "b5 is out of bounds: with North's border row on rank 5, a piece is put on rank 4"
    assert "with North's border row on rank 5" in why_not(board("fogliaccio", lines), "b1-b2=a5")
    assert why_not(board("fogliaccio", lines), "b1-b2=b5") == refusal


def test_the_opponents_border_row_is_the_one_at_the_beginning_of_the_turn() -> None:
    position = board("fogliaccio", "...... ..1... ##.### ##.### ..3... ......")
    assert changed(position, "c2-c5=c4") == {"c2": (3, 0), "c4": (0, 1), "c5": (1, 3)}
    assert "with North's border row on rank 5, a piece is put on rank 4" in why_not(position, "c2-c5=c3")


def test_a_player_whose_border_row_is_stuck_passes() -> None:
    position = board("fogliaccio", "...... ...... ...... ...... 112211 323323")
    assert texts(position) == {"pass"}
    assert position.forced_move() == PASSING
    assert "a2 is not on South's border row" in why_not(position, "a2-a3")
    assert picture(after(position, "pass")) == picture(position)
    assert after(position, "pass").to_move == NORTH


def test_a_border_row_is_stuck_too_if_its_only_move_is_a_repetition() -> None:
    assert texts(board("fogliaccio", STUCK)) == {"e1-f2-f3"}
    position = after(board("fogliaccio", UNSTUCK, "N"), "f3-f2-e1")
    assert picture(position) == STUCK
    assert texts(position) == {"pass"}


def test_a_pass_is_legal_only_without_any_legal_move() -> None:
    # The reason names no move: in a puzzle it would be the solution.
    refusal = "you may pass only when you have no legal move, and you have one"
    assert why_not(board("fogliaccio", STUCK), "pass") == refusal
    assert "pass" not in texts(board("fogliaccio", STUCK))


def test_after_a_pass_the_board_from_before_ones_own_last_move_may_come_back() -> None:
    position = board("fogliaccio", "323323 .12211 1..... ...... ...... ......")
    stuck = after(position, "a4-a5")
    assert texts(stuck) == {"pass"}
    assert picture(after(stuck, "pass a5-a4")) == picture(position)
