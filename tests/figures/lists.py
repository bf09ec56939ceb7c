"""Listing legal moves

Over the positions of a game played at random in which the moves can be listed, for two players: how many moves there
are, and how long it takes to list all of them for one position, where nothing is remembered, on average, in
milliseconds.
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
