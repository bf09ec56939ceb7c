"""The lines of ``analyse``: every move, best first, with winning chances, and proof where there is one."""

from __future__ import annotations

import pytest

from bot.contract.cases import CASES, Case, playout
from bot.games import GAMES
from bot.games.rectangles.search import WINNING
from bot.opponents import analyse
from bot.opponents.candidates import chance, points_of
from bot.opponents.solver import Solver
from bot.opponents.thinking import state_of
from tests.games.yonmoque.positions import board
from tests.opponents.noughts import noughts

FOUR_AT_HAND = "..... ..... bbb.b www.. ....."


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_line_can_be_played_and_the_best_goes_first(case: Case) -> None:
    plies = playout(case, 2)
    position = plies[len(plies) // 2].position
    lines = analyse(position, nodes=1_500).lines
    texts = [str(line.move) for line in lines]
    assert sorted(texts) == sorted(str(m) for m in position.legal_moves() if position.question(m) is None)
    assert all(0 <= line.winning <= 1 for line in lines)
    for line in lines[:5]:
        assert line.line[0] == line.move
        after = position
        for move in line.line:
            after = after.play(after.parse(str(move)))


def test_a_win_in_one_is_proven() -> None:
    best = analyse(board(FOUR_AT_HAND)).lines[0]
    assert best.exact
    assert best.winning == 1


def test_a_lost_position_is_said_to_be_lost() -> None:
    # x holds two rows open: o loses whatever it does.
    lines = analyse(noughts("x.x" + ".o." + "o.x"), nodes=100_000).lines
    assert all(line.exact and line.winning == 0 for line in lines)


def test_rectangles_are_solved_where_few_are_left() -> None:
    position = GAMES["rectangles"].start()
    for text in ("a1-b2", "c3-f6", "a3-b5"):
        position = position.play(position.parse(text))
    lines = analyse(position, nodes=50_000).lines
    proven = [line for line in lines if line.exact]
    assert proven
    assert lines[0].winning in (0, 1)


@pytest.mark.slow
def test_whoever_begins_rectangles_on_the_usual_board_is_known_to_lose() -> None:
    game = GAMES["rectangles"]
    start = game.start()
    after = [start.play(move) for move in list(start.legal_moves())[:-1]]
    for position in {game.canonical_form(one): one for one in after}.values():
        assert Solver(state_of(position), 100_000).winning()
    lines = analyse(start, nodes=200).lines
    assert all(line.exact and line.winning == 0 for line in lines)
    assert state_of(after[0]).known_wins() is None
    assert not analyse(game.start(dots=8), nodes=200).lines[0].exact


def test_it_is_known_which_moves_begin_tilted_rectangles_well() -> None:
    lines = analyse(GAMES["rectangles"].start(tilted=True), nodes=200).lines
    assert {str(line.move) for line in lines if line.winning == 1} == set(WINNING[True])
    assert all(line.exact for line in lines)
    assert {line.winning for line in lines} == {0, 1}


def test_a_move_asked_about_gets_a_value_of_its_own() -> None:
    position = GAMES["yonmoque"].start()
    for text in ("d3", "b1", "d4", "d1", "c3", "c1", "b3", "e3"):
        position = position.play(position.parse(text))
    poor = position.parse("b3-c2")
    bound, value = (
        next(line for line in analyse(position, 3_000, played).lines if line.move == poor) for played in (None, poor)
    )
    assert not bound.exact
    assert value.winning < bound.winning


def test_a_move_asked_about_is_taken_for_no_worse_than_games_at_random_can_tell() -> None:
    position = GAMES["rectangles"].start(dots=10)
    untried = analyse(position, nodes=2_000).lines[-1].move
    lines = analyse(position, nodes=2_000, played=untried).lines
    (known,) = (line for line in lines if line.move == untried)
    assert lines[0].winning - 0.05 < known.winning <= lines[0].winning


def test_games_at_random_tell_a_blunder_all_the_same() -> None:
    position = noughts("xx." + ".o." + "..o")
    for text in map(str, position.legal_moves()):
        known = analyse(position, nodes=30_000, played=position.parse(text))
        (line,) = (one for one in known.lines if str(one.move) == text)
        assert (line.winning == known.lines[0].winning) == (text == str(known.lines[0].move))
        assert not known.evaluated


def test_what_no_search_lists_can_be_asked_about() -> None:
    position = GAMES["rectangles"].start(dots=4)
    assert all(line.move != position.parse("stuck") for line in analyse(position, 50, position.parse("stuck")).lines)


def test_the_same_position_is_judged_the_same_every_time() -> None:
    position = GAMES["redo"].start()
    assert analyse(position, nodes=800) == analyse(position, nodes=800)


def test_an_analysis_looks_at_something() -> None:
    with pytest.raises(ValueError, match="one position at least"):
        analyse(GAMES["redo"].start(), nodes=0)


@pytest.mark.parametrize("points", [-900, -400, -35, 0, 35, 400, 900])
def test_points_and_chances_are_one_scale(points: int) -> None:
    assert points_of(chance(points)) == points


def test_four_hundred_points_are_ten_to_one() -> None:
    assert chance(400) == pytest.approx(10 / 11)


def test_a_first_move_looked_at_little_is_not_taken_for_a_win() -> None:
    best = analyse(GAMES["rectangles"].start(dots=8), 2_000).lines[0]
    assert not best.exact
    assert 0.4 < best.winning < 0.75
