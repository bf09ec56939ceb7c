"""The number of positions reachable in so many plies, counted with repetitions."""

from __future__ import annotations

import pytest

from bot.contract.perft import perft
from bot.games.yonmoque.rules import YonmoquePosition


@pytest.mark.parametrize(("depth", "count"), [(1, 25), (2, 600), (3, 17288), (4, 489544)])
def test_perft_from_the_start(depth: int, count: int) -> None:
    assert perft(YonmoquePosition(), depth) == count
