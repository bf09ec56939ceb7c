"""Yonmoque as text: turns as people type them, and arrangements in a line like chess's FEN. Knows no rule."""

from __future__ import annotations

import re
from typing import Final

from bot.games.game import PASS, IllegalMove
from bot.games.yonmoque.board import NAMES, NUMBERS, SIZE, Turn
from renderers.i18n import gettext_lazy as _

_LONGEST: Final = 20
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_FORM: Final = re.compile(r"(?:([a-z][0-9]{1,2})-)?([a-z][0-9]{1,2})")
_LETTERS: Final = "bw"


def read(text: str) -> Turn:
    """Return the put or move ``text`` names, legal or not.

    Case, spaces and kinds of dashes make no difference. Raises ``IllegalMove`` for malformed text.
    """
    tidy = "".join(text.casefold().translate(_DASHES).split())
    if tidy == PASS:
        raise IllegalMove(_("a turn cannot be skipped: place a piece or move one"))
    form = _FORM.fullmatch(tidy) if len(tidy) <= _LONGEST else None
    if form is None:
        raise IllegalMove(_("a turn is a piece placed, such as c3, or a move, such as a1-b2"))
    origin, target = form.groups()
    return Turn(None if origin is None else _square(origin), _square(target))


def _square(name: str) -> int:
    if name not in NUMBERS:
        raise IllegalMove(_("there is no square {name}: files go from a to e, ranks from 1 to 5", name=name))
    return NUMBERS[name]


def write_pieces(pieces: tuple[int, int]) -> str:
    """Return an arrangement rank by rank from the fifth down: ``b`` and ``w`` are pieces, digits empty squares."""
    ranks, (blue, white) = [], pieces
    for rank in reversed(range(SIZE)):
        squares = range(rank * SIZE, (rank + 1) * SIZE)
        letters = "".join("b" if blue >> at & 1 else "w" if white >> at & 1 else "." for at in squares)
        ranks.append(re.sub(r"\.+", lambda gap: str(len(gap.group())), letters))
    return "/".join(ranks)


def read_pieces(text: str) -> tuple[int, int]:
    """Restore the arrangement that ``write_pieces`` wrote. Raises ``ValueError`` for other texts."""
    if not re.fullmatch(r"[bw1-5]{1,5}(?:/[bw1-5]{1,5}){4}", text):
        raise ValueError("an arrangement has five ranks of b, w and numbers of empty squares")
    ranks = [re.sub(r"[1-5]", lambda gap: "." * int(gap.group()), rank) for rank in reversed(text.split("/"))]
    if any(len(rank) != SIZE for rank in ranks):
        raise ValueError("a rank has five squares")
    letters = "".join(ranks)
    blue, white = (sum(1 << square for square in range(len(NAMES)) if letters[square] == seat) for seat in _LETTERS)
    return blue, white


def write_side(side: int) -> str:
    """Return the letter of a seat."""
    return _LETTERS[side]


def read_side(text: str) -> int:
    """Return the seat of a letter. Raises ``ValueError`` for anything else."""
    if text not in ("b", "w"):
        raise ValueError("the side to move is b or w")
    return _LETTERS.index(text)
