"""Playouts find the best move only if there are enough: Hex after 1. d4, where only the swap is good."""

from __future__ import annotations

from functools import partial

import pytest

from bot.games.cancellation import run_while
from bot.games.search import SearchState
from bot.matches.model import judging
from bot.matches.model.judging import PositionToJudge
from bot.opponents import analyse, thinking
from tests.opponents.hex import SWAP, HexPosition, QuickHexState
from tests.opponents.noughts import noughts

AFTER_D4 = HexPosition().play("d4")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Hex bring a compact state, with which many playouts take little time."""
    monkeypatch.setattr("bot.opponents.analysis.state_of", QuickHexState)


def state(position: HexPosition) -> SearchState:
    return thinking.state_of(position)


def test_by_the_rules_alone_too_few_games_are_played_out_to_tell_the_swap() -> None:
    nodes = judging.nodes_for(50)
    found = analyse(AFTER_D4, nodes)
    assert not found.clear
    assert judging.advice(AFTER_D4) is None
    judged = judging.judgement(PositionToJudge(1, AFTER_D4, "c5"), nodes)
    assert not judged.clear


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("nodes", [100, 1_000, 3_000, 6_000])
def test_what_is_told_is_the_swap(nodes: int) -> None:
    found = analyse(AFTER_D4, nodes)
    assert not found.clear or str(found.lines[0].move) == SWAP
    assert found.clear == (nodes >= 3_000)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_review_with_enough_playouts_names_the_swap_as_the_better_move() -> None:
    judged = judging.judgement(PositionToJudge(1, AFTER_D4, "a1"), 8_000)
    assert (judged.clear, judged.best) == (True, SWAP)
    assert judged.played is not None
    assert judged.played < judged.winning


def test_a_proven_move_and_the_only_move_that_does_not_lose_are_clear_after_few_playouts() -> None:
    winning = analyse(noughts("xx." + "oo." + "..."), nodes=6_000)
    assert (str(winning.lines[0].move), winning.clear) == ("c1", True)
    saving = analyse(noughts("x.." + ".x." + "..o"[::-1]), nodes=3_000)
    assert (str(saving.lines[0].move), saving.clear) == ("c3", True)


def test_of_several_moves_that_are_equally_good_none_is_told() -> None:
    assert not analyse(noughts(), nodes=20_000).clear


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("in_a_hurry", [False, True])
def test_a_search_whose_time_runs_out_ends_and_is_silent_where_it_has_seen_too_little(in_a_hurry: bool) -> None:
    searched = partial(analyse, AFTER_D4, 6_000)
    found = run_while(lambda: True, searched, hurry=lambda: in_a_hurry)
    assert found.clear == (not in_a_hurry)
    assert len(found.lines) == len(list(AFTER_D4.legal_moves()))
