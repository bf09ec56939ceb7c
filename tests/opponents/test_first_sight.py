"""What games tell of a move at first sight: how much it seems to bring, and whether it leads back."""

from __future__ import annotations

import pytest

from bot.contract.cases import CASES, Case
from bot.games import GAMES
from bot.games.game import Position
from bot.opponents import choose
from bot.opponents.thinking import state_of
from tests.games.yonmoque.positions import board

USUAL = [next(case for case in CASES if case.game is game) for game in GAMES.values()]


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play(position.parse(move))
    return position


def obvious(position: Position, move: str) -> int:
    state = state_of(position)
    return state.obvious(state.token(position.parse(move)))


def test_in_yonmoque_the_longer_line_is_obvious() -> None:
    position = board("..... ..... bb... ww... .....")
    assert obvious(position, "c3") == 3
    assert obvious(position, "e5") == 2


def test_in_rectangles_the_larger_one_is_obvious() -> None:
    start = GAMES["rectangles"].start(dots=4)
    assert obvious(start, "a1-d4") > obvious(start, "a1-b2")


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("variant", ["6x6", "10x10"])
def test_beginners_begin_rectangles_with_a_large_one_but_not_always_the_same(level: int, variant: str) -> None:
    rectangles = GAMES["rectangles"]
    start = rectangles.start(**rectangles.variant(variant).options)
    drawn = {str(choose(start, level, seed)) for seed in range(12)}
    assert len(drawn) > 2
    assert all(obvious(start, move) >= 55 for move in drawn)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_level_walks_back_while_another_move_is_nearly_as_good(case: Case) -> None:
    for level in (1, 2, 3) if case in USUAL else (2,):
        position, back = case.start(), 0
        for ply in range(40):
            if position.to_move is None:
                break
            move, state = choose(position, level, ply), state_of(position)
            token = state.token(move)
            back += token is not None and token in state.tokens() and state.retraces(token)
            position = position.play(move)
        assert back <= 2
