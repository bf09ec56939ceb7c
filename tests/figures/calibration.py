"""Whether chances to win come true.

Level 3 plays itself, and at up to twelve positions of every game `analyse` says, after 2,000 nodes, how likely the
seat to move wins; what is proven is left out. By what it said, in ranges: what it said on average, what came of it, a
draw counting half, and in how many positions. *Error* is the mean square of the difference (Brier): 0.25 is what always
saying 50% would give.
`CALIBRATION_GAMES` says how many games are played of each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from statistics import fmean

from bot.games import GAMES
from bot.games.game import Game, Position
from bot.opponents import analyse, choose
from tests.figures import table

LEVEL = 3
NODES = 2_000
SAMPLES = 12
RANGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01)

Forecast = tuple[float, float]
"""What was said of a position, and what came of it."""


def measure() -> list[str]:
    """Compare what is said with what comes of it, in the default variant of every game."""
    games = int(os.environ.get("CALIBRATION_GAMES", "40"))
    ranges = [f"{low:.0%} to {min(high, 1):.0%}" for low, high in pairwise(RANGES)]
    rows = [_row(game, games) for game in GAMES.values()]
    return table(("Game", "Positions", *ranges, "Error"), rows)


def _row(game: Game, games: int) -> tuple[object, ...]:
    found = [forecast for number in range(games) for forecast in _forecasts(game, number)]
    cells = [_cell([one for one in found if low <= one[0] < high]) for low, high in pairwise(RANGES)]
    error = fmean((said - came) ** 2 for said, came in found)
    return game.name, len(found), *cells, f"{error:.3f}"


def _cell(found: list[Forecast]) -> str:
    if not found:
        return "–"
    said, came = (fmean(values) for values in zip(*found, strict=True))
    return f"{said:.0%}: {came:.0%} ({len(found)})"


def _forecasts(game: Game, number: int) -> Iterator[Forecast]:
    """Yield what is said at some positions of one game of the level against itself, with what came of it."""
    position = game.start(players=2, **game.variants[0].options)
    path: list[Position] = []
    while position.result is None:
        path.append(position)
        position = position.play(choose(position, LEVEL, 1_000 * number + len(path)))
    winners = position.result.winners
    # Set-ups are judged by nothing but a guess.
    played = [one for one in path if game.opening(one, Random(number)) is None]
    for one in played[:: max(1, -(-len(played) // SAMPLES))]:
        best = analyse(one, NODES).lines[0]
        if not best.exact:
            yield best.winning, (min(one.to_move) in winners) / len(winners)
