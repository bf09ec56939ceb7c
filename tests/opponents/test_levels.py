"""The differences between levels: moves that a beginner plays, and moves that even a beginner sees."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from bot.contract.cases import CASES, Case, playout
from bot.games import GAMES
from bot.opponents import LEVELS, choose
from bot.opponents.levels import WITH_EVALUATION, WITH_PLAYOUTS, level_for
from bot.opponents.swindle import SwindleSearch
from bot.opponents.thinking import state_of
from tests.opponents.test_tactics import allows, winning

REDO = next(case for case in CASES if case.game.key == "redo")
RECTANGLES = next(case for case in CASES if case.game.key == "rectangles")


def test_nobody_overlooks_a_loss_in_one_that_most_replies_bring() -> None:
    checked = 0
    for seed in range(40):
        for ply in playout(RECTANGLES, seed)[-5:-1]:
            position = ply.position
            moves = [move for move in position.legal_moves() if position.question(move) is None]
            if len(moves) > 40 or winning(position) or all(allows(position, move) for move in moves):
                continue
            after = position.play(choose(position, 1, seed))
            replies = len(list(after.legal_moves())) - 1
            assert len(winning(after)) < 0.4 * replies
            checked += 1
    assert checked > 3


def test_a_beginner_overlooks_some_losses_in_one() -> None:
    overlooked = 0
    for seed in range(40):
        for ply in playout(RECTANGLES, seed)[-5:-1]:
            if not winning(ply.position):
                overlooked += allows(ply.position, choose(ply.position, 1, seed))
    assert overlooked


def test_a_beginner_takes_the_lost_move_that_is_hardest_to_punish_and_the_plainer_the_more_seldom() -> None:
    risks: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(20):
        for ply in playout(RECTANGLES, seed)[-6:-2]:
            state = state_of(ply.position)
            swindle = SwindleSearch(state, 4_000).best()
            if winning(ply.position) or swindle is None:
                continue
            took = str(choose(ply.position, 1, seed)) == str(state.move(swindle[0]))
            risks[took].append(1 - swindle[1])
    assert fmean(risks[True]) < fmean(risks[False])


@pytest.mark.parametrize("case", [REDO, RECTANGLES], ids=str)
def test_every_level_above_looks_at_more_but_for_a_beginner_who_makes_up_for_it(case: Case) -> None:
    state = state_of(case.start())
    levels = [level_for(number, state) for number in LEVELS]
    budgets = [level.budget(state) for level in levels[levels[0].leaves_chances > 0 :]]
    assert budgets == sorted(set(budgets))


def test_games_without_an_evaluation_have_levels_of_their_own() -> None:
    assert level_for(1, state_of(GAMES["rectangles"].start())) is WITH_PLAYOUTS[1]
    assert level_for(3, state_of(GAMES["redo"].start())) is WITH_EVALUATION[3]


def test_where_moves_at_random_never_end_a_game_its_low_levels_make_fewer_and_are_else_like_the_others() -> None:
    state = state_of(GAMES["redo"].start())
    for number, level in WITH_EVALUATION.items():
        own = level_for(number, state)
        assert own.wanders < level.wanders or number > 2
        assert replace(own, wanders=level.wanders) == level
