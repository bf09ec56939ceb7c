"""``choose`` in every game returns a legal move, the same one anywhere, and raises an error when the game is over."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest
from tavoliere_tic_tac_toe import Put

from bot.contract.cases import CASES, Case, playout
from bot.games import GAMES
from bot.games.cancellation import ComputationCancelled, run_while
from bot.games.game import Move, Position
from bot.games.rectangles.search import WINNING, RectanglesState
from bot.games.search import Method
from bot.opponents import LEVELS, analyse, choose
from bot.opponents.levels import WITH_PLAYOUTS
from bot.opponents.solver import Solver
from bot.opponents.thinking import state_of
from tests.opponents.noughts import noughts

THOUGHT_OVER = ("yonmoque", "redtangle", "redo")
"""Games in which the strongest level thinks for seconds."""


def middle(case: Case) -> Position:
    """Return a position from the middle of a random game."""
    plies = playout(case, 1)
    return plies[len(plies) // 2].position


def is_legal(position: Position, move: Move) -> bool:
    return position.parse(str(move)) == move


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_lower_levels_play_legal_moves_from_the_first_ply_to_the_last(case: Case) -> None:
    position, seeds = case.start(), Random(1)
    for ply in range(30):
        if position.to_move is None:
            break
        move = choose(position, level=1 + ply % 3, seed=seeds.randrange(1000))
        assert is_legal(position, move)
        position = position.play(move)


@pytest.mark.parametrize(
    "game", [pytest.param(key, marks=pytest.mark.slow if key in THOUGHT_OVER else ()) for key in GAMES]
)
def test_the_strongest_level_plays_a_legal_move(game: str) -> None:
    position = middle(next(case for case in CASES if case.game.key == game))
    assert is_legal(position, choose(position, level=LEVELS[-1]))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_same_position_level_and_seed_give_the_same_move(case: Case) -> None:
    position = middle(case)
    assert [choose(position, 3, seed) for seed in range(3)] == [choose(position, 3, seed) for seed in range(3)]


@pytest.mark.parametrize("game", GAMES)
def test_different_seeds_give_different_games(game: str) -> None:
    assert len({choose(GAMES[game].start(), 3, seed) for seed in range(12)}) > 1


@pytest.mark.slow
def test_the_strongest_level_does_not_open_every_game_of_yonmoque_with_the_same_move() -> None:
    position = GAMES["yonmoque"].start()
    assert len({str(choose(position, LEVELS[-1], seed)) for seed in range(4)}) > 1


def test_of_moves_that_win_equally_soon_another_is_chosen_each_time() -> None:
    position = GAMES["yonmoque"].start()
    for move in ["d3", "d1", "c1", "d1-a4", "c2", "a4-b3", "b1", "a5", "b1-b2", "b3-c4"]:
        position = position.play(position.parse(move))
    assert {str(choose(position, 7, seed)) for seed in range(4)} == {"a2", "e2"}


CHOICES = """
from bot.games import GAMES
from bot.opponents import analyse, choose
for game in GAMES.values():
    position = game.start()
    for ply in range(5):
        position = position.play(choose(position, level=1 + ply % 4, seed=ply))
    print(position.encode(), [(str(line.move), line.winning) for line in analyse(position, nodes=600).lines[:5]])
"""


@pytest.mark.slow
def test_choices_do_not_depend_on_the_hash_seed() -> None:
    def choices(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", CHOICES], env=environment, capture_output=True, text=True, check=True
        ).stdout

    first = choices("0")
    assert len(first.splitlines()) >= 5
    assert choices("1") == first
    assert choices("4242") == first


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_move_is_chosen_when_the_game_is_over(case: Case) -> None:
    over = playout(case, 1)[-1].position
    with pytest.raises(ValueError, match="the game is over"):
        choose(over)
    with pytest.raises(ValueError, match="the game is over"):
        analyse(over)


@pytest.mark.parametrize("level", [0, 11, -1])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(ValueError, match="levels 1 to 10"):
        choose(GAMES["redo"].start(), level)


@pytest.mark.parametrize("game", ["yonmoque", "redo", "rectangles"])
def test_thinking_stops_when_nobody_waits_any_more(game: str) -> None:
    position = GAMES[game].start(**({"dots": 8} if game == "rectangles" else {}))
    asked = []

    def wanted() -> bool:
        asked.append(True)
        return len(asked) < 5

    with pytest.raises(ComputationCancelled):
        run_while(wanted, lambda: choose(position, level=LEVELS[-1]))
    assert len(asked) == 5


def test_a_position_is_as_before_when_thinking_was_cancelled() -> None:
    position = GAMES["yonmoque"].start()
    text = position.encode()
    with pytest.raises(ComputationCancelled):
        run_while(lambda: False, lambda: choose(position, level=LEVELS[-1]))
    assert position.encode() == text


@pytest.mark.slow
@pytest.mark.parametrize("tilted", [False, True])
def test_the_strongest_level_wins_rectangles_from_every_position_that_is_won(tilted: bool) -> None:
    # By axis the second player wins, tilted the first: level 5 has that seat and its opponents play anyhow.
    for seed in range(4):
        random, position = Random(seed), GAMES["rectangles"].start(tilted=tilted)
        seat = 0 if tilted else 1
        while position.to_move is not None:
            others = [move for move in position.legal_moves() if str(move) != "stuck"]
            move = choose(position, LEVELS[-1], seed) if position.to_move == seat else random.choice(others)
            position = position.play(move)
        assert position.result is not None
        assert position.result.winners == {seat}


@pytest.mark.parametrize(
    ("tilted", "hardest"),
    [(False, ["a1-f6", "c3-d4"]), pytest.param(True, ["a1-f6", "b1-e6"], marks=pytest.mark.slow)],
)
def test_after_any_first_move_in_rectangles_the_strongest_level_looks_at_all_there_is_to_come(
    tilted: bool, hardest: list[str]
) -> None:
    start = GAMES["rectangles"].start(tilted=tilted)
    for move in list(start.legal_moves())[:-1]:
        assert state_of(start.play(move)).method is Method.SOLVER
    for text in hardest:
        state = state_of(start.play(start.parse(text)))
        assert Solver(state, WITH_PLAYOUTS[-1].budget(state)).winning() is not None


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_the_strongest_level_alone_opens_tilted_rectangles_with_a_move_that_wins_against_every_answer(
    every: int,
) -> None:
    start = GAMES["rectangles"].start(tilted=True)
    assert {str(choose(start, LEVELS[-1], seed)) for seed in range(12)} == set(WINNING[True])
    assert {str(choose(start, 7, seed)) for seed in range(4)} - set(WINNING[True])
    for text in WINNING[True]:
        after = start.play(start.parse(text))
        for answer in list(after.legal_moves())[:-1:every]:
            state = RectanglesState(after.play(answer))  # type: ignore[arg-type]
            assert Solver(state, 100_000).winning()


def test_a_game_that_brings_nothing_has_an_opponent_that_does_not_lose_it() -> None:
    for seed in range(4):
        position, random = noughts(), Random(seed)
        while position.to_move is not None:
            others = position.legal_moves()
            move = choose(position, LEVELS[-1], seed) if position.side == seed % 2 else random.choice(others)
            assert isinstance(move, Put)
            position = position.play(move)
        assert position.result is not None
        assert seed % 2 in position.result.winners
