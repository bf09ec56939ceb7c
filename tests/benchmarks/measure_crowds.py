"""What many matches cost: turns, memory, a start, every command that reads, a backup, with up to ten thousand running.

As many again are over. Each size is measured in a process of its own, in which there is nothing but the bot and the
simulated Discord. Nothing asserts a time: run with ``--benchmark-enable -s`` and read the figures, which are also kept
under ``extra_info``; times are in milliseconds where nothing else is said. Without, a few matches show that all this
works.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest
import structlog
from pytest_benchmark.fixture import BenchmarkFixture

from bot.operation.upkeep import backup
from bot.storage import match_lists
from tests.benchmarks.crowd import Crowd, Stopwatch, Turn

SIZES = (100, 1_000, 10_000)
FEW = 20
"""Matches running where nothing is measured, only looked whether it works."""
WATCHED = 100
"""Matches in which turns are taken."""
ROUNDS = 3
"""Turns taken in each of them one by one, and then in all at once."""
AGAIN = 5
"""Times a command is used."""

Figures = dict[str, Any]


@pytest.fixture
def apart() -> Iterator[Callable[..., Figures]]:
    """Measure something in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result()


@pytest.fixture(params=SIZES)
def running(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> int:
    """How many matches are running."""
    if benchmark.enabled:
        return int(request.param)
    if request.param > SIZES[0]:
        pytest.skip("takes minutes; run with --benchmark-enable")
    return FEW


@pytest.fixture(scope="module")
def smallest() -> Figures:
    """What was measured with the fewest matches, once it was: figures of one run can be compared."""
    return {}


@pytest.mark.timeout(3600)
def test_a_crowd(
    benchmark: BenchmarkFixture, tmp_path: Path, running: int, apart: Callable[..., Figures], smallest: Figures
) -> None:
    often = (WATCHED, ROUNDS, AGAIN) if benchmark.enabled else (4, 1, 1)
    figures: Figures = benchmark.pedantic(apart, (measured, tmp_path, running, *often), rounds=1)  # type: ignore[no-untyped-call]
    smallest.update(smallest or figures)
    figures["times those of the smallest"] = _compared(figures, smallest)
    benchmark.extra_info |= figures
    print(f"\n{running} running matches: {json.dumps(figures, indent=2)}")
    assert figures["turns"] > 0
    assert set(figures["commands"]) > {name for name, *_ in COMMANDS}


@pytest.mark.timeout(3600)
def test_a_backup(benchmark: BenchmarkFixture, tmp_path: Path, running: int) -> None:
    crowd = Crowd(tmp_path, running, watched=0)
    crowd.fill()
    size = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: asyncio.run(backup(crowd.settings, tmp_path / "copy.db")), rounds=1
    )
    benchmark.extra_info["megabytes"] = round(size / 1e6, 1)
    assert size > 0


COMMANDS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("/matches", "matches", {}),
    ("/profile", "profile", {}),
    ("/leaderboard", "leaderboard", {}),
    ("/leaderboard of a game", "leaderboard", {"game": "redo"}),
    ("/leaderboard of the month", "leaderboard", {"by": "month"}),
    ("/board", "board", {"match": "own"}),
    ("/board as text", "board", {"match": "own", "text": True}),
    ("/match replay", "match replay", {"match": "own"}),
    ("/match export", "match export", {"match": "own"}),
    ("/games", "games", {}),
    ("/rules", "rules", {"game": "gyges"}),
    ("/preferences", "preferences", {}),
    ("/block", "block", {}),
    ("/help", "help", {}),
    ("/about", "about", {}),
    ("/privacy export", "privacy export", {}),
    ("/privacy delete", "privacy delete", {}),
    ("/move, moves suggested", "move:move", {"match": "own"}),
    ("/move, matches suggested", "move:match", {}),
    ("/board, matches suggested", "board:match", {}),
    ("/board, matches suggested to a visitor", "board:match", {}),
)
"""Every command that reads, by a person with many matches; suggestions while they type have a colon."""


def measured(folder: Path, running: int, watched: int, rounds: int, again: int) -> Figures:
    """Return everything that is measured with so many matches running."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    crowd = Crowd(folder, running, watched=watched)
    crowd.fill()
    # As the command line does before it starts the bot.
    gc.collect()
    gc.freeze()
    stored = crowd.file.stat().st_size
    figures: Figures = {"database, MB per 1,000 matches": round(stored / 1e6 / (2 * running) * 1000, 2)}
    figures["before the start, MB"] = _memory()
    with asyncio.Runner() as runner:
        try:
            figures["start, s"] = round(runner.run(crowd.open()), 2)
            figures["started, MB"] = _memory()
            with _pauses() as pauses:
                figures |= runner.run(_turns(crowd, rounds))
            figures["longest pause of the collector"] = round(1000 * max(pauses, default=0.0), 1)
            figures["after the turns, MB"] = _memory()
            figures["commands"] = runner.run(_commands(crowd, again))
            figures["load"] = os.getloadavg()
        finally:
            runner.run(crowd.close())
    return figures


async def _turns(crowd: Crowd, rounds: int) -> Figures:
    """Take turns one by one and then in every match at once."""
    single: list[tuple[float, float]] = []
    computed: list[float] = []
    together: list[float] = []
    simulating = 0.0
    for _ in range(rounds):
        await crowd.env.advance_time(60)
        for match_id in await crowd.watched():
            await crowd.env.settle()
            watch = await _taken(crowd, [await crowd.turn(match_id)])
            single += watch.waits
            simulating += watch.simulating
            computed += watch.computed.values()
    for _ in range(rounds):
        await crowd.env.advance_time(60)
        turns = [await crowd.turn(match_id) for match_id in await crowd.watched()]
        begun = time.perf_counter()
        await _taken(crowd, turns)
        together.append(len(turns) / (time.perf_counter() - begun))
    await crowd.env.settle()
    return {
        "turns": len(single),
        "acknowledged": _spread([acknowledged for acknowledged, _ in single]),
        "board": _spread([board for _, board in single]),
        "computing for a board": _spread(computed),
        "of that the simulation, mean": round(1000 * simulating / len(single), 1),
        "turns a second": round(median(together), 1),
    }


async def _taken(crowd: Crowd, turns: list[Turn]) -> Stopwatch:
    """Take turns, and wait until all boards are on their way."""
    with crowd.timed() as watch:
        for turn in turns:
            await turn.mover.slash(turn.place, "move", move=turn.move)
        await watch.all_posted()
    return watch


async def _commands(crowd: Crowd, again: int) -> Figures:
    """Use every command that reads, ``again`` times each, as the person to move with the most matches."""
    turns = {match_id: await crowd.turn(match_id) for match_id in await crowd.watched()}
    async with crowd.database.read() as tx:
        played = {match_id: len(await match_lists.of_person(tx, turns[match_id].mover.id)) for match_id in turns}
    match_id = max(played, key=lambda match_id: played[match_id])
    turn = turns[match_id]
    visit = Turn(crowd.visitor, crowd.channel, "")
    return {
        name: await _command(crowd, visit if "visitor" in name else turn, match_id, command, options, again)
        for name, command, options in COMMANDS
    } | {"matches of who uses them": played[match_id]}


async def _command(
    crowd: Crowd, turn: Turn, match_id: int, command: str, options: dict[str, Any], again: int
) -> Figures:
    given = {name: match_id if value == "own" else value for name, value in options.items()}
    name, _, suggested = command.partition(":")
    times = []
    for _ in range(again):
        await crowd.env.advance_time(60)
        with crowd.timed() as watch:
            if suggested:
                await turn.mover.autocomplete(turn.place, name, suggested, "", **given)
            else:
                await turn.mover.slash(turn.place, name, **given)
            times.append(await watch.answer(suggestions=bool(suggested)))
        await crowd.env.settle()
    return {"median": round(1000 * median(times), 1), "longest": round(1000 * max(times), 1)}


@contextmanager
def _pauses() -> Iterator[list[float]]:
    """Collect how long the interpreter's collector stopped everything, in seconds."""
    pauses: list[float] = []
    begun = 0.0

    def note(phase: str, _info: dict[str, int]) -> None:
        nonlocal begun
        if phase == "start":
            begun = time.perf_counter()
        else:
            pauses.append(time.perf_counter() - begun)

    gc.callbacks.append(note)
    try:
        yield pauses
    finally:
        gc.callbacks.remove(note)


def _compared(figures: Figures, smallest: Figures) -> Figures:
    """Return how many times as long everything takes, by its median."""
    one, other = ({**some, **some["commands"]} for some in (figures, smallest))
    timed = [name for name, figure in one.items() if isinstance(figure, dict) and "median" in figure]
    return {name: round(one[name]["median"] / max(other[name]["median"], 0.1), 1) for name in timed}


def _spread(seconds: list[float]) -> Figures:
    percentiles = quantiles(seconds, n=100)
    return {"median": round(1000 * median(seconds), 1), "p99": round(1000 * percentiles[98], 1)}


def _memory() -> float:
    """Return what this process holds in memory, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
