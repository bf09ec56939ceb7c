"""The set-ups that computer players choose in Gygès."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from bot.games.gyges import GYGES
from bot.games.gyges.rules import GygesPosition, SetUp
from bot.games.gyges.search import GygesState
from tests.games.gyges.positions import RULESETS, game

SEEDS = range(40)
each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


def half(ruleset: str) -> SetUp:
    """Return the position in which North is to arrange the home rank."""
    start = GYGES.start(ruleset=ruleset)
    position = start.play(start.parse("231123"))
    assert isinstance(position, SetUp)
    return position


@each_ruleset
def test_every_set_up_is_legal_and_other_seeds_choose_others(ruleset: str) -> None:
    for position in (GYGES.first(2, ruleset=ruleset), half(ruleset)):
        chosen = [GYGES.opening(position, Random(seed)) for seed in SEEDS]
        assert set(chosen) <= set(position.legal_moves())
        assert len(set(chosen)) > 8
        assert chosen == [GYGES.opening(position, Random(seed)) for seed in SEEDS]


@each_ruleset
def test_north_answers_better_than_at_random(ruleset: str) -> None:
    position = half(ruleset)

    def worth_to_south(turn: object) -> int:
        after = position.play(position.parse(str(turn)))
        assert isinstance(after, GygesPosition)
        return GygesState(after).evaluate()

    chosen = mean(worth_to_south(GYGES.opening(position, Random(seed))) for seed in SEEDS)
    assert chosen < mean(worth_to_south(turn) for turn in position.legal_moves())


@each_ruleset
def test_there_is_nothing_to_arrange_once_the_play_has_begun(ruleset: str) -> None:
    assert GYGES.opening(game(ruleset, "231123 321123"), Random(1)) is None
