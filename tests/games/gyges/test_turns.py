"""The rules of a turn that both rulesets of Gygès share, sentence by sentence of ``RULES.md``."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.games.gyges import GYGES
from bot.games.gyges.board import NAMES, neighbours
from tests.games.gyges.positions import (
    NORTH,
    RULESETS,
    SOUTH,
    after,
    board,
    changed,
    ends,
    game,
    picture,
    pieces,
    relocations,
    start,
    texts,
    why_not,
)

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

SHORE = "##.### ##.##. 1.3.2. ...... ...... ......"
"""South's border row is rank 4, and the way up the c-file is free."""


def test_fogliaccio_is_the_default() -> None:
    assert GYGES.start() == GYGES.start(ruleset="fogliaccio") != GYGES.start(ruleset="classic")
    assert [variant.key for variant in GYGES.variants] == ["fogliaccio", "classic"]


def test_each_goal_touches_every_square_of_its_rank_and_no_other() -> None:
    for goal, rank in (("N", "6"), ("S", "1")):
        touching = {name for name in NAMES[:36] if NAMES.index(goal) in neighbours(NAMES.index(name))}
        assert touching == {f"{file}{rank}" for file in "abcdef"}


@each_ruleset
def test_there_are_twelve_shared_pieces_four_each_of_1_2_and_3(ruleset: str) -> None:
    assert Counter(pieces(game(ruleset, "231123 321123")).values()) == {1: 4, 2: 4, 3: 4}


@each_ruleset
def test_south_then_north_arranges_his_home_rank_from_file_a_to_f(ruleset: str) -> None:
    setting_up = start(ruleset=ruleset)
    half = setting_up.play(setting_up.parse("231123"))
    assert (setting_up.to_move, half.to_move, game(ruleset, "231123 321123").to_move) == (
        SOUTH,
        NORTH,
        SOUTH,
    )
    assert picture(half) == "...... ...... ...... ...... ...... 231123"
    assert picture(game(ruleset, "231123 321123")) == "321123 ...... ...... ...... ...... 231123"


@each_ruleset
def test_there_are_90_arrangements_of_two_1s_two_2s_and_two_3s(ruleset: str) -> None:
    setting_up = start(ruleset=ruleset)
    assert len(texts(setting_up)) == len(list(setting_up.legal_moves())) == 90
    assert all(Counter(text) == {"1": 2, "2": 2, "3": 2} for text in texts(setting_up))


@each_ruleset
def test_south_moves_from_the_lowest_rank_with_a_piece_and_north_from_the_highest(ruleset: str) -> None:
    lines = "...... .3.2.. 1.2..3 2.1.31 .3..21 ......"
    assert {text[:2] for text in texts(board(ruleset, lines, "S"))} == {"b2", "e2", "f2"}
    assert {text[:2] for text in texts(board(ruleset, lines, "N"))} == {"b5", "d5"}
    assert "a3 is not on South's border row, rank 2" in why_not(board(ruleset, lines), "a3-b3")


@each_ruleset
def test_nobody_owns_a_piece_and_the_other_may_move_what_was_brought_to_his_border_row(ruleset: str) -> None:
    position = board(ruleset, "...... ...... 2..... #####. ####.. 1....3")
    assert {text[:2] for text in texts(after(position, "a1-b1"))} == {"a4"}
    assert {text[:2] for text in texts(after(position, "f1-f4"))} == {"a4", "f4"}


@each_ruleset
@pytest.mark.parametrize(
    ("value", "reached"),
    [(1, "c3 d2 d4 e3"), (2, "b3 c2 c4 d1 e2 e4 f3"), (3, "a3 b2 b4 c1 c3 d2 d4 e1 e3 f2 f4")],
)
def test_a_piece_of_value_v_makes_exactly_v_orthogonal_steps_free_to_turn(
    ruleset: str, value: int, reached: str
) -> None:
    assert ends(board(ruleset, f"###### #####. ...... ...{value}.. ...... ......"), "d3") == reached


@each_ruleset
def test_only_the_last_step_may_end_on_an_occupied_square(ruleset: str) -> None:
    position = board(ruleset, "#####. ##.... ...... ..1... 1..... 332...")
    assert "c3 holds a 1: bounce on, or say where it is put" in why_not(position, "c1-c3")
    assert "every way of 3 steps from a1 to d1 is blocked: only the last step" in why_not(position, "a1-d1")


@each_ruleset
def test_the_opponents_goal_is_entered_with_the_last_step_and_wins(ruleset: str) -> None:
    position = board(ruleset, SHORE)
    assert changed(position, "c4-N") == {"c4": (3, 0), "N": (0, 3)}
    result = after(position, "c4-N").result
    assert result is not None
    assert (result.winners, result.reason) == (frozenset({SOUTH}), "a piece in goal N")


@each_ruleset
def test_north_aims_at_goal_s(ruleset: str) -> None:
    result = after(board(ruleset, "...... ...... ...... 1.3.2. ##.##. ##.###", "N"), "c3-S").result
    assert result is not None
    assert (result.winners, result.reason) == (frozenset({NORTH}), "a piece in goal S")


@each_ruleset
@pytest.mark.parametrize("typed", ["a4-N", "e4-N"])
def test_a_goal_is_entered_by_exactly_as_many_steps_as_the_value(ruleset: str, typed: str) -> None:
    assert "N is out of reach" in why_not(board(ruleset, SHORE), typed)


@each_ruleset
def test_a_goal_cannot_be_passed_through(ruleset: str) -> None:
    position = board(ruleset, ".323.. ##.### ##2#.. ...... ...... ......")
    assert "every way of 2 steps from c6 to N is blocked" in why_not(position, "c4-c6-N")
    assert "N holds no piece to bounce on: the game ends there" in why_not(board(ruleset, SHORE), "c4-N-b6")
    assert not any("N-" in text or "N=" in text for text in texts(board(ruleset, SHORE)))


@each_ruleset
def test_ones_own_goal_cannot_be_entered(ruleset: str) -> None:
    position = game(ruleset, "231123 321123")
    assert not any("S" in text for text in texts(position))
    assert why_not(position, "c1-S") == "S is South's own goal: it cannot be entered"
    assert why_not(after(position, "c1-c2"), "c6-N") == "N is North's own goal: it cannot be entered"


@each_ruleset
def test_every_bounce_must_be_carried_out_in_full(ruleset: str) -> None:
    position = board(ruleset, "#####. ####.. ...... ...... 3..... 1...1.")
    assert why_not(position, "a1-a2-c3") == ""
    assert "c2 is out of reach from a2: exactly 3 steps must be made" in why_not(position, "a1-a2-c2")
    assert "a2 holds a 3: bounce on, or say where it is put" in why_not(position, "a1-a2")


@each_ruleset
def test_a_relocated_piece_is_put_on_a_free_square_and_the_turn_ends(ruleset: str) -> None:
    position = board(ruleset, "#####. ####.. ...... ...... 3..... 1...1.")
    moved = after(position, "a1-a2=f5")
    assert changed(position, "a1-a2=f5") == {"a1": (1, 0), "a2": (3, 1), "f5": (0, 3)}
    assert moved.to_move == NORTH
    assert {"e5", "f5"} <= set(relocations(position, "a1-a2").split())
    assert why_not(position, "a1-a2=b5") == "b5 is taken: a piece is put on a free square"
    assert why_not(position, "a1-a2=N") == "a piece cannot be put into a goal"
    assert why_not(position, "a1-b1=f5") == "b1 holds no piece to relocate"


@each_ruleset
def test_there_may_be_any_number_of_bounces_in_one_turn_and_a_relocation_after_them(ruleset: str) -> None:
    position = board(ruleset, "#####. ###... ...... ...... 121... 1.....")
    for text in ("a1-a2-b2-b4", "a1-a2-b2-c3", "a1-a2-b2=e5"):
        assert not why_not(position, text)


CROWDED = "...... ...... ...... ...... 112213 123233"
"""Two full ranks: the only free square of a turn is the one that the moving piece leaves."""


@each_ruleset
def test_the_square_left_by_the_moving_piece_is_free_for_a_relocation(ruleset: str) -> None:
    position = board(ruleset, CROWDED)
    assert relocations(position, "a1-b1") == "a1"
    assert changed(position, "a1-b1=a1") == {"a1": (1, 2), "b1": (2, 1)}


@each_ruleset
def test_a_move_must_change_the_board(ruleset: str) -> None:
    assert "leaves everything where it was" in why_not(board(ruleset, CROWDED), "a1-a2=a1")
    assert not {text for text in texts(board(ruleset, CROWDED)) if text.startswith("a1-a2=")}


UNDOING = "...... ...... 3.23.. 1..322 1...12 .3.1.."
"""South may play b1-b4, and North's border row is rank 4."""


@each_ruleset
def test_a_move_must_not_bring_back_the_board_before_the_opponents_last_move(ruleset: str) -> None:
    assert not why_not(board(ruleset, UNDOING.replace("3.23..", "3323..").replace(".3.1..", "...1.."), "N"), "b4-b1")
    position = after(board(ruleset, UNDOING), "b1-b4")
    refusal = "that brings back the board as it was before South's last move, which is forbidden"
    assert why_not(position, "b4-b1") == refusal
    assert "b4-b1" not in texts(position)


@each_ruleset
def test_what_stood_longer_ago_may_come_back(ruleset: str) -> None:
    first = board(ruleset, "..1... ...... ###### ####.. ...... ..1...")
    assert picture(after(first, "c1-d1 c6-d6 d1-c1 d6-c6")) == picture(first)


@each_ruleset
def test_north_may_not_undo_the_first_move_though_set_ups_are_no_moves(ruleset: str) -> None:
    assert game(ruleset, "231123 321123").situation.barred is None
    first, second = game(ruleset, "231123 321123"), game(ruleset, "231123 321123 c1-c2")
    assert second.situation.barred == first.pieces
