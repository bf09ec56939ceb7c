"""The rules layer. ``GAMES`` is the explicit list of the games there are: one folder, one import and one entry each.

Beside it stands what callers handle most: moves, positions, results, and the refusal of a text that is no legal move.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.games.game import Game, IllegalMove, Move, Position, Result
from bot.games.gyges import GYGES
from bot.games.rectangles import RECTANGLES
from bot.games.redo import REDO
from bot.games.redtangle import REDTANGLE
from bot.games.yonmoque import YONMOQUE

__all__ = ["GAMES", "Game", "IllegalMove", "Move", "Position", "Result", "game_of"]

_LIST: Final[tuple[Game, ...]] = (GYGES, RECTANGLES, REDO, REDTANGLE, YONMOQUE)

_BY_KEY: Final[dict[str, Game]] = {game.key: game for game in _LIST}

GAMES: Final[Mapping[str, Game]] = MappingProxyType(_BY_KEY)


def game_of(position: Position) -> Game | None:
    """Return the game in the list that ``position`` is one of, or None for a game that does not tell its positions."""
    return next((game for game in GAMES.values() if isinstance(position, game.positions)), None)
