"""The differences between levels: moves that a beginner plays, and moves that even a beginner sees."""

from __future__ import annotations

import pytest

from bot.contract.cases import CASES, Case, playout
from bot.games import GAMES
from bot.games.search import EvaluatedState, Level
from bot.opponents import LEVELS, choose, levels_of
from bot.opponents.levels import WITH_EVALUATION, WITH_PLAYOUTS, level_for
from bot.opponents.thinking import RulesState, state_of
from tests.opponents.test_tactics import allows, winning

RECTANGLES = next(case for case in CASES if case.game.key == "rectangles")


def test_a_beginner_overlooks_some_losses_in_one() -> None:
    overlooked = 0
    for seed in range(40):
        for ply in playout(RECTANGLES, seed)[-5:-1]:
            if not winning(ply.position):
                overlooked += allows(ply.position, choose(ply.position, 1, seed))
    assert overlooked


@pytest.mark.parametrize("level", [1, 2])
def test_beginners_of_classic_gyges_reach_a_goal_instead_of_changing_places_behind_the_lines(level: int) -> None:
    gyges = GAMES["gyges"]
    for seed in range(3):
        position = gyges.start(**gyges.variant("classic").options)
        for _ in range(120):
            if position.to_move is None:
                break
            position = position.play(choose(position, level, seed))
        assert position.result is not None


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_level_looks_at_no_less_than_the_one_below(case: Case) -> None:
    state = state_of(playout(case, 1)[-2].position)
    levels = [level_for(number, state) for number in levels_of(case.game)]
    budgets = [level.budget(state) for level in levels]
    assert budgets == sorted(budgets)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_game_has_as_many_levels_as_there_are_and_none_from_the_third_on_gives_a_win_in_one_away(
    case: Case,
) -> None:
    levels = state_of(playout(case, 1)[-2].position).levels
    assert len(levels) == case.game.levels or (not levels and case.game.levels == len(LEVELS))
    assert all(level.prevents_losses == 1 for level in levels[2:])
    assert all(level.nodes >= strongest(case).nodes and level.notices == 1 for level in levels[-1:])


def test_a_level_that_a_game_has_no_more_plays_as_its_strongest() -> None:
    redtangle = GAMES["redtangle"]
    position = playout(next(case for case in CASES if case.game == redtangle), 1)[-2].position
    state = state_of(position)
    assert level_for(LEVELS[-1], state) is level_for(redtangle.levels, state) is state.levels[-1]
    assert redtangle.levels < len(LEVELS)
    assert position.parse(str(choose(position, LEVELS[-1]))) is not None


def strongest(case: Case) -> Level:
    state = state_of(playout(case, 1)[-2].position)
    return (WITH_EVALUATION if isinstance(state, EvaluatedState) else WITH_PLAYOUTS)[-1]


def test_games_without_levels_of_their_own_have_those_of_their_search() -> None:
    assert level_for(1, RulesState(GAMES["rectangles"].start())) is WITH_PLAYOUTS[0]
    state = state_of(GAMES["redo"].start())
    assert level_for(3, state) is (state.levels or WITH_EVALUATION)[2]
