"""A stand-in for a game whose package is not installed: it has a name and seats, and no rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from bot.games.game import MOST_PLAYERS, Game, Position, Variant, View
from renderers.i18n import gettext_lazy as _
from renderers.scene import Scene


class UnavailableGame(Game):
    """The facts of a game of which only the key is known. What needs rules raises ``LookupError``."""

    designer: ClassVar[str] = ""
    players: ClassVar[range] = range(2, MOST_PLAYERS + 1)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("", "", range(2, MOST_PLAYERS + 1)),)
    summary: ClassVar[str] = ""
    seat_names: ClassVar[tuple[str, ...]] = tuple(
        _("Player {number}", number=number) for number in range(1, MOST_PLAYERS + 1)
    )

    def variant(self, key: str) -> Variant:
        return self.variants[0]

    def first(self, players: int, **options: Any) -> Position:
        self._refuse()

    def decode(self, text: str) -> Position:
        self._refuse()

    def draw(self, position: Any, view: View[Any, Any]) -> Scene:
        self._refuse()

    def pieces_in_words(self, position: Any) -> Sequence[str]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise LookupError(f"the game {self.key} is not installed")


def stand_in(key: str) -> Game:
    """Return a stand-in for the game with this key, which is its name, too."""
    kind: type[UnavailableGame] = type("StandIn", (UnavailableGame,), {"key": key, "name": key})
    return kind()
