"""Gygès

What one turn takes where nothing is remembered. First the positions a turn can reach, without texts, and all legal
moves with their texts, in games played at random, each the median of 400 positions in microseconds. Then the worst
positions found by climbing (`python -m tests.games.gyges.climbing classic`), in milliseconds: the list of legal moves,
the second choice of the move builder, and suggestions before anything is typed.
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
