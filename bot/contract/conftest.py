"""Runs each test of the contract for one game or all; the names of its arguments say which cases it gets."""

from __future__ import annotations

from collections.abc import Generator

import pluggy
import pytest
from hypothesis import HealthCheck, settings

from bot.contract import golden
from bot.contract.cases import cases, has_state
from bot.contract.questions import questions
from bot.games import GAMES
from bot.games.guides import differs_by_variant

# A busy machine is no reason to fail.
settings.register_profile("contract", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("contract")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pluggy.Result[pytest.TestReport], None]:
    """Say in a sentence what a game breaks: the name of the test is that sentence."""
    report = (yield).get_result()
    if report.failed and isinstance(item, pytest.Function):
        sentence = item.originalname.removeprefix("test_").replace("_", " ")
        breaker = item.callspec.id
        report.sections.append(("contract", f"{sentence[0].upper()}{sentence[1:]}: {breaker} breaks this."))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test over the cases, variants, golden files, questions or games it asks for."""
    key = metafunc.config.getoption("--game", None)
    games = list(GAMES.values()) if key is None else [GAMES[key]]
    fixtures = set(metafunc.fixturenames)
    if "case" in fixtures:
        metafunc.parametrize("case", cases(games), ids=str)
    elif "searched" in fixtures:
        searched = [case for case in cases(games) if has_state(case)]
        metafunc.parametrize("searched", searched, ids=str)
    elif "variant" in fixtures:
        variants = [(game, variant) for game in games for variant in game.variants]
        metafunc.parametrize(("game", "variant"), variants, ids=[f"{game.key}-{each.key}" for game, each in variants])
    elif "guided" in fixtures:
        guided = [(game, each) for game in games for each in game.variants[: None if differs_by_variant(game) else 1]]
        metafunc.parametrize(("game", "guided"), guided, ids=[f"{game.key}-{each.key}" for game, each in guided])
    elif "golden_file" in fixtures:
        files = [(game, file) for game in games for file in golden.files(game.key)]
        metafunc.parametrize(("game", "golden_file"), files, ids=[f"{game.key}-{file.stem}" for game, file in files])
    elif "question" in fixtures:
        metafunc.parametrize("question", [each for game in games for each in questions(game)], ids=str)
    elif "game" in fixtures:
        metafunc.parametrize("game", games, ids=[game.key for game in games])
