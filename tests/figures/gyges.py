"""Gygès

The time of one turn without any cache. First, in microseconds, the positions that a turn can reach, without their
notation, and all legal moves with their notation: the median of 400 positions of random games. Then, in milliseconds,
the most expensive positions that a hill climb found (`python -m tests.games.gyges.climbing classic`): the list of legal
moves, the second choice of the move builder, and the suggestions before anything is typed.
"""

from __future__ import annotations

from tests.figures import table
from tests.figures.benchmarks import run


def measure() -> list[str]:
    """Run the benchmarks of Gygès."""
    found = run("tests/benchmarks/measure_gyges.py")
    games = [(benchmark.parameter, benchmark.notes["microseconds"]) for benchmark in found if benchmark.notes]
    crowded: dict[str, dict[str, float]] = {}
    for benchmark in found:
        if not benchmark.notes:
            what, _, encoded = benchmark.parameter.partition("-")
            crowded.setdefault(encoded.removesuffix(" S 0 - -"), {})[what] = benchmark.median
    worst = sorted(crowded.items(), key=lambda entry: entry[1]["list"], reverse=True)
    rows = [(name, *(f"{times[what]:.1f}" for what in ("list", "step", "suggestions"))) for name, times in worst]
    return [
        *table(("Ruleset, what", "median"), games),
        "",
        *table(("Position", "list", "step", "suggestions"), rows),
    ]
