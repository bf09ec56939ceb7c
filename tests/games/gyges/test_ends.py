"""How Gygès ends, sentence by sentence of ``RULES.md``."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.game import Result
from bot.games.gyges import GYGES
from bot.games.gyges.rules import LONGEST, GygesPosition, decode, ending
from tests.games.gyges.positions import NORTH, RULESETS, SOUTH, after, board, game, picture, texts, why_not

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

LOOSE = "..1... ...... ###### ####.. ...... ..1..."
"""Each border row holds one piece, a 1 that can step to and fro."""
ROUND = "c1-d1 c6-d6 d1-c1 d6-c6"


def drawn(reason: str) -> Result:
    return Result(frozenset({SOUTH, NORTH}), reason)


def unended(ruleset: str, seed: int, plies: int) -> GygesPosition:
    """Play at random, never into a goal, and return the position after ``plies``."""
    random = Random(seed)
    position = game(ruleset, "231123 321123")
    for _ in range(plies):
        quiet = [move for move in position.legal_moves() if position.play(move).result is None]
        position = position.play(random.choice(quiet))
    return position


@each_ruleset
def test_a_game_in_progress_has_no_result(ruleset: str) -> None:
    assert GYGES.start(ruleset=ruleset).result is None
    assert game(ruleset, "231123 321123 c1-c2").result is None


@each_ruleset
def test_nobody_moves_once_a_piece_is_in_the_goal(ruleset: str) -> None:
    won = after(board(ruleset, "##.### ##.##. 1.3.2. ...... ...... ......"), "c4-N")
    assert (won.to_move, list(won.legal_moves()), list(won.steps())) == (None, [], [])
    assert why_not(won, "a6-a5") == "the game is over: a piece in goal N"


@each_ruleset
def test_the_third_repetition_is_a_draw_and_the_first_position_counts(ruleset: str) -> None:
    position = board(ruleset, LOOSE)
    twice = after(position, ROUND)
    assert twice.result is None
    assert after(twice, "c1-d1 c6-d6 d1-c1").result is None
    assert after(twice, ROUND).result == drawn("third repetition")


@each_ruleset
def test_only_the_same_side_to_move_makes_the_same_position(ruleset: str) -> None:
    position = board(ruleset, LOOSE)
    turned = after(position, "c1-d1 c6-d6 d1-e1 d6-c6 e1-d1 c6-d6 d1-c1")
    assert picture(turned) == picture(after(position, "c1-d1 c6-d6 d1-c1"))
    assert picture(after(turned, "d6-c6")) == picture(position)
    assert after(turned, "d6-c6").result is None


@each_ruleset
def test_set_ups_do_not_count_as_positions_or_plies(ruleset: str) -> None:
    assert game(ruleset, "231123 321123").earlier == ()
    assert len(game(ruleset, "231123 321123 c1-c2").earlier) == 1


@each_ruleset
def test_the_end_of_the_200th_ply_after_the_set_up_is_a_draw(ruleset: str) -> None:
    position = unended(ruleset, 1, LONGEST - 1)
    quiet = next(move for move in position.legal_moves() if not {"N", "S"} & set(move))
    assert position.result is None
    assert position.play(quiet).result == drawn("200 turns after the set-up")


@each_ruleset
def test_a_win_with_the_200th_ply_goes_before_the_draw(ruleset: str) -> None:
    lasts = (unended(ruleset, seed, LONGEST - 1) for seed in range(100))
    position, move = next((last, move) for last in lasts for move in last.legal_moves() if {"N", "S"} & set(move))
    result = position.play(move).result
    assert result is not None
    assert result.winners == {position.side}


def passed_once(ruleset: str, lines: str, side: str) -> GygesPosition:
    """Return a position in which the other side has just passed."""
    now = board(ruleset, lines, side)
    board_text = now.encode().split()[1]
    other = "N" if side == "S" else "S"
    position = decode(f"{ruleset} {board_text} {side} 1 {now.pieces:x} {now.pieces:x}{other}")
    assert isinstance(position, GygesPosition)
    return position


def test_two_passes_in_a_row_are_a_draw() -> None:
    stuck = "...... ...... ...... ...... 112211 323323"
    assert after(board("fogliaccio", stuck), "pass").result is None
    assert after(passed_once("fogliaccio", stuck, "S"), "pass").result == drawn("two passes in a row")


def test_a_move_between_two_passes_begins_a_new_count() -> None:
    passed = after(board("fogliaccio", "...... ...... ...... ...... 112211 323323"), "pass")
    assert passed.passes == 1
    assert all(passed.play(move).passes == 0 for move in passed.legal_moves())


def test_a_pass_is_a_ply_and_a_position() -> None:
    passed = after(board("fogliaccio", "...... ...... ...... ...... 112211 323323"), "pass")
    assert len(passed.earlier) == 1
    assert passed.side == NORTH


def test_a_win_goes_before_every_draw() -> None:
    position = board("classic", "##.### ##.##. 1.3.2. ...... ...... ......")
    won = position.play(position.parse("c4-N")).pieces
    crowd = tuple(sorted([won << 1 | NORTH] * 2 + [position.pieces << 1] * (LONGEST - 2)))
    result = ending(won, NORTH, 2, crowd)
    assert result is not None
    assert result.winners == {SOUTH}


def test_a_border_row_can_be_stuck_in_a_game_from_the_start() -> None:
    moves = (
        "321321 323211 c1-c2 f6-e6=e2 f1-f2 e6-d6=b2 e1-f2-e2-d2 c6-d6=a2 b1-c2-d2-d3 d6-d3-d2-e2-f2-e1 "
        "e1-f2-e2-d2-d1-b2-b4 a6-b4-b2-d1-d2-e2-f2-e1 e1-f2-e2-d2-c2-b1 b6-b4-d3-f2-e1 b1-c2-d2-e2-f2=f3 b4-b2-c1 "
        "e1-f2-e2-d2-d3-a3 d3-d2-e2-f2-e1 e1-f2-e2-d2-c2-d3 a3-d3-e2-f2-e1 c1-b2-c3 d3-c3-b2-c1 e1-f2-f3-c3-b3 "
        "c3-f3-f2-e1 e1-f2-f3-e3 f3-f2-e1"
    )
    position = game("fogliaccio", moves)
    assert texts(position) == {"pass"}
    assert after(position, "pass").result is None
