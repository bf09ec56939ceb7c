"""Positions of Yonmoque drawn in letters."""

from __future__ import annotations

from bot.games.yonmoque.board import NAMES
from bot.games.yonmoque.rules import YonmoquePosition, decode


def board(picture: str, side: str = "b", hands: str | None = None) -> YonmoquePosition:
    """Return the position of five ranks from the fifth down: ``b`` blue, ``w`` white, ``.`` empty.

    ``hands`` is ``blue,white``; the pieces that are not on the board are shared out if it is not given.
    """
    ranks = picture.split()
    in_hand = 12 - sum(letter in "bw" for letter in "".join(ranks))
    blue = min(6, (in_hand + 1) // 2)
    written = "/".join(ranks)
    for empty in range(5, 0, -1):
        written = written.replace("." * empty, str(empty))
    return decode(f"{written} {side} {hands or f'{blue},{in_hand - blue}'} - -")


def after(position: YonmoquePosition, moves: str) -> YonmoquePosition:
    """Return the position after ``moves``, with spaces between them."""
    for text in moves.split():
        position = position.play(position.parse(text))
    return position


def game(moves: str) -> YonmoquePosition:
    """Return the position after ``moves`` from the start."""
    return after(YonmoquePosition(), moves)


def squares(position: YonmoquePosition, seat: int) -> str:
    """Return the names of the squares a seat occupies."""
    return " ".join(name for number, name in enumerate(NAMES) if position.pieces[seat] >> number & 1)


def texts(position: YonmoquePosition) -> set[str]:
    """Return the texts of the legal moves."""
    return {str(move) for move in position.legal_moves()}
