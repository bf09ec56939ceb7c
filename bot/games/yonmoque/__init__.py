"""Yonmoque: put or move, flip what is enclosed, four in a row wins and five loses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from bot.games.game import Game, Move, Position, Variant
from bot.games.yonmoque import scene
from bot.games.yonmoque.board import Turn
from bot.games.yonmoque.rules import YonmoquePosition, decode
from renderers.scene import Scene

__all__ = ["YONMOQUE", "Yonmoque"]


class Yonmoque(Game):
    """Mitsuo Yamamoto's game of 1997, published by Logy Games; one variant, no options."""

    key: ClassVar[str] = "yonmoque"
    name: ClassVar[str] = "Yonmoque"
    designer: ClassVar[str] = "Mitsuo Yamamoto"
    players: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("standard", "Standard", range(2, 3)),)
    sentence: ClassVar[str] = (
        "Put a piece or move one; a moved piece flips the enemies it encloses, "
        "a move that makes four in a row wins, and five in a row loses."
    )
    seat_names: ClassVar[tuple[str, ...]] = scene.SEAT_NAMES

    def start(self, players: int = 2, **options: Any) -> YonmoquePosition:
        if players not in self.players:
            raise ValueError("Yonmoque is for two players")
        if options:
            raise ValueError(f"Yonmoque has no option {', '.join(sorted(options))}")
        return YonmoquePosition()

    def decode(self, text: str) -> YonmoquePosition:
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
            last=None if last is None else _turn(last),
            seat=seat,
            before=None if before is None else _own(before),
            chosen=chosen,
            targets=targets,
            coordinates=coordinates,
        )

    def pieces_in_words(self, position: Position) -> Sequence[str]:
        return scene.pieces_in_words(_own(position))

    def move_in_words(self, before: Position, move: Move) -> str:
        return scene.move_in_words(_own(before), _turn(move))


def _own(position: Position) -> YonmoquePosition:
    if not isinstance(position, YonmoquePosition):
        raise TypeError(f"{position!r} is no position of Yonmoque")
    return position


def _turn(move: Move) -> Turn:
    if not isinstance(move, Turn):
        raise TypeError(f"{move!r} is no turn of Yonmoque")
    return move


YONMOQUE: Final = Yonmoque()
