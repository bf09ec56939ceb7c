"""Opening a crowd to be measured, and noting what was measured."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.crowd import Crowd
from tests.support.crowds.matches import Scenario


@contextmanager
def opened(
    folder: Path, matches: int, *wanted: Scenario, picture_workers: int = 0
) -> Iterator[tuple[asyncio.Runner, Crowd]]:
    """Run a crowd with so many matches, all of them watched, in a loop of its own."""
    with asyncio.Runner() as runner:
        crowd = Crowd(folder, matches, watched=matches + len(wanted), picture_workers=picture_workers)
        crowd.fill(*wanted)
        gc.collect()
        # As the command line does; but what is frozen here would never go.
        gc.freeze()
        try:
            runner.run(crowd.open())
            yield runner, crowd
        finally:
            runner.run(crowd.close())
            gc.unfreeze()


def note(benchmark: BenchmarkFixture, name: str, seconds: Sequence[float]) -> None:
    """Keep the median and the 99th percentile of some times, in milliseconds."""
    figures = {"median": median(seconds), "p99": quantiles(seconds, n=100)[98] if len(seconds) > 1 else seconds[0]}
    benchmark.extra_info[name] = {key: round(value * 1000, 1) for key, value in figures.items()}
