"""Redtangle as text: typed moves, and boards in a line like chess's FEN. Knows no rule."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from bot.games.game import PASS, IllegalMove
from bot.games.redtangle.moves import PASS_MOVE, Jump, PlayMove, Turn, Walk
from bot.games.redtangle.pieces import (
    BLACK,
    DIRECTIONS,
    EQUIPMENT,
    PIECE_TEXTS,
    RECTANGLES,
    SQUARE_NUMBERS,
    WHITE,
    Piece,
    piece_on,
)
from renderers.i18n import gettext_lazy as _

OWNER_LETTERS: Final = "wb"

_LONGEST: Final = 120
"""More than twice the length of any move."""
_SIGNS: Final = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "×": "x"})

_WALK: Final = re.compile(r"([a-z][0-9]+)-([a-z][0-9]+)(?:@([nesw]))?")
_TURN: Final = re.compile(r"([a-z][0-9]+)@([nesw])")
_JUMP: Final = re.compile(r"[a-z][0-9]+(?:x[a-z][0-9]+)*(?:x[a-z][0-9]+|x[nesw])")
_PIECE: Final = re.compile(r"[0-9][a-z]*")

_BOARD_ITEM: Final = re.compile(r"([wb])([04]|[123][NESW])|([1-8])")


def tidied(text: str) -> str:
    """Return typed text without spaces, in lower case and with plain dashes.

    Raises ``IllegalMove`` for a text longer than any move.
    """
    if len(text) > _LONGEST:
        raise IllegalMove(_("that is too long for a move"))
    return "".join(text.casefold().translate(_SIGNS).split())


def read_move(text: str) -> PlayMove:
    """Return the move ``text`` names, legal or not. Raises ``IllegalMove`` for malformed text."""
    tidy = tidied(text)
    if tidy == PASS:
        return PASS_MOVE
    if form := _WALK.fullmatch(tidy):
        origin, target, first = form.groups()
        return Walk(_square(origin), _square(target), _direction(first) if first else None)
    if form := _TURN.fullmatch(tidy):
        return Turn(_square(form[1]), _direction(form[2]))
    if _JUMP.fullmatch(tidy):
        *stops, end = tidy.split("x")
        if end in "nesw":
            return Jump(tuple(map(_square, stops)), _direction(end))
        return Jump((*map(_square, stops), _square(end)))
    raise IllegalMove(_("a move is a step such as c2-c3 or c2-c3@E, a turn c2@E, or jumps such as c3xc5xe5 or b7xN"))


def _square(name: str) -> int:
    if name not in SQUARE_NUMBERS:
        raise IllegalMove(_("there is no square {square}: files go from a to h, ranks from 1 to 8", square=name[:8]))
    return SQUARE_NUMBERS[name]


def _direction(letter: str) -> int:
    return DIRECTIONS.index(letter.upper())


def read_arrangement(text: str, owner: int) -> tuple[Piece, ...]:
    """Return the pieces that ``text`` lists, any number, with or without commas, semicolons or spaces between them.

    Raises ``IllegalMove`` for any other text.
    """
    tidy = re.sub(r"[,;]+", "", tidied(text))
    if not tidy or re.sub(_PIECE, "", tidy):
        raise IllegalMove(_("a set-up is a list of eight pieces such as 2N or 4, joined by commas"))
    return tuple(_piece(name.upper(), owner) for name in _PIECE.findall(tidy))


def _piece(name: str, owner: int) -> Piece:
    if (owner, name) in PIECE_TEXTS:
        return PIECE_TEXTS[owner, name]
    kind = name[0]
    if kind not in "01234":
        raise IllegalMove(
            _("there is no piece {piece}: a piece is called by its number of own sides, 0 to 4", piece=kind)
        )
    if kind in "04":
        raise IllegalMove(_("a {piece} looks the same from every side: it is written without a direction", piece=kind))
    raise IllegalMove(
        _("a {piece} needs the direction of its first own side, N, E, S or W, such as {piece}N", piece=kind)
    )


def write_board(board: bytes) -> str:
    """Return a board rank by rank from the eighth down: ``w2E`` and ``b0`` are pieces, digits are empty squares."""
    return "/".join(_write_rank(board[8 * rank : 8 * rank + 8]) for rank in reversed(range(8)))


def _write_rank(codes: bytes) -> str:
    items, gap = [], 0
    for file in range(8):
        piece = piece_on(codes, file)
        gap += piece is None
        if gap and (piece is not None or file == 7):
            items.append(str(gap))
            gap = 0
        if piece is not None:
            items.append(OWNER_LETTERS[piece.owner] + piece.text)
    return "".join(items)


def read_board(text: str) -> bytes:
    """Return the board that ``write_board`` wrote. Raises ``ValueError`` for anything else."""
    ranks = [_read_rank(rank) for rank in text.split("/")]
    if len(ranks) != 8 or any(len(rank) != 8 for rank in ranks):
        raise ValueError("a board of Redtangle has eight ranks of eight squares")
    board = b"".join(reversed(ranks))
    if any(equipment(board, owner) - Counter(EQUIPMENT) for owner in (WHITE, BLACK)):
        raise ValueError("each player has the pieces 0, 1, 1, 2, 2, 2, 3 and 4, no more")
    return board


def _read_rank(text: str) -> bytes:
    codes: list[int] = []
    end = 0
    for item in _BOARD_ITEM.finditer(text):
        if item.start() != end:
            break
        end = item.end()
        letter, name, gap = item.groups()
        codes += [0] * int(gap) if gap else [PIECE_TEXTS[OWNER_LETTERS.index(letter), name].code]
    if end != len(text):
        raise ValueError("a rank is written with pieces such as w2E and b0 and numbers of empty squares")
    return bytes(codes)


def equipment(board: bytes, owner: int) -> Counter[int]:
    """Return how many pieces of each kind ``owner`` has on ``board``."""
    pieces = (piece_on(board, square) for square in range(64))
    return Counter(piece.kind for piece in pieces if piece is not None and piece.owner == owner)


def entered(board: bytes, owner: int) -> list[int]:
    """Return the squares of the opponent's rectangle on which ``owner`` has pieces."""
    pieces = ((square, piece_on(board, square)) for square in sorted(RECTANGLES[1 - owner]))
    return [square for square, piece in pieces if piece is not None and piece.owner == owner]
