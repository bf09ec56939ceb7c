"""The reasons why a move is illegal, for the player, in the game's terms. ``generation`` decides legality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from bot.games.redtangle.generation import PREY, row_length, without
from bot.games.redtangle.moves import RAYS, Jump, Pass, PlayMove, Turn, Walk, between, may_step, neighbours, origin_of
from bot.games.redtangle.pieces import (
    EQUIPMENT,
    RECTANGLES,
    SQUARES,
    Piece,
    piece_on,
)
from renderers.i18n import COMMA, LazyJoin, LazyText
from renderers.i18n import gettext_lazy as _

_NOT_YOURS: Final = (
    _("the piece on {square} is Black's: you play White"),
    _("the piece on {square} is White's: you play Black"),
)
"""By the seat that is told."""
_SAME_COLOUR: Final = (
    _("the side of {square} that faces your piece is white, like the side you jump with: it cannot be jumped"),
    _("the side of {square} that faces your piece is black, like the side you jump with: it cannot be jumped"),
)
"""By the colour of both sides."""


def why_no_set_up(pieces: tuple[Piece, ...]) -> LazyText | None:
    """Return why a list of pieces is no set-up, or None if it is one."""
    have, need = Counter(piece.kind for piece in pieces), Counter(EQUIPMENT)
    if have == need:
        return None
    many, missing = sorted((have - need).elements()), sorted((need - have).elements())
    if not missing:
        return _("a set-up has the eight pieces 0, 1, 1, 2, 2, 2, 3 and 4; too many: {many}", many=_listed(many))
    if not many:
        return _(
            "a set-up has the eight pieces 0, 1, 1, 2, 2, 2, 3 and 4; missing: {missing}", missing=_listed(missing)
        )
    return _(
        "a set-up has the eight pieces 0, 1, 1, 2, 2, 2, 3 and 4; too many: {many}; missing: {missing}",
        many=_listed(many),
        missing=_listed(missing),
    )


def _listed(kinds: Iterable[int]) -> str:
    return LazyJoin(COMMA, map(str, kinds))


def why_illegal(board: bytes, seat: int, move: PlayMove) -> LazyText:
    """Return why ``seat`` cannot play ``move`` on ``board``. The move must be illegal."""
    if isinstance(move, Pass):
        return _("you may pass only if you have no other move")
    origin = origin_of(move)
    piece = piece_on(board, origin)
    if piece is None:
        return _("{square} is empty: there is no piece to move", square=SQUARES[origin])
    if piece.owner != seat:
        return _NOT_YOURS[seat].filled(square=SQUARES[origin])
    match move:
        case Walk():
            return _why_no_walk(board, piece, move)
        case Turn(square):
            if piece.first is None:
                return _cannot_turn(piece, SQUARES[square])
            # Translators: {piece} is how a piece is written, such as 2N.
            said = _("the piece on {square} already lies as {piece}: a turn must change what is seen")
            return said.filled(square=SQUARES[square], piece=piece.text)
        case Jump():
            return _why_no_jump(board, piece, move)


def _why_no_walk(board: bytes, piece: Piece, move: Walk) -> LazyText:
    here, there = SQUARES[move.origin], SQUARES[move.target]
    if move.origin == move.target:
        return _("the piece already stands on {square}; a turn on the spot is written {square}@E", square=here)
    if move.target not in neighbours(move.origin):
        return _(
            "{target} is not next to {origin}: a step goes to a neighbouring square, "
            "and a jump is written {origin}x{target}",
            target=there,
            origin=here,
        )
    if board[move.target]:
        return _("{square} is occupied: a step goes to an empty square", square=there)
    if not may_step(piece.owner, move.origin, move.target):
        return _(
            "the opponent's red rectangle cannot be entered diagonally, and {origin}-{target} is a diagonal step",
            origin=here,
            target=there,
        )
    return _cannot_turn(piece, here)


def _cannot_turn(piece: Piece, square: str) -> LazyText:
    # Translators: {piece} is what a piece is called, a number.
    said = _("the {piece} on {square} looks the same from every side: it cannot be turned")
    return said.filled(piece=piece.kind, square=square)


def _why_no_jump(board: bytes, piece: Piece, move: Jump) -> LazyText:
    emptied = without(board, move.stops[0])
    jumped: set[int] = set()
    for here, there in pairwise(move.stops):
        reason = _why_no_leap(emptied, piece, here, there, jumped)
        if reason:
            return reason
        jumped.update(between(here, there))
    assert move.off is not None, "a chain of legal jumps is legal"
    last = move.stops[-1]
    if last in RECTANGLES[1 - piece.owner]:
        return _over(last)
    row = RAYS[last][move.off]
    blocked = _why_blocked(emptied, piece, row, move.off, jumped)
    return blocked or _("{square} is on that edge: there is no piece to jump over", square=SQUARES[last])


def _over(square: int) -> LazyText:
    return _(
        "the move is over as soon as the piece stands on {square}, in the opponent's red rectangle",
        square=SQUARES[square],
    )


def _why_no_leap(board: bytes, piece: Piece, here: int, there: int, jumped: set[int]) -> LazyText | None:
    """Return why one jump from ``here`` to ``there`` is illegal after others over ``jumped`` pieces, or None."""
    start, end = SQUARES[here], SQUARES[there]
    if here in RECTANGLES[1 - piece.owner]:
        return _over(here)
    direction = next((number for number, ray in enumerate(RAYS[here]) if there in ray), None)
    if direction is None:
        return _(
            "{target} does not lie straight ahead, behind, left or right of {origin}: jumps go in those directions",
            target=end,
            origin=start,
        )
    row = between(here, there)
    if not row:
        return _("{target} is next to {origin}: there is no piece in between to jump over", target=end, origin=start)
    return _why_blocked(board, piece, row, direction, jumped) or (
        _("{square} is occupied: a jump ends on the empty square right behind the row", square=end)
        if board[there]
        else None
    )


def _why_blocked(board: bytes, piece: Piece, row: tuple[int, ...], direction: int, jumped: set[int]) -> LazyText | None:
    """Return why ``piece`` cannot jump over every square of ``row``, the nearest first, or None if it can."""
    length = row_length(board, PREY[piece.code][direction], row, jumped)
    if length == len(row):
        return None
    square = row[length]
    name, blocker = SQUARES[square], piece_on(board, square)
    if blocker is None:
        return _("{square} is empty: a jump goes over an unbroken row of pieces and lands right behind it", square=name)
    if blocker.owner == piece.owner:
        return _("the piece on {square} is your own: it cannot be jumped", square=name)
    if square in jumped:
        return _(
            "the piece on {square} has already been jumped in this move: it stays and blocks until the move is over",
            square=name,
        )
    return _SAME_COLOUR[piece.colour_of_side(direction)].filled(square=name)
