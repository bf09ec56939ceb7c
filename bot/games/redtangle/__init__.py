"""Redtangle: turn, step and jump with two-coloured squares until one of them stands in the other red rectangle."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final

from bot.games.game import PASS, Game, Move, Position, Variant, View
from bot.games.redtangle import scene
from bot.games.redtangle.pieces import SEAT_NAMES, SYMMETRIES
from bot.games.redtangle.rules import RedtanglePosition, fresh
from bot.games.redtangle.search import RedtangleState, solid_arrangement
from bot.games.redtangle.setup import SetUpPosition, decode
from bot.games.symmetry import canonical_form
from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p
from renderers.scene import Scene

__all__ = ["REDTANGLE", "Redtangle"]


class Redtangle(Game):
    """A game for two whose designer the source does not name; one variant, no options."""

    key: ClassVar[str] = "redtangle"
    name: ClassVar[str] = _("Redtangle")
    designer: ClassVar[str] = "unknown"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", _("Standard"), range(2, 3)),)
    # Translators: the words that people may type to pass, with commas between.
    typed_words: ClassVar[Mapping[str, str]] = {PASS: _p("typed move", "pass")}
    summary: ClassVar[str] = _("Square pieces with black and white sides: get one into your opponent's red rectangle.")
    showpiece = "2b45/3b2Nb2Wb02/3b2Ww1Nb1W2/3w2W4/4w2E3/4b1Ww1S2/3w3Ew4w2S2/2w05 w 1 -"
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES
    levels: ClassVar[int] = 7
    positions: ClassVar[tuple[type[Position], ...]] = (SetUpPosition, RedtanglePosition)

    def first(self, players: int, **options: Any) -> SetUpPosition:
        return SetUpPosition()

    def decode(self, text: str) -> SetUpPosition | RedtanglePosition:
        return decode(text)

    def search_state(self, position: SetUpPosition | RedtanglePosition) -> RedtangleState | None:
        return RedtangleState(position) if isinstance(position, RedtanglePosition) else None

    def opening(self, position: SetUpPosition | RedtanglePosition, random: Random) -> Move | None:
        return solid_arrangement(position.side, random) if isinstance(position, SetUpPosition) else None

    def canonical_form(self, position: SetUpPosition | RedtanglePosition) -> Hashable:
        playing = isinstance(position, RedtanglePosition)
        return playing, canonical_form(position.board, position.side, SYMMETRIES)

    def without_history(self, position: SetUpPosition | RedtanglePosition) -> SetUpPosition | RedtanglePosition:
        return position if isinstance(position, SetUpPosition) else fresh(position.board, position.side)

    def draw(self, position: scene.AnyPosition, view: View[scene.AnyPosition, scene.AnyMove]) -> Scene:
        return scene.draw(position, view)

    def pieces_in_words(self, position: scene.AnyPosition) -> Sequence[str]:
        return scene.pieces_in_words(position)

    def move_in_words(self, before: scene.AnyPosition, move: scene.AnyMove) -> str:
        return scene.move_in_words(before, move)


REDTANGLE: Final = Redtangle()
