"""Positions for tests, written as people would tell them: ``position("c3 w2E, d3 b0")``."""

from __future__ import annotations

from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.notation import write_board
from bot.games.redtangle.pieces import PIECE_TEXTS, SQUARE_NUMBERS
from bot.games.redtangle.rules import RedtanglePosition

OUT_OF_THE_WAY = "a1 w0, h8 b0"
"""A piece a side in the corners, so that no test meets the end of the game by chance."""


def board(pieces: str) -> bytes:
    """Return the board with ``pieces``, such as ``c3 w2E, d3 b0``."""
    squares = bytearray(64)
    for item in pieces.split(","):
        square, piece = item.split()
        squares[SQUARE_NUMBERS[square]] = PIECE_TEXTS["wb".index(piece[0]), piece[1:]].code
    return bytes(squares)


def position(pieces: str, side: str = "w", quiet: int = 0) -> RedtanglePosition:
    """Return the position with ``pieces`` and ``side`` to move, with nothing played before."""
    found = REDTANGLE.decode(f"{write_board(board(pieces))} {side} {quiet} -")
    assert isinstance(found, RedtanglePosition)
    return found


def texts(found: RedtanglePosition, begin: str = "") -> set[str]:
    """Return the legal moves whose text begins with ``begin``."""
    return {text for text in map(str, found.legal_moves()) if text.startswith(begin)}


def after(found: RedtanglePosition, *moves: str) -> RedtanglePosition:
    """Return the position after ``moves``."""
    for text in moves:
        found = found.play(found.parse(text))
    return found
