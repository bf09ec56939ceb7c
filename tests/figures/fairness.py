"""Moves while a person floods the bot

One person sends sixty requests at once and then twenty a second, all of one expensive kind. Meanwhile other people make
moves on SQLite, in front of a simulated Discord. Milliseconds from the interaction that reaches the bot to the call
that posts the board, and until the event loop starts a new task. The simulation runs on the same event loop and is part
of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from bot.compute.job import JobSpec, Pool
from bot.compute.queue import ComputeQueue
from bot.games import GAMES
from bot.games.guides import guide
from bot.messages import drawing
from tests.figures import shipped_games, table
from tests.figures.benchmarks import Benchmark, run

LOOK = JobSpec(Pool.PICTURES)


def measure() -> list[str]:
    """Flood the bot with each heavy command in turn, then start worker processes."""
    rows = map(_row, run("tests/benchmarks/measure_fairness.py"))
    heads = ("Flood of", "move, median", "move, 99th percentile", "loop, median", "loop, 99th percentile")
    starts, jobs, memory = asyncio.run(_worker())
    return [
        *table(heads, rows),
        "",
        f"A worker process has drawn its first picture {median(starts):.0f} ms after it is first needed, takes "
        f"{memory:.0f} MB when it has drawn all diagrams, and hands a small job back after {median(jobs):.1f} ms.",
    ]


def _row(benchmark: Benchmark) -> tuple[object, ...]:
    move, lag = benchmark.notes["move"], benchmark.notes["lag"]
    return benchmark.parameter, move["median"], move["p99"], lag["median"], lag["p99"]


async def _worker() -> tuple[list[float], list[float], float]:
    """Return the milliseconds of some starts and of some small jobs, and the megabytes of a worker that has drawn."""
    starts, jobs, memory = [], [], 0.0
    for _ in range(3):
        async with ComputeQueue(picture_workers=1) as queue:
            starts.append(await _milliseconds(queue, partial(drawing.showpiece, GAMES["yonmoque"], "dark")))
            jobs = [await _milliseconds(queue, partial(sum, (1, 2))) for _ in range(50)]
            for game in shipped_games():
                for page in guide(game):
                    for diagram in page.diagrams:
                        await queue.run(LOOK, partial(drawing.diagram, diagram, "dark"))
            memory = await queue.run(LOOK, _megabytes)
    return starts, jobs, memory


async def _milliseconds(queue: ComputeQueue, function: Callable[[], object]) -> float:
    begun = perf_counter()
    await queue.run(LOOK, function)
    return (perf_counter() - begun) * 1000


def _megabytes() -> float:
    """Return the memory this process has taken at most."""
    import resource  # not on Windows, where no figures are measured

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
