"""Rankings as pictures: who is first, with a bar for how much, in the type and colours of the boards.

Knows nothing of ratings: a row is a rank, a name, a value and its share of the longest bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from renderers.pixels.canvas import rounded_rectangle
from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST
from renderers.pixels.lettering import MISSING, Weight, draw_text, drawable, text_width, truncated
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.theme import RGB, Theme, theme_named
from renderers.scene import Colour

MOST_ROWS = 12
_MARGIN, _ROW, _GAP = 26, 84, 8
_TITLE, _TEXT, _SMALL = 34, 31, 24
_RANK_ROOM, _NAME_SHARE = 64, 0.46
_BAR = 18
MEDAL = 44
"""The width of the disc of a rank."""
_MEDALS = {1: Colour.GOLD, 2: Colour.PLAIN, 3: Colour.WOOD}
"""The colours of the discs of the first three ranks; the number on them says the same."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a ranking. ``share`` (0 to 1) is the length of its bar; ``own`` highlights the reader's line.

    ``words`` stand in small below the name.
    """

    rank: int
    name: str
    value: str
    share: float
    own: bool = False
    words: str = ""


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
        _draw_row(
            picture, colours, row, (margin, upper, width - margin, upper + round(_ROW * scale)), value_room, scale
        )
    return encode(picture)


def _draw_row(
    picture: Image.Image, theme: Theme, row: Row, box: tuple[int, int, int, int], value_room: int, scale: float
) -> None:
    left, upper, right, lower = box
    size, small = round(_TEXT * scale), round(_SMALL * scale)
    pad, middle = round(16 * scale), (upper + lower) // 2
    background = theme.panel if row.own else theme.background
    if row.own:
        rounded_rectangle(picture, theme, box, round(14 * scale), theme.panel, theme.background)
    draw_rank(picture, theme, row.rank, (left + pad + round(MEDAL * scale / 2), middle), background, scale)
    name_at = left + pad + round(_RANK_ROOM * scale)
    name_room = round((right - left) * _NAME_SHARE)
    weight = Weight.BOLD if row.own or row.rank in _MEDALS else Weight.MEDIUM
    name = truncated(drawable(row.name) or MISSING, size, weight, name_room)
    name_middle = middle - (round(16 * scale) if row.words else 0)
    draw_text(picture, theme, (name_at, name_middle), name, size, weight, theme.text, background)
    words = truncated(drawable(row.words), small, Weight.MEDIUM, name_room)
    words_place = name_at, middle + round(20 * scale)
    draw_text(picture, theme, words_place, words, small, Weight.MEDIUM, theme.muted, background, letters_only=True)
    value = drawable(row.value)
    value_at = right - pad - text_width(value, size, Weight.BOLD)
    draw_text(picture, theme, (value_at, middle), value, size, Weight.BOLD, theme.text, background)
    bar_left, bar_right = name_at + name_room + pad, right - 2 * pad - value_room
    radius = round(_BAR * scale / 2)
    track = theme.background if row.own else theme.panel
    rounded_rectangle(
        picture, theme, (bar_left, middle - radius, bar_right, middle + radius), radius, track, background
    )
    filled = bar_left + round((bar_right - bar_left) * min(max(row.share, 0.06), 1.0))
    face = theme.look(Colour.SEAT2 if row.own else Colour.SEAT1).face
    rounded_rectangle(picture, theme, (bar_left, middle - radius, filled, middle + radius), radius, face, track)


def draw_rank(
    picture: Image.Image, theme: Theme, rank: int, centre: tuple[int, int], background: RGB, scale: float
) -> None:
    """Draw a rank; the first three are on a disc."""
    (x, middle), disc, size = centre, round(MEDAL * scale / 2), round(_TEXT * scale)
    ink, ground = theme.muted, background
    if medal := _MEDALS.get(rank):
        ink, ground = theme.look(medal).ink, theme.tile(medal) if medal is Colour.WOOD else theme.look(medal).face
        rounded_rectangle(picture, theme, (x - disc, middle - disc, x + disc, middle + disc), disc, ground, background)
    left = x - text_width(str(rank), size, Weight.BOLD) // 2
    draw_text(picture, theme, (left, middle), str(rank), size, Weight.BOLD, ink, ground, letters_only=True)
