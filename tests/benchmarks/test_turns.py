"""How long a turn takes inside the bot, and how many it sustains, with two hundred matches running.

The aims are an acknowledgement within 50 ms and a board on its way to Discord within 200 ms. Nothing asserts them: run
with ``--benchmark-enable --benchmark-only`` and read the figures, in milliseconds, under ``extra_info``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.hall import Hall

MATCHES = 200
TURNS = 200


@contextmanager
def opened(folder: Path, matches: int) -> Iterator[tuple[asyncio.Runner, Hall]]:
    """Run a hall with so many matches in a loop of its own."""
    with asyncio.Runner() as runner:
        hall = Hall(folder)
        try:
            runner.run(hall.open(matches))
            yield runner, hall
        finally:
            runner.run(hall.close())


def note(benchmark: BenchmarkFixture, name: str, seconds: Sequence[float]) -> None:
    """Keep the median and the 99th percentile of some times, in milliseconds."""
    figures = {"median": median(seconds), "p99": quantiles(seconds, n=100)[98] if len(seconds) > 1 else seconds[0]}
    benchmark.extra_info[name] = {key: round(value * 1000, 1) for key, value in figures.items()}


def test_a_turn_from_the_click_to_the_board(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    matches, turns = (MATCHES, TURNS) if benchmark.enabled else (4, 1)
    waits: list[tuple[float, float]] = []
    with opened(tmp_path, matches) as (runner, hall):

        async def prepared(match_id: int) -> tuple[Any, ...]:
            await hall.env.settle()
            turn = await hall.turn(match_id)
            return turn.mover, *await hall.builder(turn)

        async def click(mover: Any, builder: Any, button: str) -> None:
            with hall.timed() as watch:
                await mover.click(builder, custom_id=button)
                await watch.all_posted()
            waits.extend(watch.waits)

        numbers = iter(range(turns))
        benchmark.pedantic(  # type: ignore[no-untyped-call]
            lambda *clicked: runner.run(click(*clicked)),
            setup=lambda: (runner.run(prepared(1 + next(numbers) % matches)), {}),
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

        async def prepared() -> list[Any]:
            await hall.env.settle()
            return [await hall.turn(match_id) for match_id in range(1, matches + 1)]

        async def rush(turns: list[Any]) -> None:
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
        benchmark.extra_info["turns a second"] = round(matches / benchmark.stats["mean"], 1)
    assert len(waits) == matches * rounds
