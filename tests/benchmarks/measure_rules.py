"""How fast the rules are: legal moves, whole games at random, and counting positions. The same for every game,
and the one that remembers positions forgets them first.

Run with ``--benchmark-enable --benchmark-only``.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.contract.cases import CASES, Case, pick, samples
from bot.games.game import Position
from tests.games.gyges.crowded import forget
from tests.support.ongoing import ongoing

each_variant = pytest.mark.parametrize("case", [case for case in CASES if case.players == 2], ids=str)

LEAVES = 3000
"""GameStates counted in a perft, at most."""


@each_variant
def test_listing_the_legal_moves(benchmark: BenchmarkFixture, case: Case) -> None:
    positions = ongoing(case)

    def list_all() -> int:
        return sum(len(list(position.legal_moves())) for position in positions)

    counts = [len(list(position.legal_moves())) for position in positions]
    benchmark.extra_info |= {"positions": len(positions), "moves": median(counts), "most moves": max(counts)}
    listed = benchmark.pedantic(list_all, setup=forget, rounds=50)  # type: ignore[no-untyped-call]
    assert listed == sum(counts)


@each_variant
def test_playing_a_game_at_random(benchmark: BenchmarkFixture, case: Case) -> None:
    def play() -> Position:
        random = Random(1)
        position = case.start()
        while position.to_move:
            position = position.play(pick(position, random))
        return position

    assert benchmark.pedantic(play, rounds=3).result is not None  # type: ignore[no-untyped-call]


@each_variant
def test_reading_a_move(benchmark: BenchmarkFixture, case: Case) -> None:
    position = ongoing(case)[0]
    move = next(iter(position.legal_moves()))
    assert benchmark(position.parse, str(move)) == move


@each_variant
def test_restoring_a_position(benchmark: BenchmarkFixture, case: Case) -> None:
    position = samples(case)[-2].position
    assert benchmark(case.game.decode, position.encode()) == position


@each_variant
def test_counting_positions(benchmark: BenchmarkFixture, case: Case) -> None:
    position = ongoing(case)[0]

    def perft(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(perft(position.play(move), depth - 1) for move in islice(position.legal_moves(), LEAVES))

    wide = len(list(position.legal_moves()))
    depth = 2 if wide * wide <= LEAVES else 1
    assert benchmark.pedantic(perft, (position, depth), rounds=3) >= wide  # type: ignore[no-untyped-call]
