"""Puzzles as their games' folders hold them: every one is proven again, and there are enough of every variant."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.games import GAMES
from bot.games.puzzles import Puzzle, Task, TaskKind, file_text, puzzles, read
from bot.opponents.candidates import BudgetSpent
from bot.opponents.puzzles.collecting import MOST_WINS_IN_ONE, PER_GAME, PER_VARIANT
from bot.opponents.puzzles.proof import UnprovenError, prove

PUZZLES = [puzzle for game in GAMES.values() for puzzle in puzzles(game)]
VARIANTS = [(game.key, variant.key) for game in GAMES.values() if puzzles(game) for variant in game.variants]
ONE = next(puzzle for puzzle in PUZZLES if puzzle.task == Task(TaskKind.WIN, 2) and puzzle.game.key == "yonmoque")


@pytest.mark.parametrize("game", sorted({game for game, _ in VARIANTS}))
def test_there_are_enough_puzzles_and_few_are_wins_in_one(game: str) -> None:
    every = puzzles(GAMES[game])
    counts = Counter(puzzle.variant for puzzle in every)
    assert len(every) >= PER_GAME
    # Where only a player ends the game, nothing tells that a position is won.
    wanted = [one for one in GAMES[game].variants if 2 in one.players and not one.options.get("by_players")]
    assert min(counts[variant.key] for variant in wanted) >= PER_VARIANT
    for variant, count in counts.items():
        tasks = Counter(puzzle.task for puzzle in every if puzzle.variant == variant)
        assert Fraction(tasks[Task(TaskKind.WIN, 1)], count) <= MOST_WINS_IN_ONE
    assert len({puzzle.key for puzzle in every}) == len(every)


def test_a_game_whose_folder_holds_none_has_no_puzzles() -> None:
    assert puzzles(GAMES["tic-tac-toe"]) == ()


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("task: win 2", "task: lose 2"),
        ("task: win 2", "task:"),
        ("difficulty", "hardness"),
        ("variant: s", "variant: x"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_line(line: str, wrong: str) -> None:
    text = file_text([ONE, ONE])
    broken = text[: len(text) // 2] + text[len(text) // 2 :].replace(line, wrong)
    assert broken != text
    with pytest.raises(ValueError, match=re.escape("yonmoque/puzzles.txt, puzzle in line 7")):
        list(read(broken, ONE.game))


def other_move(puzzle: Puzzle) -> str:
    return next(str(move) for move in puzzle.start().legal_moves() if str(move) != puzzle.solution[0])


@pytest.mark.parametrize(
    "claim",
    [
        replace(ONE, task=Task(TaskKind.WIN, 1), solution=ONE.solution[:1]),
        replace(ONE, task=Task(TaskKind.WIN, 3)),
        replace(ONE, task=Task(TaskKind.FIND, 3), solution=ONE.solution[:1]),
        replace(ONE, task=Task(TaskKind.HOLD, 1)),
        replace(ONE, solution=(other_move(ONE), *ONE.solution[1:])),
        replace(ONE, solution=ONE.solution[:1]),
        replace(ONE, solution=()),
    ],
    ids=["win 1", "win 3", "find", "hold", "another first move", "a line cut short", "no line"],
)
def test_a_claim_that_is_not_so_is_not_proven(claim: Puzzle) -> None:
    with pytest.raises(UnprovenError):
        prove(claim)


def test_a_proof_gives_up_beyond_its_budget() -> None:
    with pytest.raises(BudgetSpent):
        prove(ONE, nodes=10)


def test_any_win_solves_the_last_move_but_only_the_solution_an_earlier_one() -> None:
    last = len(ONE.solution) - 1
    before = ONE.at(last)
    winning = [move for move in before.legal_moves() if (end := before.play(move).result) and end.winners == {ONE.seat}]
    assert winning
    assert all(ONE.solves(last, move) for move in winning)
    assert sum(ONE.solves(0, move) for move in ONE.start().legal_moves()) == 1


def test_where_a_move_is_to_be_found_every_legal_one_solves_it_but_not_one_that_loses() -> None:
    puzzle = next(one for one in PUZZLES if one.task == Task(TaskKind.FIND, 3))
    verdicts = {str(move): puzzle.solves(0, move) for move in puzzle.start().legal_moves()}
    assert sum(verdicts.values()) == 3
    assert verdicts["stuck"] is False
