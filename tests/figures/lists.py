"""Listing legal moves

The positions of one random game for two players in which the legal moves can be listed: the number of moves, and the
average time in milliseconds to list all moves of a position without any cache.
"""

from __future__ import annotations

from tests.figures import shipped_games, table
from tests.figures.benchmarks import run


def measure() -> list[str]:
    """List the legal moves of every game in every variant."""
    found = run("tests/benchmarks/measure_rules.py", "-k", "listing")
    shipped = tuple(f"{game.key}-" for game in shipped_games())
    rows = [
        (
            benchmark.parameter,
            benchmark.notes["positions"],
            f"{benchmark.notes['moves']:g}",
            benchmark.notes["most moves"],
            f"{benchmark.median / benchmark.notes['positions']:.3f}",
        )
        for benchmark in found
        if benchmark.parameter.startswith(shipped)
    ]
    return table(("Game, variant, players", "positions", "moves, median", "most moves", "a list, ms"), rows)
