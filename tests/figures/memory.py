"""Memory, sizes and commands

One process with the bot and the simulated Discord on SQLite, with as many running matches as finished ones. The memory
includes the simulated Discord. Times of commands are medians in milliseconds, for a person with many matches. Ten
thousand matches take long to fill in; `python -m pytest -n 0 --benchmark-enable --benchmark-only -s
tests/benchmarks/measure_crowds.py` measures them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.figures import table
from tests.figures.benchmarks import run


def measure() -> list[str]:
    """Fill databases, start the bot on them, take turns, use every command that reads, and make a backup."""
    found = run("tests/benchmarks/measure_crowds.py", "-k", "not 10000")
    crowds = {benchmark.parameter: _flat(benchmark.notes) for benchmark in found if benchmark.test == "test_a_crowd"}
    for benchmark in found:
        if benchmark.test == "test_a_backup":
            crowds[benchmark.parameter]["backup, MB"] = benchmark.notes["megabytes"]
            crowds[benchmark.parameter]["backup, ms"] = round(benchmark.median, 1)
    names = dict.fromkeys(name for figures in crowds.values() for name in figures)
    rows = [(name, *(figures[name] for figures in crowds.values())) for name in names]
    return table(("Matches running", *(f"{int(size):,}" for size in crowds)), rows)


def _flat(notes: Mapping[str, Any]) -> dict[str, object]:
    """Return single figures: of what has a spread its median, commands after everything else."""
    plain = {name: note for name, note in notes.items() if isinstance(note, int | float)}
    spread = {f"{name}, ms": note["median"] for name, note in notes.items() if "median" in _mapping(note)}
    commands = {
        f"`{name}`, ms": note["median"] for name, note in notes["commands"].items() if "median" in _mapping(note)
    }
    return {**plain, **spread, **commands}


def _mapping(note: object) -> Mapping[str, Any]:
    return note if isinstance(note, Mapping) else {}
