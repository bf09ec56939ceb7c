"""Rectangles of Distinction as text: typed turns and the rectangles they mean. Knows no position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.games.game import IllegalMove
from bot.games.rectangles.board import STUCK, Board, Dot, Turn
from renderers.i18n import gettext_lazy as _

_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−,;", "-"))
_FORM: Final = re.compile(r"[a-z][0-9]{1,2}(?:-?[a-z][0-9]{1,2}){1,2}")


def tidy(text: str) -> str:
    """Return typed text in lower case, without spaces and with plain dashes."""
    return "".join(text.split()).casefold().translate(_DASHES)


def read(text: str, board: Board) -> Turn:
    """Return the rectangle that ``text`` means, legal or not, or the claim to be stuck.

    Raises ``IllegalMove`` for other texts, and for dots or rectangles off the board.
    """
    typed = tidy(text)
    if typed == STUCK.text:
        return STUCK
    if not _FORM.fullmatch(typed):
        raise IllegalMove(
            _("a turn is two opposite corners of a rectangle, such as a1-c4, three of its corners, or stuck")
        )
    names = re.findall(r"[a-z][0-9]+", typed)
    last = f"{board.dots[-1]}"
    for name in names:
        if name not in board.names:
            raise IllegalMove(
                _(
                    "there is no dot {name}: files go from a to {last}, ranks from 1 to {size}",
                    name=name,
                    last=last[0],
                    size=board.size,
                )
            )
    return rectangle([board.names[name] for name in names], board)


def rectangle(named: Sequence[Dot], board: Board) -> Turn:
    """Return the rectangle with these two opposite corners if it is upright, or with these three.

    Raises ``IllegalMove`` if this board has no such rectangle.
    """
    corners = _opposite(*named) if len(named) == 2 else _three(*named)
    if corners in board.by_corners:
        return board.by_corners[corners]
    if corners <= set(board.dots):
        raise IllegalMove(_("that rectangle is tilted: in this game the sides run along the grid"))
    raise IllegalMove(_("the fourth corner of that rectangle lies off the board"))


def in_line(first: Dot, second: Dot) -> bool:
    """Tell whether two dots share a file or a rank, so that they are not opposite corners of an upright rectangle."""
    return first.file == second.file or first.rank == second.rank


def _opposite(first: Dot, second: Dot) -> frozenset[Dot]:
    if first == second:
        raise IllegalMove(_("{first} is named twice", first=first))
    if in_line(first, second):
        raise IllegalMove(
            _(
                "{first} and {second} are on one line: name two opposite corners, or three corners",
                first=first,
                second=second,
            )
        )
    return frozenset({first, second, Dot(first.file, second.rank), Dot(second.file, first.rank)})


def _three(*named: Dot) -> frozenset[Dot]:
    for at, corner in enumerate(named):
        first, second = named[:at] + named[at + 1 :]
        if corner in (first, second):
            raise IllegalMove(_("{corner} is named twice", corner=corner))
        right, up = first.file - corner.file, first.rank - corner.rank
        across, along = second.file - corner.file, second.rank - corner.rank
        if right * across + up * along == 0:
            return frozenset({*named, Dot(first.file + across, first.rank + along)})
    raise IllegalMove(
        _(
            "{first}, {second} and {third} make no right angle: no rectangle has these corners",
            first=named[0],
            second=named[1],
            third=named[2],
        )
    )
