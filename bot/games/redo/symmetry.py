"""Which positions of Redo are alike: in a mirror, and with the board upside down and the colours exchanged."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from bot.games.redo.board import COORDINATES, FILES, RANKS, bit, members
from bot.games.redo.rules import RedoPosition

_MIRRORED: Final = {bit(file, rank): bit(FILES - 1 - file, rank) for file, rank in COORDINATES}
_UPSIDE_DOWN: Final = {bit(file, rank): bit(file, RANKS - 1 - rank) for file, rank in COORDINATES}

_Arrangement = tuple[int, int, int, int]
"""White's squares, red's, those with towers, and the seat to move."""


def likeness(position: RedoPosition) -> Hashable:
    """Return what is the same for all positions that are alike."""
    now = (*position.pieces, position.towers, position.side)
    turned = _exchanged(now)
    return min(now, turned, _mirrored(now), _mirrored(turned))


def _mirrored(one: _Arrangement) -> _Arrangement:
    white, red, towers, side = one
    return _moved(white, _MIRRORED), _moved(red, _MIRRORED), _moved(towers, _MIRRORED), side


def _exchanged(one: _Arrangement) -> _Arrangement:
    white, red, towers, side = one
    return _moved(red, _UPSIDE_DOWN), _moved(white, _UPSIDE_DOWN), _moved(towers, _UPSIDE_DOWN), 1 - side


def _moved(squares: int, way: dict[int, int]) -> int:
    return sum(way[square] for square in members(squares))
