"""Redtangle: turn, step and jump with two-coloured squares until one of them stands in the other red rectangle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from bot.games.game import Game, Move, Position, Variant
from bot.games.redtangle import scene
from bot.games.redtangle.decoding import decode
from bot.games.redtangle.moves import Arrangement, Jump, Pass, Turn, Walk
from bot.games.redtangle.pieces import SEAT_NAMES
from bot.games.redtangle.rules import RedtanglePosition
from bot.games.redtangle.setup import SetUpPosition
from renderers.scene import Scene

__all__ = ["REDTANGLE", "Redtangle"]


class Redtangle(Game):
    """A game for two whose designer the source does not name; one variant, no options."""

    key: ClassVar[str] = "redtangle"
    name: ClassVar[str] = "Redtangle"
    designer: ClassVar[str] = "unknown"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", "Standard", range(2, 3)),)
    sentence: ClassVar[str] = (
        "Step, turn or jump with square pieces whose sides are black or white: "
        "whoever moves a piece into the opponent's red rectangle wins."
    )
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES

    def start(self, players: int = 2, **options: Any) -> SetUpPosition:
        if players not in self.players:
            raise ValueError("Redtangle is for two players")
        if options:
            raise ValueError(f"Redtangle has no option {', '.join(sorted(options))}")
        return SetUpPosition()

    def decode(self, text: str) -> SetUpPosition | RedtanglePosition:
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
            last=None if last is None else _move(last),
            seat=seat,
            chosen=chosen,
            targets=targets,
            coordinates=coordinates,
        )

    def pieces_in_words(self, position: Position) -> Sequence[str]:
        return scene.pieces_in_words(_own(position))

    def move_in_words(self, before: Position, move: Move) -> str:
        return scene.move_in_words(_own(before), _move(move))


def _own(position: Position) -> SetUpPosition | RedtanglePosition:
    if not isinstance(position, SetUpPosition | RedtanglePosition):
        raise TypeError(f"{position!r} is no position of Redtangle")
    return position


def _move(move: Move) -> Arrangement | Walk | Turn | Jump | Pass:
    if not isinstance(move, Arrangement | Walk | Turn | Jump | Pass):
        raise TypeError(f"{move!r} is no move of Redtangle")
    return move


REDTANGLE: Final = Redtangle()
