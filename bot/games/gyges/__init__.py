"""Gygès: pieces without an owner, border rows to move from, bounces, and the goal beyond the far rank."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Final

from bot.games.game import PASS, Baseline, Game, Position, Variant, View
from bot.games.gyges import scene
from bot.games.gyges.baseline import CAREFUL
from bot.games.gyges.board import SEAT_NAMES, SYMMETRIES, contents
from bot.games.gyges.notation import Turn
from bot.games.gyges.rules import RULESETS, GygesPosition, SetUp, decode
from bot.games.gyges.search import GygesState, good_set_up
from bot.games.gyges.set_ups import studied_set_up
from bot.games.symmetry import canonical_form
from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p
from renderers.scene import Scene

__all__ = ["GYGES", "Gyges"]

_TWO: Final = range(2, 3)


class Gyges(Game):
    """Claude Leroy's game of 1984, in the magazine's rules and in the published ones."""

    key: ClassVar[str] = "gyges"
    name: ClassVar[str] = _("Gygès")
    designer: ClassVar[str] = "Claude Leroy"
    players: ClassVar[range] = _TWO
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "fogliaccio",
            _p("rules of Gygès", "Push"),
            _TWO,
            {"ruleset": "fogliaccio"},
            _("A piece that is hit is pushed on by its own value; no square is entered twice."),
        ),
        Variant(
            "classic",
            _("Classic, as played elsewhere"),
            _TWO,
            {"ruleset": "classic"},
            _("The arriving piece bounces on by the value of the one it hits; no connection is used twice."),
        ),
    )
    # Translators: the words that people may type to pass, with commas between.
    typed_words: ClassVar[Mapping[str, str]] = {PASS: _p("typed move", "pass")}
    summary: ClassVar[str] = _("Nobody owns the pieces: move one onto the next, and get any of them into the far goal.")
    options: ClassVar[frozenset[str]] = frozenset({"ruleset"})
    positions: ClassVar[tuple[type[Position], ...]] = (SetUp, GygesPosition)
    showpiece = "fogliaccio ./12.3../.1...3/....3./....../.2.1.2/1.3..2/. S 0 - -"
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES
    baselines: ClassVar[tuple[Baseline, ...]] = (CAREFUL,)

    def first(self, players: int, **options: Any) -> SetUp:
        ruleset = options.get("ruleset", self.variants[0].key)
        if ruleset not in tuple(RULESETS):
            raise ValueError(f"Gygès has no ruleset {ruleset!r}: there are {' and '.join(RULESETS)}")
        return SetUp(ruleset)

    def decode(self, text: str) -> SetUp | GygesPosition:
        return decode(text)

    def search_state(self, position: SetUp | GygesPosition) -> GygesState | None:
        return GygesState(position) if isinstance(position, GygesPosition) else None

    def opening(self, position: SetUp | GygesPosition, random: Random) -> Turn | None:
        return good_set_up(position, random) if isinstance(position, SetUp) else None

    def studied_opening(self, position: SetUp | GygesPosition, random: Random) -> Turn | None:
        return studied_set_up(position, random) if isinstance(position, SetUp) else None

    def canonical_form(self, position: SetUp | GygesPosition) -> Hashable:
        if isinstance(position, SetUp):
            south = position.south or ""
            return position.ruleset, min(south, south[::-1])
        return position.ruleset, canonical_form(contents(position.pieces), position.side, SYMMETRIES)

    def without_history(self, position: SetUp | GygesPosition) -> SetUp | GygesPosition:
        return replace(position, earlier=()) if isinstance(position, GygesPosition) else position

    def draw(self, position: SetUp | GygesPosition, view: View[SetUp | GygesPosition, Turn]) -> Scene:
        return scene.draw(position, view)

    def pieces_in_words(self, position: SetUp | GygesPosition) -> Sequence[str]:
        return scene.pieces_in_words(position)

    def move_in_words(self, before: SetUp | GygesPosition, move: Turn) -> str:
        return scene.move_in_words(before, move)


GYGES: Final = Gyges()
