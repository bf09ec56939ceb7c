"""Who gives the same replies in ten matches meets at least eight different games by the sixth move."""

from __future__ import annotations

import pytest

from bot.opponents import levels_of
from tests.figures import shipped_games
from tests.opponents.repeats import different_matches
from tests.support.sampled import sampled

EVERY_LEVEL = [(game.key, level, seat) for game in shipped_games() for level in levels_of(game) for seat in (0, 1)]


@pytest.mark.parametrize(("game", "level", "seat"), sampled(EVERY_LEVEL, every=5))
def test_matches_with_the_same_replies_differ_by_the_sixth_move(game: str, level: int, seat: int) -> None:
    assert different_matches(game, level, seat) >= 8
