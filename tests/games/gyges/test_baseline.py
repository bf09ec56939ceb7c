"""The yardstick that looks three plies ahead."""

from __future__ import annotations

from random import Random

import pytest

from bot.games import GAMES
from bot.games.gyges.baseline import by_alpha_beta
from bot.opponents.thinking import state_of

POSITION = GAMES["gyges"].decode("fogliaccio ./12.3../.1...3/....3./....../.2.1.2/1.3..2/. S 0 - -")


def test_it_takes_a_win_in_one_and_lets_none_through() -> None:
    following = [POSITION.play(move) for move in POSITION.legal_moves()]
    lost = [position for position in following if state_of(position).win_in_one() is not None]
    assert 0 < len(lost) < len(following)
    assert POSITION.play(by_alpha_beta(POSITION, Random(1))) not in lost
    for position in lost[:3]:
        assert position.play(by_alpha_beta(position, Random(1))).result is not None


def test_it_knows_gyges_only() -> None:
    with pytest.raises(TypeError):
        by_alpha_beta(GAMES["redo"].start(), Random(1))
