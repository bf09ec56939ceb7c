"""The files beside every game's code: facts, guide, exact rules, golden games, questions and puzzles. Names no game.

Where one of these fails, ``python -m bot game check`` says the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.contract import findings, golden
from bot.contract.questions import Question
from bot.games.game import Game, Variant
from bot.games.puzzles import file_text, puzzles, read
from bot.opponents.puzzles.proof import prove


def test_a_game_knows_its_facts(game: Game) -> None:
    assert list(findings.facts(game)) == []


def test_a_guide_has_pages_that_discord_can_show_and_that_fit_a_phone(game: Game) -> None:
    assert list(findings.guide_pages(game)) == []


def test_a_game_has_its_exact_rules_beside_its_code(game: Game) -> None:
    assert list(findings.rules_page(game)) == []


def test_a_game_has_complete_golden_games_of_every_variant_and_a_short_one_for_the_demo_page(game: Game) -> None:
    assert list(findings.golden_games(game)) == []


@pytest.mark.slow
def test_a_golden_game_is_played_as_it_was(game: Game, golden_file: Path) -> None:
    recorded = golden_file.read_text(encoding="utf-8")
    assert golden.rewrite(recorded).splitlines() == recorded.splitlines(), game.key


def test_there_are_ten_different_questions_about_a_game(game: Game) -> None:
    assert list(findings.asked_questions(game)) == []


def test_an_answer_is_what_the_rules_say(question: Question) -> None:
    assert list(question.contradictions()) == []


def test_no_puzzle_is_there_twice_and_the_file_is_as_the_program_writes_it(game: Game) -> None:
    assert list(findings.puzzle_file(game)) == []
    if puzzles(game):
        assert tuple(read(file_text(puzzles(game)), game)) == puzzles(game)


@pytest.mark.slow
def test_every_puzzle_is_what_it_says(game: Game, variant: Variant) -> None:
    for puzzle in puzzles(game):
        if puzzle.variant == variant.key:
            prove(puzzle)
            assert game.without_history(puzzle.start()) == puzzle.start()
            assert puzzle.solves(0, puzzle.start().parse(puzzle.solution[0]))
