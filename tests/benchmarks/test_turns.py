"""How long a turn takes inside the bot, and how many it sustains, with two hundred matches running.

The aims are an acknowledgement within 50 ms and a board on its way to Discord within 200 ms. Nothing asserts them: run
with ``--benchmark-enable --benchmark-only`` and read the figures, in milliseconds, under ``extra_info``.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.hall import Hall, Turn
from tests.crowds.matches import Story, standing_at

MATCHES = 200
TURNS = 200
EARLY = 5
LATE = {"redo": ("standard", 290), "gyges": ("classic", 190), "redtangle": ("standard", 110)}
"""Plies that few matches ever come to, by game, and the variant."""
COLD, WARM = 10, 5
"""Matches of each kind in which the first turn after a start is taken, and further turns in each."""


@contextmanager
def opened(folder: Path, matches: int, *wanted: Story) -> Iterator[tuple[asyncio.Runner, Hall]]:
    """Run a hall with so many matches, all of them watched, in a loop of its own."""
    with asyncio.Runner() as runner:
        hall = Hall(folder, matches, watched=matches + len(wanted))
        hall.fill(*wanted)
        gc.collect()
        # As the command line does; but what is frozen here would never go.
        gc.freeze()
        try:
            runner.run(hall.open())
            yield runner, hall
        finally:
            runner.run(hall.close())
            gc.unfreeze()


def note(benchmark: BenchmarkFixture, name: str, seconds: Sequence[float]) -> None:
    """Keep the median and the 99th percentile of some times, in milliseconds."""
    figures = {"median": median(seconds), "p99": quantiles(seconds, n=100)[98] if len(seconds) > 1 else seconds[0]}
    benchmark.extra_info[name] = {key: round(value * 1000, 1) for key, value in figures.items()}


def test_a_turn_from_the_click_to_the_board(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    matches, turns = (MATCHES, TURNS) if benchmark.enabled else (4, 1)
    waits: list[tuple[float, float]] = []
    with opened(tmp_path, matches) as (runner, hall):

        async def prepared(match_id: int) -> tuple[Any, ...]:
            await hall.env.advance_time(5)
            turn = await hall.turn(match_id)
            return turn.mover, *await hall.builder(turn)

        async def click(mover: Any, builder: Any, button: str) -> None:
            with hall.timed() as watch:
                await mover.click(builder, custom_id=button)
                await watch.all_posted()
            waits.extend(watch.waits)

        watched = cycle(runner.run(hall.watched()))
        benchmark.pedantic(  # type: ignore[no-untyped-call]
            lambda *clicked: runner.run(click(*clicked)),
            setup=lambda: (runner.run(prepared(next(watched))), {}),
            rounds=turns,
        )
        runner.run(hall.env.settle())
    note(benchmark, "acknowledged", [acknowledged for acknowledged, _ in waits])
    note(benchmark, "board", [board for _, board in waits])
    assert len(waits) == turns


def test_a_turn_in_every_match_at_once(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    matches, rounds = (MATCHES, 3) if benchmark.enabled else (4, 1)
    waits: list[tuple[float, float]] = []
    with opened(tmp_path, matches) as (runner, hall):

        async def prepared() -> list[Turn]:
            await hall.env.advance_time(60)
            return [await hall.turn(match_id) for match_id in await hall.watched()]

        async def rush(turns: list[Turn]) -> None:
            with hall.timed() as watch:
                for turn in turns:
                    await turn.mover.slash(turn.place, "move", move=turn.move)
                await watch.all_posted()
            waits.extend(watch.waits)

        benchmark.pedantic(  # type: ignore[no-untyped-call]
            lambda turns: runner.run(rush(turns)), setup=lambda: ((runner.run(prepared()),), {}), rounds=rounds
        )
        runner.run(hall.env.settle())
    note(benchmark, "acknowledged", [acknowledged for acknowledged, _ in waits])
    note(benchmark, "board", [board for _, board in waits])
    if benchmark.enabled:
        benchmark.extra_info["turns a second"] = round(len(waits) / rounds / benchmark.stats["mean"], 1)
    assert len(waits) > matches * rounds / 2


@pytest.mark.parametrize("key", LATE)
def test_a_turn_late_in_a_match(benchmark: BenchmarkFixture, tmp_path: Path, key: str) -> None:
    variant, ply = LATE[key]
    cold, warm = (COLD, WARM) if benchmark.enabled else (1, 1)
    wanted = [standing_at(key, variant, at) for at in (EARLY, ply) for _ in range(cold)]
    waits: dict[str, list[float]] = {}
    with opened(tmp_path, 1, *wanted) as (runner, hall):
        watched = runner.run(hall.watched())

        async def turn(match_id: int, name: str, *, first: bool = False) -> None:
            await hall.env.settle()
            taken = await hall.turn(match_id)
            if first:
                hall.forget_positions()
            with hall.timed() as watch:
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
        runner.run(hall.env.settle())
    for name, seconds in waits.items():
        note(benchmark, name, seconds)
    assert len(waits) == 4
