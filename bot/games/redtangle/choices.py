"""What is said of each choice on the way to a move: the piece, where it lands, how it lies. It decides no rule."""

from __future__ import annotations

from bot.games.game import Move, Step
from bot.games.redtangle.moves import RAYS, between
from bot.games.redtangle.pieces import (
    DIRECTIONS,
    RECTANGLES,
    SQUARE_NUMBERS,
    SQUARES,
    looks_in_arrows,
    looks_in_words,
    piece_on,
)


def step(board: bytes, seat: int, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
    """Describe the choice ``key`` after the choices ``prefix``; see ``Position.step``."""
    name = prefix[0] if prefix else key
    piece = piece_on(board, SQUARE_NUMBERS[name]) if name in SQUARE_NUMBERS else None
    if piece is None:
        return Step(key, "Pass: no piece can move", None, move)
    if not prefix:
        label = f"{key}: the {piece.kind}, {looks_in_words(piece, seat)}"
        return Step(key, label, key, move, f"{key} {looks_in_arrows(piece, seat)}")
    here, sign, end = prefix[-1][-2:], key[0], key[1:]
    if sign == "@":
        turned = piece.turned(DIRECTIONS.index(end))
        label = f"{here}, turned so that {looks_in_words(turned, seat)}"
        return Step(key, label, None, move, f"turn {looks_in_arrows(turned, seat)}")
    if sign == "x" and end in DIRECTIONS:
        row = RAYS[SQUARE_NUMBERS[here]][DIRECTIONS.index(end)]
        return Step(key, f"jump over {_names(row)} off the board", None, move, f"off x{len(row)}")
    row = between(SQUARE_NUMBERS[here], SQUARE_NUMBERS[end]) if sign == "x" else ()
    way = f"jump over {_names(row)} to {end}" if row else f"to {end}"
    wins = SQUARE_NUMBERS[end] in RECTANGLES[1 - seat]
    return Step(key, f"{way}, into the red rectangle" if wins else way, end, move, f"{end} x{len(row)}" if row else "")


def _names(squares: tuple[int, ...]) -> str:
    return ", ".join(SQUARES[square] for square in squares)
