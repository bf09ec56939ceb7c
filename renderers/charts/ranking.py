"""Rankings as pictures: who is first and by how much, in the type and colours of the boards.

Knows nothing of ratings: a row is a rank, a name, a value, and where that stands on the scale of all: as a bar from
zero, or as a dot with a line for how uncertain it is.
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
    """One line of a ranking. ``own`` highlights the reader's line, and ``words`` stand in small below the name.

    ``share`` (0 to 1) is the length of the bar or, with ``spread``, where the dot is: ``spread`` of the scale lies on
    either side of it.
    """

    rank: int
    name: str
    value: str
    share: float
    own: bool = False
    words: str = ""
    spread: float | None = None


def spread_shares(values: Sequence[float], deviations: Sequence[float]) -> list[tuple[float, float]]:
    """Return the share and the spread of each value on a scale on which all of them fit with their deviations."""
    low = min(value - deviation for value, deviation in zip(values, deviations, strict=True))
    high = max(value + deviation for value, deviation in zip(values, deviations, strict=True))
    length = (high - low) or 1.0
    return [((value - low) / length, deviation / length) for value, deviation in zip(values, deviations, strict=True)]


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
    track, face = (
        theme.background if row.own else theme.panel,
        theme.look(Colour.SEAT2 if row.own else Colour.SEAT1).face,
    )

    def strip(first: float, last: float, half: int, colour: RGB, around: RGB) -> None:
        """Draw a strip from one share of the scale to another, ``half`` as thick on either side."""
        ends = (bar_left + round((bar_right - bar_left) * min(max(share, 0.0), 1.0)) for share in (first, last))
        start, end = ends
        rounded_rectangle(picture, theme, (start, middle - half, end, middle + half), half, colour, around)

    if row.spread is None:
        strip(0, 1, radius, track, background)
        strip(0, max(row.share, 0.06), radius, face, track)
        return
    thin, dot = max(radius // 3, 1), radius / max(bar_right - bar_left, 1)
    strip(0, 1, thin, track, background)
    strip(row.share - row.spread, row.share + row.spread, thin, theme.muted, background)
    at = min(max(row.share, dot), 1 - dot)
    strip(at - dot, at + dot, radius, face, background)


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
