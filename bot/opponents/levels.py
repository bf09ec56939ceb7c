"""The levels of computer players: how far each looks, and what it overlooks. Knows no game and no search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.game import Game
from bot.games.search import MOST_LEVELS, Level, Method, SearchState

LEVELS: Final = range(1, MOST_LEVELS + 1)
"""The levels of a game that has as many as any, from a friendly beginner to the strongest."""
_LONG: Final = 2
"""So many of a game's strongest levels may think for seconds. Lower levels take some tenths of a second."""
_LONGEST, _LONGEST_OF_OTHERS = 6, 2
"""Seconds of one core that a thought takes at most: of these levels, and of the others."""

STUDIES_FROM: Final = 5
"""The lowest level that knows ``Game.studied_opening``."""

WITH_EVALUATION: Final[Sequence[Level]] = (
    Level(400, depth=1, margin=400, notices=0.3, takes_wins=0.4, prevents_losses=0.2),
    Level(400, depth=1, margin=300, notices=0.4, takes_wins=0.7, prevents_losses=0.4),
    Level(400, depth=1, margin=200, notices=0.5, takes_wins=0.8),
    Level(600, depth=2, margin=100, notices=0.7),
    Level(1_500, depth=2, margin=60),
    Level(2_000, depth=3, margin=60, notices=0.85),
    Level(3_000, depth=3, margin=30),
    Level(8_000, margin=25),
    Level(25_000, margin=15),
    Level(90_000, margin=8, knows_proofs=True),
)
"""The levels, the weakest first, in games with an evaluation that have no levels of their own."""
WITH_PLAYOUTS: Final[Sequence[Level]] = (
    Level(30, takes_wins=0.5, prevents_losses=0.3),
    Level(30, prevents_losses=0.7),
    Level(30),
    Level(100),
    Level(200),
    Level(400),
    Level(1_000),
    Level(3_000),
    Level(20_000),
    Level(120_000, knows_proofs=True),
)
"""The same for games without an evaluation, which are played out at random: with a small budget that is a guess."""


def levels_of(game: Game) -> range:
    """Return the levels of a game, the weakest first."""
    return LEVELS[: game.levels]


def thinks_long(game: Game, level: int) -> bool:
    """Return whether a level may think for seconds."""
    return level > game.levels - _LONG


def longest_thought(game: Game, level: int) -> int:
    """Return how many seconds a level thinks at most, on a core of its own."""
    return _LONGEST if thinks_long(game, level) else _LONGEST_OF_OTHERS


def level_for(number: int, state: SearchState) -> Level:
    """Return the level with that number, for the search method and the game of ``state``.

    Where a game had more levels once, those beyond its strongest play as that one.
    """
    levels = state.levels or (WITH_EVALUATION if state.method is Method.ALPHA_BETA else WITH_PLAYOUTS)
    return levels[min(number, len(levels)) - 1]
