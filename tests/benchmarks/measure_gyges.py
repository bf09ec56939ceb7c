"""How fast Gygès is where most is to be walked: what a turn can reach, and the worst positions found by climbing.

Run with ``--benchmark-enable --benchmark-only``. Nothing is remembered
from one measurement to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import thread_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.games.gyges.rules import GygesPosition, decode
from bot.games.gyges.rulesets import Situation, starts
from tests.games.gyges.crowded import LINES, forget
from tests.games.gyges.positions import RULESETS, game

POSITIONS = 400
CROWDED = [line.split(maxsplit=2)[2] for line in LINES]


def played(ruleset: str) -> list[Situation]:
    """Return what turns began with in games that are played at random, but for goals, which are mostly left alone."""
    random, found = Random(1), list[Situation]()
    while len(found) < POSITIONS:
        position = game(ruleset, "231123 321123")
        while position.result is None:
            found.append(position.situation)
            moves = position.legal_moves()
            others = [move for move in moves if not move.endswith(("N", "S"))]
            position = position.play(random.choice(others if others and random.random() < 0.8 else moves))
    return found[:POSITIONS]


def reached(position: GygesPosition) -> int:
    """Return how many positions a turn can reach, without texts."""
    at, rules = position.situation, position.rules
    for row in rules.rows(at):
        if count := sum(len(rules.arrangements(at, start)) for start in starts(at, row)):
            return count
    return 0


def listed(position: GygesPosition) -> int:
    """Return how many legal moves there are, with their texts."""
    return len(position.rules.all_turns(position.situation))


@pytest.mark.parametrize("what", [reached, listed], ids=lambda what: what.__name__)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_turn_in_a_game(benchmark: BenchmarkFixture, ruleset: str, what: Callable[[GygesPosition], int]) -> None:
    positions = [GygesPosition(ruleset, at.pieces, at.seat) for at in played(ruleset)]
    times: list[float] = []

    def every() -> int:
        times.clear()
        count = 0
        for position in positions:
            forget()
            begun = thread_time()
            count += what(position)
            times.append(thread_time() - begun)
        return count

    assert benchmark.pedantic(every, rounds=5) > POSITIONS  # type: ignore[no-untyped-call]
    benchmark.extra_info["microseconds"] = round(1e6 * median(times), 1)


@pytest.mark.parametrize("encoded", CROWDED)
@pytest.mark.parametrize("what", ["list", "step", "suggestions"])
def test_a_crowded_position(benchmark: BenchmarkFixture, what: str, encoded: str) -> None:
    position = decode(encoded)
    ask = {
        "list": position.legal_moves,
        "step": lambda: position.steps((position.steps()[0].key,)),
        "suggestions": lambda: position.completions("", 25),
    }[what]
    assert benchmark.pedantic(ask, setup=forget, rounds=5)  # type: ignore[no-untyped-call]
