"""Which positions of Gygès are alike: in a mirror, and with the board upside down and the players exchanged."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from bot.games.gyges.board import GOALS, NORTH, SIZE, SOUTH, SQUARES, arrange, pieces_of
from bot.games.gyges.rules import GygesPosition, SetUp

_MIRRORED: Final = (*((SIZE - 1 - square // SIZE) * SIZE + square % SIZE for square in SQUARES), *GOALS)
_UPSIDE_DOWN: Final = (
    *(square // SIZE * SIZE + SIZE - 1 - square % SIZE for square in SQUARES),
    GOALS[NORTH],
    GOALS[SOUTH],
)
"""By place: the place it comes to lie on."""


def likeness(position: GygesPosition | SetUp) -> Hashable:
    """Return what is the same for all positions that are alike."""
    if isinstance(position, SetUp):
        south = position.south or ""
        return position.ruleset, min(south, south[::-1])
    now = (position.pieces, position.side)
    turned = (_moved(position.pieces, _UPSIDE_DOWN), 1 - position.side)
    mirrored = ((_moved(pieces, _MIRRORED), side) for pieces, side in (now, turned))
    return position.ruleset, min(now, turned, *mirrored)


def _moved(pieces: int, way: tuple[int, ...]) -> int:
    return arrange((way[place], value) for place, value in pieces_of(pieces))
