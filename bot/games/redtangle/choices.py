"""The labels of the choices of a move: the piece, its target, its rotation. Decides no rule."""

from __future__ import annotations

from typing import Final

from bot.games.game import Move, Step
from bot.games.redtangle.moves import RAYS, between
from bot.games.redtangle.pieces import (
    AS_SEEN,
    BLACK,
    DIRECTIONS,
    RECTANGLES,
    SQUARE_NUMBERS,
    SQUARES,
    lies_in_words,
    own_sides,
    piece_on,
    placed_in_words,
)
from renderers.i18n import COMMA, LazyJoin, LazyText
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

_TURNED: Final = (
    _("{square}, turned so that white faces {sides}"),
    _("{square}, turned so that black faces {sides}"),
)


def step(board: bytes, seat: int, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
    """Describe the choice ``key`` after the choices ``prefix``; see ``Position.step``."""
    name = prefix[0] if prefix else key
    piece = piece_on(board, SQUARE_NUMBERS[name]) if name in SQUARE_NUMBERS else None
    if piece is None:
        return Step(key, _("Pass: no piece can move"), None, move)
    if not prefix:
        return Step(key, placed_in_words(key, piece, seat), key, move)
    here, sign, end = prefix[-1][-2:], key[0], key[1:]
    if sign == "@":
        turned = piece.turned(DIRECTIONS.index(end))
        label = _TURNED[turned.owner].filled(square=here, sides=own_sides(turned, seat))
        # Translators: on a button: {lies} is "white faces up and right".
        return Step(key, label, None, move, _("Turn: {lies}", lies=lies_in_words(turned, seat)))
    if sign == "x" and end in DIRECTIONS:
        row = RAYS[SQUARE_NUMBERS[here]][DIRECTIONS.index(end)]
        label = _("jump over {squares} off the board", squares=_names(row))
        seen = AS_SEEN[(DIRECTIONS.index(end) + (2 if seat == BLACK else 0)) % 4]
        # Translators: on a button: a jump off the board in a direction, "Off the board: up".
        return Step(key, label, None, move, _("Off the board: {direction}", direction=seen))
    row = between(SQUARE_NUMBERS[here], SQUARE_NUMBERS[end]) if sign == "x" else ()
    if not row:
        return Step(key, _way(row, end, seat), end, move)
    # Translators: on a button: a jump to a square over so many pieces, "e5, taking 2".
    short = _n("{square}, taking {n}", "{square}, taking {n}", len(row), square=end)
    return Step(key, _way(row, end, seat), end, move, short)


def _way(row: tuple[int, ...], end: str, seat: int) -> LazyText:
    """Return the target of a piece, the squares it jumps over, and whether it wins, in words."""
    wins = SQUARE_NUMBERS[end] in RECTANGLES[1 - seat]
    if row and wins:
        return _("jump over {squares} to {end}, into the red rectangle", squares=_names(row), end=end)
    if row:
        return _("jump over {squares} to {end}", squares=_names(row), end=end)
    if wins:
        return _("to {square}, into the red rectangle", square=end)
    return _("to {square}", square=end)


def _names(squares: tuple[int, ...]) -> str:
    return LazyJoin(COMMA, [SQUARES[square] for square in squares])
