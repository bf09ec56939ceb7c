"""Gygès: pieces that belong to nobody, border rows to move from, bounces, and the goal beyond the far rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from bot.games.game import Game, Move, Position, Variant
from bot.games.gyges import scene
from bot.games.gyges.board import SEAT_NAMES
from bot.games.gyges.rules import RULESETS, GygesPosition, SetUp, decode, turn_of
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
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES

    def start(self, players: int = 2, **options: Any) -> SetUp:
        if players not in self.players:
            raise ValueError("Gygès is for two players")
        unknown = options.keys() - {"ruleset"}
        if unknown:
            raise ValueError(f"Gygès has no option {', '.join(sorted(unknown))}")
        ruleset = options.get("ruleset", self.variants[0].key)
        if ruleset not in RULESETS:
            raise ValueError(f"Gygès has no ruleset {ruleset!r}: there are {' and '.join(RULESETS)}")
        return SetUp(ruleset)

    def decode(self, text: str) -> SetUp | GygesPosition:
        return decode(text)

    def scene(
        self,
        position: Position,
        last: Move | None = None,
        seat: int = 0,
        *,
        before: Position | None = None,
        chosen: Sequence[str] = (),
        targets: Iterable[str] = (),
        coordinates: bool = True,
    ) -> Scene:
        return scene.draw(
            _own(position),
            last=None if last is None else turn_of(last),
            seat=seat,
            before=None if before is None else _own(before),
            chosen=chosen,
            targets=targets,
            coordinates=coordinates,
        )

    def pieces_in_words(self, position: Position) -> Sequence[str]:
        return scene.pieces_in_words(_own(position))

    def move_in_words(self, before: Position, move: Move) -> str:
        return scene.move_in_words(_own(before), turn_of(move))


def _own(position: Position) -> SetUp | GygesPosition:
    if not isinstance(position, SetUp | GygesPosition):
        raise TypeError(f"{position!r} is no position of Gygès")
    return position


GYGES: Final = Gyges()
