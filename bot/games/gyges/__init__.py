"""Gygès: pieces that belong to nobody, border rows to move from, bounces, and the goal beyond the far rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from bot.games.game import Game, Variant, View
from bot.games.gyges import scene
from bot.games.gyges.board import SEAT_NAMES
from bot.games.gyges.notation import Turn
from bot.games.gyges.rules import RULESETS, GygesPosition, SetUp, decode
from renderers.scene import Scene

__all__ = ["GYGES", "Gyges"]

_TWO: Final = range(2, 3)


class Gyges(Game):
    """Claude Leroy's game of 1984, in the magazine's rules and in the published ones."""

    key: ClassVar[str] = "gyges"
    name: ClassVar[str] = "Gygès"
    designer: ClassVar[str] = "Claude Leroy"
    players: ClassVar[range] = _TWO
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "fogliaccio",
            "Fogliaccio",
            _TWO,
            {"ruleset": "fogliaccio"},
            "The piece hit is pushed on by its own value; no square is entered twice.",
        ),
        Variant(
            "classic",
            "Classic",
            _TWO,
            {"ruleset": "classic"},
            "The arriving piece bounces on by the value it lands on; no connection is used twice.",
        ),
    )
    sentence: ClassVar[str] = (
        "Move any piece of the row nearest you exactly as many steps as its value, bounce on the pieces you hit, "
        "and reach the goal beyond the far side."
    )
    options: ClassVar[frozenset[str]] = frozenset({"ruleset"})
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES

    def first(self, players: int, **options: Any) -> SetUp:
        ruleset = options.get("ruleset", self.variants[0].key)
        if ruleset not in tuple(RULESETS):
            raise ValueError(f"Gygès has no ruleset {ruleset!r}: there are {' and '.join(RULESETS)}")
        return SetUp(ruleset)

    def decode(self, text: str) -> SetUp | GygesPosition:
        return decode(text)

    def draw(self, position: SetUp | GygesPosition, view: View[SetUp | GygesPosition, Turn]) -> Scene:
        return scene.draw(position, view)

    def pieces_in_words(self, position: SetUp | GygesPosition) -> Sequence[str]:
        return scene.pieces_in_words(position)

    def move_in_words(self, before: SetUp | GygesPosition, move: Turn) -> str:
        return scene.move_in_words(before, move)


GYGES: Final = Gyges()
