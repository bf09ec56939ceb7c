"""Whether chances to win come true.

How often the computer's forecasts come true. Level 3 plays against itself, and level 4 in every fourth game. In each
game, at up to twelve positions, `analyse` estimates with 20,000 nodes how likely the player to move is to win. Proven
positions are left out; in Rectangles all are proven. The table groups the estimates by tenths and shows the share of
points that the player to move then scored (a draw is half a point), with the number of positions in brackets.
*Difference* is the average distance between the estimate and the score of its tenth, over all positions. Small numbers
differ by chance: of 25 even positions, 14 or more, or 11 or fewer, are won every other time. `CALIBRATION_GAMES` sets
the number of games of each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import groupby
from random import Random
from statistics import fmean

from bot.games.game import Game, Position
from bot.opponents import analyse, choose
from tests.figures import shipped_games, table

LEVELS = (3, 3, 3, 4)
"""The levels that play one game after the other."""
NODES = 20_000
SAMPLES = 12
TENTHS = range(10)

Forecast = tuple[float, float]
"""What was said of a position, from 0 to 1, and what came of it."""


def measure() -> list[str]:
    """Compare what is said with what comes of it, in the default variant of every game."""
    games = int(os.environ.get("CALIBRATION_GAMES", "40"))
    found = {game.name: [one for number in range(games) for one in forecasts(game, number)] for game in shipped_games()}
    return compared(found, games)


def compared(found: Mapping[str, list[Forecast]], games: int) -> list[str]:
    """Return the table of what was found in so many games of each, by the name of the game."""
    heads = [f"{10 * tenth} to {10 * tenth + 10}%" for tenth in TENTHS]
    rows = [_row(name, one) for name, one in found.items()]
    return [*table(("Game", "Positions", *heads, "Difference"), rows), "", f"From {games} games of each."]


def forecasts(game: Game, number: int) -> Iterator[Forecast]:
    """Yield what is said at some positions of one game of a level against itself, with what came of it."""
    position = game.start(players=2, **game.variants[0].options)
    path: list[Position] = []
    while position.result is None:
        path.append(position)
        position = position.play(choose(position, LEVELS[number % len(LEVELS)], 1_000 * number + len(path)))
    winners = position.result.winners
    # Set-ups are judged by nothing but a guess.
    played = [one for one in path if game.opening(one, Random(number)) is None]
    apart = max(1, -(-len(played) // SAMPLES))
    for one in played[number % apart :: apart]:
        best = analyse(one, NODES).lines[0]
        if not best.exact:
            yield best.winning, (min(one.to_move) in winners) / len(winners)


def _row(name: str, found: list[Forecast]) -> tuple[object, ...]:
    tenths = {tenth: list(group) for tenth, group in groupby(sorted(found), key=_tenth)}
    cells = [f"{_came(tenths[tenth]):.0%} ({len(tenths[tenth])})" if tenth in tenths else "–" for tenth in TENTHS]
    apart = sum(len(one) * abs(_came(one) - fmean(said for said, _ in one)) for one in tenths.values())
    return name, len(found), *cells, f"{apart / max(len(found), 1):.0%}"


def _tenth(forecast: Forecast) -> int:
    return min(int(10 * forecast[0]), TENTHS[-1])


def _came(found: list[Forecast]) -> float:
    return fmean(came for _, came in found)
