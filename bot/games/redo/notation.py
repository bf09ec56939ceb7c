"""Redo as text: turns as people type them, and arrangements in a line like chess's FEN. Knows no rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.games.game import PASS, IllegalMove
from bot.games.redo.board import FILES, PLACES, RANKS, RED, SEATS, STRIDE, WHITE, bit

_LONGEST: Final = 40
_SIGNS: Final = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "×": "x"})
_FORM: Final = re.compile(r"([a-z][0-9]{1,2})([-x]?)([a-z][0-9]{1,2})(\+?)")
_LETTERS: Final = ("wW", "rR")
"""By seat: a disc and a tower."""
_SIDES: Final = "wr"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player typed: from where to where, and whether he called it a jump or a promotion. Not yet judged."""

    origin: int
    target: int
    jump: bool
    promotion: bool


def read(text: str) -> Wish | None:
    """Return what ``text`` says, or None for a pass, whether it is legal or not.

    Forgives case, spaces, other dashes and missing signs. Raises ``IllegalMove`` for what is no turn in form.
    """
    tidy = "".join(text.split()).casefold().translate(_SIGNS) if len(text) <= _LONGEST else ""
    if tidy == PASS:
        return None
    form = _FORM.fullmatch(tidy)
    if form is None:
        raise IllegalMove("a turn is two squares, such as c2-c3, a promotion such as c1-c2+, or a jump such as c4xc6")
    origin, sign, target, plus = form.groups()
    return Wish(_square(origin), _square(target), sign == "x", plus == "+")


def _square(name: str) -> int:
    if name not in PLACES:
        raise IllegalMove(f"there is no square {name}: files go from a to g, ranks from 1 to 8")
    return PLACES[name]


def letter(pieces: tuple[int, int], towers: int, square: int) -> str:
    """Return what stands on a square: ``w`` and ``r`` for discs, ``W`` and ``R`` for towers, ``.`` for nothing."""
    owner = next((seat for seat in SEATS if pieces[seat] & square), None)
    return "." if owner is None else _LETTERS[owner][bool(towers & square)]


def write_board(pieces: tuple[int, int], towers: int) -> str:
    """Return an arrangement rank by rank from the eighth down; digits are empty squares."""
    ranks = []
    for rank in reversed(range(RANKS)):
        letters = "".join(letter(pieces, towers, bit(file, rank)) for file in range(FILES))
        ranks.append(re.sub(r"\.+", lambda gap: str(len(gap.group())), letters))
    return "/".join(ranks)


def read_board(text: str) -> tuple[tuple[int, int], int]:
    """Return the pieces and the towers of an arrangement ``write_board`` wrote. Raises ``ValueError`` for others."""
    if not re.fullmatch(r"[wWrR1-7]{1,7}(?:/[wWrR1-7]{1,7}){7}", text):
        raise ValueError("an arrangement has eight ranks of w, W, r, R and numbers of empty squares")
    ranks = [re.sub(r"[1-7]", lambda gap: "." * int(gap.group()), rank) for rank in reversed(text.split("/"))]
    if any(len(rank) != FILES for rank in ranks):
        raise ValueError("a rank has seven squares")
    # A dot stands for the wall at the end of each rank.
    letters = "".join(rank + "." * (STRIDE - FILES) for rank in ranks)
    white, red, towers = (
        sum(1 << at for at, sign in enumerate(letters) if sign in signs) for signs in (*_LETTERS, "WR")
    )
    return (white, red), towers


def write_side(side: int) -> str:
    """Return the letter of a seat."""
    return _SIDES[side]


def read_side(text: str) -> int:
    """Return the seat of a letter. Raises ``ValueError`` for anything else."""
    if text not in ("w", "r"):
        raise ValueError("the side to move is w or r")
    return WHITE if text == "w" else RED
