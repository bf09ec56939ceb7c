"""Redo: discs and towers convert the pieces they move next to; most pieces at the end win."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from bot.games.game import PASS, Game, Position, Variant, View
from bot.games.redo import scene
from bot.games.redo.board import SYMMETRIES, Turn, contents
from bot.games.redo.rules import SEAT_NAMES, RedoPosition, decode
from bot.games.redo.search import RedoState
from bot.games.symmetry import canonical_form
from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p
from renderers.scene import Scene

__all__ = ["REDO", "Redo"]


class Redo(Game):
    """A game for two on seven files and eight ranks; one variant, no options. Its source names no designer."""

    key: ClassVar[str] = "redo"
    name: ClassVar[str] = _("Redo")
    designer: ClassVar[str] = "unknown"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", _("Standard"), range(2, 3)),)
    # Translators: the words that people may type to pass, with commas between.
    typed_words: ClassVar[Mapping[str, str]] = {PASS: _p("typed move", "pass")}
    summary: ClassVar[str] = _(
        "Land beside enemy pieces to change their colour, stack towers; most pieces at the end wins."
    )
    showpiece = "r2rr2/1r1wwWw/2r2wW/2r4/1Rrw3/r6/2w1www/2wwwww r 0 0 0 -"
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES
    positions: ClassVar[tuple[type[Position], ...]] = (RedoPosition,)
    careful_share: ClassVar[float] = 0.9

    def first(self, players: int, **options: Any) -> RedoPosition:
        return RedoPosition()

    def decode(self, text: str) -> RedoPosition:
        return decode(text)

    def search_state(self, position: RedoPosition) -> RedoState:
        return RedoState(position)

    def canonical_form(self, position: RedoPosition) -> Hashable:
        return canonical_form(contents(position.pieces, position.towers), position.side, SYMMETRIES)

    def without_history(self, position: RedoPosition) -> RedoPosition:
        passes = position.passes
        return replace(position, quiet=passes, plies=passes, earlier=())

    def draw(self, position: RedoPosition, view: View[RedoPosition, Turn]) -> Scene:
        return scene.draw(position, view)

    def pieces_in_words(self, position: RedoPosition) -> Sequence[str]:
        return scene.pieces_in_words(position)

    def move_in_words(self, before: RedoPosition, move: Turn) -> str:
        return scene.move_in_words(before, move)


REDO: Final = Redo()
