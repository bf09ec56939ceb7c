"""Which positions of Yonmoque are alike: the board looks the same turned by any quarter and in a mirror."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from bot.games.yonmoque.board import SIZE, SQUARES, members
from bot.games.yonmoque.rules import YonmoquePosition


def _turned(square: int, quarters: int, *, mirrored: bool) -> int:
    file, rank = square % SIZE, square // SIZE
    if mirrored:
        file = SIZE - 1 - file
    for _ in range(quarters):
        file, rank = SIZE - 1 - rank, file
    return rank * SIZE + file


_WAYS: Final = tuple(
    tuple(1 << _turned(square, quarters, mirrored=mirrored) for square in SQUARES)
    for quarters in range(4)
    for mirrored in (False, True)
)
"""For each way to turn the board: by square, the set of the one square it comes to lie on."""


def likeness(position: YonmoquePosition) -> Hashable:
    """Return what is the same for all positions that are alike. Colours differ in how they move over the squares."""
    blue, white = map(members, position.pieces)
    arranged = min((sum(way[s] for s in blue), sum(way[s] for s in white)) for way in _WAYS)
    return arranged, position.side, position.hands
