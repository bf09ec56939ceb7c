"""Time of computer players.

The time in which one core chooses a move at each level, in games of a level against itself, and the nodes a second of
the games that alpha-beta searches. Then perft through the compact states, from the first position of the play.
Rows of Redtangle and of level 8 of Rectangles are of 2026-11-29, those of levels 4 to 8 of Redo of 2026-11-30, on busy
cores.
"""

from __future__ import annotations

import time
from statistics import median

from bot.contract.perft import perft_of_state
from bot.games.game import Game, Position
from bot.games.search import EvaluatedState
from bot.opponents import choose, levels_of
from bot.opponents.alphabeta import AlphaBeta
from bot.opponents.thinking import state_of
from tests.figures import shipped_games, table

PLIES = 20
"""Moves timed in a game; as many games of a level as ``SEEDS``."""
SEEDS = range(3)
NODES = 20_000


def measure() -> list[str]:
    """Let every level play every game against itself."""
    heads = ("Game", "Level", "Moves", "Median, ms", "p99, ms", "Worst, ms")
    rows = [_row(game, level) for game in shipped_games() for level in levels_of(game)]
    speeds = [(game.name, *_speed(game)) for game in shipped_games()]
    return [*table(heads, rows), "", *table(("Game", "Nodes a second", "Perft", "Positions", "ms"), speeds)]


def _row(game: Game, level: int) -> tuple[object, ...]:
    times = sorted(seconds for seed in SEEDS for seconds in _times(game, level, seed))
    worst = len(times) - 1
    chosen = (median(times), times[min(worst, round(0.99 * worst))], times[worst])
    return game.name, level, len(times), *(f"{1000 * seconds:.0f}" for seconds in chosen)


def _times(game: Game, level: int, seed: int) -> list[float]:
    position, times = game.start(), list[float]()
    while position.to_move is not None and len(times) < PLIES:
        begun = time.process_time()
        move = choose(position, level, seed)
        times.append(time.process_time() - begun)
        position = position.play(move)
    return times


def _speed(game: Game) -> tuple[object, ...]:
    state = state_of(_first_of_play(game))
    speed = "-"
    if isinstance(state, EvaluatedState):
        search = AlphaBeta(state, NODES)
        begun = time.process_time()
        search.candidates()
        speed = f"{search.visited / (time.process_time() - begun):,.0f}"
    depth = 2 if len(state.tokens()) > 60 else 3
    begun = time.process_time()
    count = perft_of_state(state, depth)
    return speed, depth, f"{count:,}", f"{1000 * (time.process_time() - begun):.0f}"


def _first_of_play(game: Game) -> Position:
    position = game.start()
    while game.search_state(position) is None:
        position = position.play(choose(position))
    return position
