"""Redo as text: turns as people type them, and arrangements in a line like chess's FEN. Knows no rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.games.game import PASS, IllegalMove
from bot.games.redo.board import FILES, PLACES, RANKS, RED, STRIDE, WHITE
from renderers.i18n import gettext_lazy as _

_SIGNS: Final = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "×": "x"})
_FORM: Final = re.compile(r"([a-z][0-9]{1,2})([-x]?)([a-z][0-9]{1,2})(\+?)")
_LETTERS: Final = ("wW", "rR")
"""By seat: a disc and a tower."""
_SIDES: Final = "wr"
_RANK: Final = (1 << STRIDE) - 1
_KEPT: Final = 4096
"""Ranks remembered in each direction: a game's history repeats a few of them often."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A turn as typed: from where to where, and whether the text calls it a jump or a promotion. It may be illegal."""

    origin: int
    target: int
    jump: bool
    promotion: bool


def read(text: str) -> Typed | None:
    """Return the turn ``text`` names, legal or not, or None for a pass.

    Case, spaces, kinds of dashes and missing signs make no difference. Raises ``IllegalMove`` for malformed text.
    """
    tidy = "".join(text.split()).casefold().translate(_SIGNS)
    if tidy == PASS:
        return None
    form = _FORM.fullmatch(tidy)
    if form is None:
        raise IllegalMove(
            _("a turn is two squares, such as c2-c3, a promotion such as c1-c2+, or a jump such as c4xc6")
        )
    origin, sign, target, plus = form.groups()
    return Typed(_square(origin), _square(target), sign == "x", plus == "+")


def _square(name: str) -> int:
    if name not in PLACES:
        raise IllegalMove(_("there is no square {name}: files go from a to g, ranks from 1 to 8", name=name))
    return PLACES[name]


def letter(owner: int, tower: bool) -> str:
    """Return the letter of a piece: ``w`` and ``r`` are discs, ``W`` and ``R`` towers."""
    return _LETTERS[owner][tower]


def write_board(pieces: tuple[int, int], towers: int) -> str:
    """Return an arrangement rank by rank from the eighth down; digits are empty squares."""
    white, red = pieces
    shifts = range((RANKS - 1) * STRIDE, -1, -STRIDE)
    return "/".join([_write_rank(white >> by & _RANK, red >> by & _RANK, towers >> by & _RANK) for by in shifts])


@lru_cache(_KEPT)
def _write_rank(white: int, red: int, towers: int) -> str:
    text, gap = "", 0
    for square in (1 << file for file in range(FILES)):
        if not (white | red) & square:
            gap += 1
            continue
        owner = WHITE if white & square else RED
        text += f"{gap or ''}{letter(owner, bool(towers & square))}"
        gap = 0
    return f"{text}{gap or ''}"


def read_board(text: str) -> tuple[tuple[int, int], int]:
    """Restore the pieces and towers that ``write_board`` wrote. Raises ``ValueError`` for other texts."""
    white = red = towers = 0
    ranks = text.split("/")
    if len(ranks) != RANKS:
        raise ValueError("an arrangement has eight ranks")
    for rank in ranks:
        on_rank = _read_rank(rank)
        white, red, towers = (above << STRIDE | on for above, on in zip((white, red, towers), on_rank, strict=True))
    return (white, red), towers


@lru_cache(_KEPT)
def _read_rank(text: str) -> tuple[int, int, int]:
    if not re.fullmatch(r"[wWrR1-7]{1,7}", text):
        raise ValueError("a rank is written with w, W, r, R and numbers of empty squares")
    letters = "".join("." * int(sign) if sign.isdigit() else sign for sign in text)
    if len(letters) != FILES:
        raise ValueError("a rank has seven squares")
    white, red, towers = (
        sum(1 << file for file, sign in enumerate(letters) if sign in signs) for signs in (*_LETTERS, "WR")
    )
    return white, red, towers


def write_side(side: int) -> str:
    """Return the letter of a seat."""
    return _SIDES[side]


def read_side(text: str) -> int:
    """Return the seat of a letter. Raises ``ValueError`` for anything else."""
    if text not in ("w", "r"):
        raise ValueError("the side to move is w or r")
    return WHITE if text == "w" else RED
