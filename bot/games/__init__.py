"""The rules layer. ``GAMES`` is the explicit list of the games there are: one folder, one import and one entry each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.games.game import Game
from bot.games.gyges import GYGES
from bot.games.rectangles import RECTANGLES
from bot.games.redo import REDO
from bot.games.redtangle import REDTANGLE
from bot.games.yonmoque import YONMOQUE

_LIST: Final[tuple[Game, ...]] = (GYGES, RECTANGLES, REDO, REDTANGLE, YONMOQUE)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.key: game for game in _LIST})
