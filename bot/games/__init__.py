"""The rules layer. ``GAMES`` maps the key of every game to the game: the five of this folder, then installed packages'.

A game of this folder is one import and one entry in ``OWN``. Beside the games stands what callers handle most: moves,
positions, results, and the refusal of a text that is no legal move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from bot.games.faults import of_each
from bot.games.game import Game, IllegalMove, Move, Position, Result
from bot.games.gyges import GYGES
from bot.games.packages import RejectedPackage, load_games, stand_in
from bot.games.rectangles import RECTANGLES
from bot.games.redo import REDO
from bot.games.redtangle import REDTANGLE
from bot.games.yonmoque import YONMOQUE

__all__ = ["GAMES", "Game", "Games", "IllegalMove", "Move", "Position", "Result", "game_named", "game_of"]

OWN: Final[tuple[Game, ...]] = (GYGES, RECTANGLES, REDO, REDTANGLE, YONMOQUE)


class Games(Mapping[str, Game]):
    """Games by key. Packages are imported at the first use, because they import this module themselves."""

    def __init__(self, own: tuple[Game, ...]) -> None:
        self._own = {game.key: game for game in own}

    @cached_property
    def _installed(self) -> tuple[dict[str, Game], tuple[RejectedPackage, ...]]:
        return load_games(self._own)

    @cached_property
    def _by_key(self) -> dict[str, Game]:
        return self._own | self._installed[0]

    @property
    def rejected(self) -> tuple[RejectedPackage, ...]:
        """The entry points that are left out, with the reason."""
        return self._installed[1]

    @property
    def rules(self) -> frozenset[tuple[str, int]]:
        """The rules that matches can be played by: pairs of a game's key and the major version of its rules."""
        return frozenset(of_each(lambda game: (game.key, game.rules_major), self.values()))

    def __getitem__(self, key: str) -> Game:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)


GAMES: Final = Games(OWN)


def game_named(key: str) -> Game:
    """Return the game with this key, or a stand-in with its facts alone if it is not installed."""
    return GAMES[key] if key in GAMES else stand_in(key)


def game_of(position: Position) -> Game | None:
    """Return the game of ``position``, or None for a game that does not name the classes of its positions."""
    games = of_each(lambda game: (game, isinstance(position, game.positions)), GAMES.values())
    return next((game for game, own in games if own), None)
