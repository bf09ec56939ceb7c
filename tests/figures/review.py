"""Time of a review.

The time in which one core reviews a match of 40 plies between levels 4 and 2. A review evaluates all positions one
after the other, the last one first, in the background while no more urgent job waits.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from bot.games.game import Game
from bot.matches.model.judging import judgement, nodes_for, questions
from bot.opponents import choose
from bot.storage.records import MoveKind, PlayedMove
from tests.figures import shipped_games, table

PLIES = 40
LEVELS = (4, 2)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def measure() -> list[str]:
    """Review a match of every game."""
    heads = ("Game", "Plies", "Positions judged", "Nodes each", "Review, s", "A position, ms", "Worst, ms")
    return table(heads, [_row(game) for game in shipped_games()])


def _row(game: Game) -> tuple[object, ...]:
    played = _played(game)
    asked = questions(game, game.variants[0].key, len(LEVELS), played)
    nodes, times, following = nodes_for(len(asked)), list[float](), None
    for question in reversed(asked):
        begun = time.process_time()
        following = judgement(question.knowing(following), nodes)
        times.append(time.process_time() - begun)
    each = f"{1000 * sum(times) / len(times):.0f}"
    return game.name, len(played), len(asked), f"{nodes:,}", f"{sum(times):.1f}", each, f"{1000 * max(times):.0f}"


def _played(game: Game) -> list[PlayedMove]:
    """Return the first plies of a match; games that end sooner are shorter."""
    position, played = game.start(len(LEVELS), **game.variants[0].options), list[PlayedMove]()
    while position.to_move and len(played) < PLIES:
        (seat,) = position.to_move
        forced = position.forced_move()
        move = choose(position, LEVELS[seat], len(played)) if forced is None else forced
        kind = MoveKind.MOVE if forced is None else MoveKind.FORCED
        played.append(PlayedMove(len(played) + 1, seat, kind, str(move), NOW))
        position = position.play(move)
    return played
