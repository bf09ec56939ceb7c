"""How long a turn takes inside the bot, and how many it sustains, with two hundred matches running.

The aims are an acknowledgement within 50 ms and a board on its way to Discord within 200 ms. Nothing asserts them: run
with ``--benchmark-enable --benchmark-only`` and read the figures, in milliseconds, under ``extra_info``.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.crowd import Turn
from tests.benchmarks.crowd_measuring import note, opened
from tests.support.crowds.matches import standing_at
from tests.support.statements import statements_of

MATCHES = 200
TURNS = 200
EARLY = 5
LATE = {"redo": ("standard", 290), "gyges": ("classic", 190), "redtangle": ("standard", 110)}
"""Plies that few matches ever come to, by game, and the variant."""
PEOPLE = 2
"""People in a match."""
COLD, WARM = 10, 5
"""Matches of each kind in which the first turn after a start is taken, and further turns in each."""


def test_a_turn_from_the_click_to_the_board(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    matches, turns = (MATCHES, TURNS) if benchmark.enabled else (4, 1)
    waits: list[tuple[float, float]] = []
    with opened(tmp_path, matches) as (runner, crowd):

        async def prepared(match_id: int) -> tuple[Any, ...]:
            await crowd.env.advance_time(5)
            turn = await crowd.turn(match_id)
            return turn.mover, *await crowd.builder(turn)

        async def click(mover: Any, builder: Any, button: str) -> None:
            with crowd.timed() as watch:
                await mover.click(builder, custom_id=button)
                await watch.all_posted()
            waits.extend(watch.waits)

        watched = cycle(runner.run(crowd.watched()))
        benchmark.pedantic(  # type: ignore[no-untyped-call]
            lambda *clicked: runner.run(click(*clicked)),
            setup=lambda: (runner.run(prepared(next(watched))), {}),
            rounds=turns,
        )
        runner.run(crowd.env.settle())
    note(benchmark, "acknowledged", [acknowledged for acknowledged, _ in waits])
    note(benchmark, "board", [board for _, board in waits])
    assert len(waits) == turns


def test_a_turn_in_every_match_at_once(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    matches, rounds = (MATCHES, 3) if benchmark.enabled else (4, 1)
    waits: list[tuple[float, float]] = []
    with opened(tmp_path, matches) as (runner, crowd):

        async def prepared() -> list[Turn]:
            await crowd.env.advance_time(60)
            return [await crowd.turn(match_id) for match_id in await crowd.watched()]

        async def rush(turns: list[Turn]) -> None:
            with crowd.timed() as watch:
                for turn in turns:
                    await turn.mover.slash(turn.place, "move", move=turn.move)
                await watch.all_posted()
            waits.extend(watch.waits)

        benchmark.pedantic(  # type: ignore[no-untyped-call]
            lambda turns: runner.run(rush(turns)), setup=lambda: ((runner.run(prepared()),), {}), rounds=rounds
        )
        runner.run(crowd.env.settle())
    note(benchmark, "acknowledged", [acknowledged for acknowledged, _ in waits])
    note(benchmark, "board", [board for _, board in waits])
    if benchmark.enabled and benchmark.stats is not None:
        benchmark.extra_info["turns a second"] = round(len(waits) / rounds / benchmark.stats["mean"], 1)
    assert len(waits) > matches * rounds / 2


def test_the_statements_of_a_turn(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    matches = COLD if benchmark.enabled else 1
    counts: list[int] = []
    with opened(tmp_path, matches) as (runner, crowd):

        async def statements_in(match_id: int) -> int:
            await crowd.env.settle()
            turn = await crowd.turn(match_id)
            with statements_of(crowd.database) as statements:
                await turn.mover.slash(turn.place, "move", move=turn.move)
                await crowd.env.settle()
            return len([statement for statement in statements if not statement.startswith("BEGIN")])

        def every() -> None:
            for _ in range(PEOPLE):  # their preferences are read once
                for match_id in runner.run(crowd.watched()):
                    runner.run(statements_in(match_id))
            counts.extend(runner.run(statements_in(match_id)) for match_id in runner.run(crowd.watched()))

        benchmark.pedantic(every, rounds=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["statements"] = {"median": median(counts), "most": max(counts)}
    assert min(counts) > 0


@pytest.mark.parametrize("key", LATE)
def test_a_turn_late_in_a_match(benchmark: BenchmarkFixture, tmp_path: Path, key: str) -> None:
    variant, ply = LATE[key]
    cold, warm = (COLD, WARM) if benchmark.enabled else (1, 1)
    wanted = [standing_at(key, variant, at) for at in (EARLY, ply) for _ in range(cold)]
    waits: dict[str, list[float]] = {}
    with opened(tmp_path, 1, *wanted) as (runner, crowd):
        watched = runner.run(crowd.watched())

        async def turn(match_id: int, name: str, *, first: bool = False) -> None:
            await crowd.env.settle()
            taken = await crowd.turn(match_id)
            if first:
                crowd.forget_positions()
            with crowd.timed() as watch:
                await taken.mover.slash(taken.place, "move", move=taken.move)
                await watch.all_posted()
            waits.setdefault(name, []).extend(board for _, board in watch.waits)

        def every() -> None:
            for number, match_id in enumerate(watched[: 2 * cold]):
                when = f"ply {EARLY if number < cold else ply}"
                runner.run(turn(match_id, f"{when}, the first after a start", first=True))
                for _ in range(warm):
                    runner.run(turn(match_id, when))

        benchmark.pedantic(every, rounds=1)  # type: ignore[no-untyped-call]
        runner.run(crowd.env.settle())
    for name, seconds in waits.items():
        note(benchmark, name, seconds)
    assert len(waits) == 4
