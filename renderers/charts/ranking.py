"""Rankings as pictures: who is first, with a bar for how much, in the type and colours of the boards.

Knows nothing of ratings: a row is a rank, a name, a value and its share of the longest bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST
from renderers.pixels.lettering import MISSING, Weight, draw_text, drawable, text_width, truncated
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.rounded import rounded_rectangle
from renderers.pixels.theme import Theme, theme_named
from renderers.scene import Colour

MOST_ROWS = 12
_MARGIN, _ROW, _GAP = 26, 66, 8
_TITLE, _TEXT = 34, 30
_RANK_ROOM, _NAME_SHARE = 64, 0.36
_BAR = 18


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a ranking. ``share`` (0 to 1) is the length of its bar; ``own`` highlights the reader's line."""

    rank: int
    name: str
    value: str
    share: float
    own: bool = False


def bar_share(value: float, values: Sequence[float], *, from_zero: bool) -> float:
    """Return the length of the bar of ``value``, one of ``values``; the highest has 1.

    Counts begin at zero. On a scale without a zero, such as ratings, the lowest is a quarter as long as the highest.
    """
    low, high = min(values), max(values)
    begin = 0.0 if from_zero else low - (high - low) / 3
    return (value - begin) / (high - begin) if high > begin else 1.0


def png(rows: Sequence[Row], title: str = "", theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    """Return a ranking as a PNG file. Raises ``ValueError`` for no row or more than ``MOST_ROWS``."""
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ValueError(f"a ranking shows 1 to {MOST_ROWS} rows, not {len(rows)}")
    colours, scale = theme_named(theme), width / FULL_WIDTH
    margin, top = round(_MARGIN * scale), round(_MARGIN * scale)
    head = round(_TITLE * 1.9 * scale) if title else 0
    height = 2 * margin + head + round((len(rows) * (_ROW + _GAP) - _GAP) * scale)
    picture = palette(colours).image((width, height), colours.background)
    if title:
        size = round(_TITLE * scale)
        text = truncated(drawable(title), size, Weight.BOLD, width - 2 * margin)
        draw_text(
            picture, colours, (margin, top + size // 2), text, size, Weight.BOLD, colours.text, colours.background
        )
    value_room = max(text_width(drawable(row.value), round(_TEXT * scale), Weight.BOLD) for row in rows)
    for at, row in enumerate(rows):
        upper = top + head + round(at * (_ROW + _GAP) * scale)
        _draw_row(picture, colours, row, (margin, upper, width - margin), value_room, scale)
    return encode(picture)


def _draw_row(
    picture: Image.Image, theme: Theme, row: Row, place: tuple[int, int, int], value_room: int, scale: float
) -> None:
    """Draw a row between its left end, upper edge and right end."""
    left, upper, right = place
    lower, size = upper + round(_ROW * scale), round(_TEXT * scale)
    background = theme.panel if row.own else theme.background
    if row.own:
        rounded_rectangle(picture, theme, (left, upper, right, lower), round(12 * scale), theme.panel, theme.background)
    pad, middle = round(16 * scale), (upper + lower) // 2
    weight = Weight.BOLD if row.own else Weight.MEDIUM
    draw_text(picture, theme, (left + pad, middle), str(row.rank), size, Weight.BOLD, theme.muted, background)
    name_at = left + pad + round(_RANK_ROOM * scale)
    name_room = round((right - left) * _NAME_SHARE)
    name = truncated(drawable(row.name) or MISSING, size, weight, name_room)
    draw_text(picture, theme, (name_at, middle), name, size, weight, theme.text, background)
    value = drawable(row.value)
    value_at = right - pad - text_width(value, size, Weight.BOLD)
    draw_text(picture, theme, (value_at, middle), value, size, Weight.BOLD, theme.text, background)
    bar_left = name_at + name_room + pad
    bar_right = right - 2 * pad - value_room
    half, radius = round(_BAR * scale / 2), round(_BAR * scale / 2)
    track = theme.background if row.own else theme.panel
    rounded_rectangle(picture, theme, (bar_left, middle - half, bar_right, middle + half), radius, track, background)
    filled = bar_left + round((bar_right - bar_left) * min(max(row.share, 0.06), 1.0))
    face = theme.look(Colour.SEAT2 if row.own else Colour.SEAT1).face
    rounded_rectangle(picture, theme, (bar_left, middle - half, filled, middle + half), radius, face, track)
