"""The number of positions reachable in so many plies, counted with repetitions."""

from __future__ import annotations

import pytest

from bot.games.yonmoque.rules import YonmoquePosition


def perft(position: YonmoquePosition, depth: int) -> int:
    """Count the ways to play ``depth`` plies; the last ply is counted without being played."""
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(perft(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize(("depth", "count"), [(1, 25), (2, 600), (3, 17288), (4, 489544)])
def test_perft_from_the_start(depth: int, count: int) -> None:
    assert perft(YonmoquePosition(), depth) == count
