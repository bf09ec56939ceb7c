"""Redo: discs and towers that change the colour of whatever they move next to; most pieces at the end wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from bot.games.game import Game, Move, Position, Variant
from bot.games.redo import scene
from bot.games.redo.rules import SEAT_NAMES, RedoPosition, decode, own_turn
from renderers.scene import Scene

__all__ = ["REDO", "Redo"]


class Redo(Game):
    """A game for two on seven files and eight ranks; one variant, no options. Its source names no designer."""

    key: ClassVar[str] = "redo"
    name: ClassVar[str] = "Redo"
    designer: ClassVar[str] = "unknown"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", "Standard", range(2, 3)),)
    sentence: ClassVar[str] = (
        "Move next to enemy pieces or jump over them to change their colour, stack two discs into a tower that goes "
        "anywhere, and have more pieces than your opponent at the end."
    )
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES

    def start(self, players: int = 2, **options: Any) -> RedoPosition:
        if players not in self.players:
            raise ValueError("Redo is for two players")
        if options:
            raise ValueError(f"Redo has no option {', '.join(sorted(options))}")
        return RedoPosition()

    def decode(self, text: str) -> RedoPosition:
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
            last=None if last is None else own_turn(last),
            seat=seat,
            before=None if before is None else _own(before),
            chosen=chosen,
            targets=targets,
            coordinates=coordinates,
        )

    def pieces_in_words(self, position: Position) -> Sequence[str]:
        return scene.pieces_in_words(_own(position))

    def move_in_words(self, before: Position, move: Move) -> str:
        return scene.move_in_words(_own(before), own_turn(move))


def _own(position: Position) -> RedoPosition:
    if not isinstance(position, RedoPosition):
        raise TypeError(f"{position!r} is no position of Redo")
    return position


REDO: Final = Redo()
