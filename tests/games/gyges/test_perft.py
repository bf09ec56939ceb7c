"""The number of ways to play so many plies of Gygès. The second implementation (``naive``) counts the same."""

from __future__ import annotations

import pytest

from bot.contract.perft import perft
from bot.games.gyges import GYGES
from tests.games.gyges.naive import Board, arranged, legal
from tests.games.gyges.positions import game

SETUPS = "231123 321123"


def naive_perft(board: Board, seat: int, ruleset: str, before: Board | None, depth: int) -> int:
    if "N" in board or "S" in board:
        return 0
    moves = legal(board, seat, ruleset, before)
    if depth == 1:
        return len(moves)
    return sum(naive_perft(after, 1 - seat, ruleset, board, depth - 1) for after in moves.values())


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "first_moves"), [("fogliaccio", 715320), ("classic", 2258820)])
def test_perft_from_the_start_with_90_set_ups_for_each(ruleset: str, first_moves: int) -> None:
    assert [perft(GYGES.start(ruleset=ruleset), depth) for depth in (1, 2, 3)] == [90, 8100, first_moves]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "setups", "counts"),
    [
        ("fogliaccio", "231123 321123", (106, 10338)),
        ("fogliaccio", "321123 321123", (76, 6898)),
        ("fogliaccio", "123321 213312", (60, 5568, 434502)),
        ("classic", "231123 321123", (338, 82535)),
        ("classic", "321123 321123", (210, 49956)),
        ("classic", "123321 213312", (210, 72154)),
    ],
)
def test_perft_after_the_set_ups(ruleset: str, setups: str, counts: tuple[int, ...]) -> None:
    assert tuple(perft(game(ruleset, setups), depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(("ruleset", "setups"), [("fogliaccio", SETUPS), ("classic", "321123 321123")])
def test_the_second_implementation_counts_the_same(ruleset: str, setups: str) -> None:
    board = arranged(*setups.split())
    for depth in (1, 2):
        assert naive_perft(board, 0, ruleset, None, depth) == perft(game(ruleset, setups), depth)
