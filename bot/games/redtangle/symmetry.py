"""Which positions of Redtangle are alike: in a mirror, and with the board upside down and the colours exchanged."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from bot.games.redtangle.pieces import DIRECTIONS, EMPTY_BOARD, PIECES, Piece
from bot.games.redtangle.rules import RedtanglePosition
from bot.games.redtangle.setup import SetUpPosition

_SIDE: Final = 8


def _reflected(piece: Piece, owner: int, turn: int) -> Piece:
    """Return a piece as a mirror shows it in which direction ``d`` becomes ``turn - d``: 0 across, 2 up and down.

    What was clockwise is not any more, so the last of its own sides becomes the first.
    """
    if piece.first is None:
        return Piece(owner, piece.kind, None)
    last = piece.first + piece.kind - 1
    return Piece(owner, piece.kind, (turn - last) % len(DIRECTIONS))


_MIRRORED: Final = bytes([0, *(_reflected(piece, piece.owner, 0).code for piece in PIECES)])
_EXCHANGED: Final = bytes([0, *(_reflected(piece, 1 - piece.owner, 2).code for piece in PIECES)])
"""By the code of a piece: the code of what it becomes."""


def likeness(position: RedtanglePosition | SetUpPosition) -> Hashable:
    """Return what is the same for all positions that are alike."""
    playing = isinstance(position, RedtanglePosition)
    now = (position.board, position.side)
    turned = (_exchanged(position.board), 1 - position.side)
    mirrored = ((_mirrored(board), side) for board, side in (now, turned))
    return playing, min(now, turned, *mirrored)


def _mirrored(board: bytes) -> bytes:
    ranks = (board[start : start + _SIDE][::-1] for start in range(0, len(EMPTY_BOARD), _SIDE))
    return bytes(_MIRRORED[code] for rank in ranks for code in rank)


def _exchanged(board: bytes) -> bytes:
    ranks = [board[start : start + _SIDE] for start in range(0, len(EMPTY_BOARD), _SIDE)]
    return bytes(_EXCHANGED[code] for rank in reversed(ranks) for code in rank)
