"""What a worker process finds out about a move under construction: what it may become, and what it would do.

Knows no Discord and no database, so that a worker process need not load them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import SystemRandom

from bot.games import GAMES
from bot.games.game import Move, Position
from bot.views.builder_state import BuilderState, Keys, builder_state
from bot.views.choice_grid import Grid, choice_grid


@dataclass(frozen=True, slots=True)
class Considered:
    """A state of the builder, what its move does, its choices as buttons, and whether its move is asked about."""

    state: BuilderState
    does: str
    grid: Grid | None
    asks: bool


def considered(key: str, position: Position, seat: int, keys: Keys, *, squares_only: bool = False) -> Considered:
    """Return what the choices ``keys`` lead to in a game; its first offers are drawn by lot.

    With ``squares_only`` the first choices are those that are squares.
    """
    game, now = GAMES[key], builder_state(position, keys, SystemRandom())
    if squares_only and not now.keys:
        now = replace(now, steps=[step for step in now.steps if step.square is not None])
    playable = now.move is not None and now.question is None and now.problem is None
    does = game.move_in_words(position, now.move) if playable else ""
    grid = choice_grid(now.steps, game.scene(position, seat=seat)) if now.steps else ()
    asks = now.question is not None or now.unseen or _ends_badly(position, now.move, seat)
    return Considered(now, does, grid, asks)


def _ends_badly(position: Position, move: Move | None, seat: int) -> bool:
    """Return whether a move ends the game without winning it for whoever makes it."""
    result = None if move is None else position.play(move).result
    return result is not None and result.winners != {seat}
