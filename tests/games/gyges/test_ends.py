"""How Gygès ends where neither the games of ``naive`` nor recorded ones lead: passes, and several ends at once."""

from __future__ import annotations

import pytest

from bot.games.game import Result
from bot.games.gyges.rules import LONGEST, decode, ending
from tests.games.gyges.positions import NORTH, RULESETS, SOUTH, after, board, changed, picture

STUCK = "...... ...... ...... ...... 112211 323323"
"""South's border row cannot move in the rules of the magazine."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_third_repetition_is_a_draw_of_which_the_first_position_counts_and_another_side_to_move_does_not(
    ruleset: str,
) -> None:
    position = board(ruleset, "..1... ...... ###### ####.. ...... ..1...")
    twice = after(position, "c1-d1 c6-d6 d1-c1 d6-c6 c1-d1 c6-d6 d1-c1")
    assert twice.result is None
    assert after(twice, "d6-c6").result == Result(frozenset({SOUTH, NORTH}), "third repetition")
    turned = after(position, "c1-d1 c6-d6 d1-e1 d6-c6 e1-d1 c6-d6 d1-c1")
    assert picture(turned) == picture(after(position, "c1-d1 c6-d6 d1-c1"))
    assert picture(after(turned, "d6-c6")) == picture(position)
    assert after(turned, "d6-c6").result is None


def test_two_passes_in_a_row_are_a_draw_and_a_move_between_them_begins_a_new_count() -> None:
    passed = after(board("fogliaccio", STUCK), "pass")
    assert (passed.result, passed.passes, passed.side, len(passed.earlier)) == (None, 1, NORTH, 1)
    assert all(passed.play(move).passes == 0 for move in passed.legal_moves())
    stuck = board("fogliaccio", STUCK)
    again = decode(f"fogliaccio {stuck.encode().split()[1]} S 1 {stuck.pieces:x} {stuck.pieces:x}N")
    assert again.play(again.parse("pass")).result == Result(frozenset({SOUTH, NORTH}), "two passes in a row")


def test_a_win_goes_before_every_draw() -> None:
    position = board("classic", "##.### ##.##. 1.3.2. ...... ...... ......")
    won = position.play(position.parse("c4-N")).pieces
    crowd = tuple(sorted([won << 1 | NORTH] * 2 + [position.pieces << 1] * (LONGEST - 2)))
    result = ending(won, NORTH, 2, crowd)
    assert result is not None
    assert result.winners == {SOUTH}


def test_five_pieces_of_which_one_pushes_the_next_and_north_wins_as_in_the_example_of_the_source() -> None:
    position = board("fogliaccio", "...... .3...3 1..12. ..2..3 .1..2. 2.13..", "N")
    pushed = {"b5": (3, 0), "c3": (2, 3), "d4": (1, 2), "e4": (2, 1), "S": (0, 2)}
    assert changed(position, "b5-c3-d4-e4-e2-S") == pushed
    result = after(position, "b5-c3-d4-e4-e2-S").result
    assert result is not None
    assert result.winners == {NORTH}
