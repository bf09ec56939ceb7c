"""Yonmoque: put or move, flip what is enclosed, four in a row wins and five loses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from bot.games.game import Baseline, Game, Position, Variant, View
from bot.games.symmetry import canonical_form
from bot.games.yonmoque import scene
from bot.games.yonmoque.baseline import ALPHA_BETA
from bot.games.yonmoque.board import SYMMETRIES, Turn, contents
from bot.games.yonmoque.rules import YonmoquePosition, decode
from bot.games.yonmoque.search import YonmoqueState
from renderers.i18n import gettext_lazy as _
from renderers.scene import Scene

__all__ = ["YONMOQUE", "Yonmoque"]


class Yonmoque(Game):
    """Mitsuo Yamamoto's game of 1997, published by Logy Games; one variant, no options."""

    key: ClassVar[str] = "yonmoque"
    name: ClassVar[str] = _("Yonmoque")
    designer: ClassVar[str] = "Mitsuo Yamamoto"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", _("Standard"), range(2, 3)),)
    summary: ClassVar[str] = _("Place pieces or move them: four in a row by a move wins, five in a row loses.")
    showpiece = "3wb/1wwb1/2b1b/5/2b2 b 1,3 - -"
    seat_names: ClassVar[tuple[str, ...]] = scene.SEAT_NAMES
    positions: ClassVar[tuple[type[Position], ...]] = (YonmoquePosition,)
    baselines: ClassVar[tuple[Baseline, ...]] = (ALPHA_BETA,)

    def first(self, players: int, **options: Any) -> YonmoquePosition:
        return YonmoquePosition()

    def decode(self, text: str) -> YonmoquePosition:
        return decode(text)

    def search_state(self, position: YonmoquePosition) -> YonmoqueState:
        return YonmoqueState(position)

    def canonical_form(self, position: YonmoquePosition) -> Hashable:
        return canonical_form(contents(position.pieces), position.side, SYMMETRIES), position.hands

    def without_history(self, position: YonmoquePosition) -> YonmoquePosition:
        return replace(position, earlier=())

    def draw(self, position: YonmoquePosition, view: View[YonmoquePosition, Turn]) -> Scene:
        return scene.draw(position, view)

    def pieces_in_words(self, position: YonmoquePosition) -> Sequence[str]:
        return scene.pieces_in_words(position)

    def move_in_words(self, before: YonmoquePosition, move: Turn) -> str:
        return scene.move_in_words(before, move)


YONMOQUE: Final = Yonmoque()
