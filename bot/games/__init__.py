"""The rules layer. ``GAMES`` is the explicit list of the games there are: one folder and one line here for each."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.games.game import Game

GAMES: Mapping[str, Game] = MappingProxyType({game.key: game for game in ()})
