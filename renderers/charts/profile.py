"""Profiles as pictures: how a person fares in each game, their last results, and a plot of their values below.

Knows nothing of ratings: a row is a name, a value, words and results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from renderers.charts import line_chart
from renderers.charts.line_chart import MARGIN, Chart
from renderers.pixels.canvas import rounded_rectangle
from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST
from renderers.pixels.lettering import MISSING, Weight, draw_text, drawable, text_width, truncated
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.theme import Theme, theme_named
from renderers.scene import SEATS, Colour

MOST_ROWS = line_chart.MOST_SERIES
MOST_RESULTS = 10
"""The last results that a row shows."""
_TITLE, _NAME, _VALUE, _SMALL = 40, 32, 38, 26
_ROW, _GAP, _PAD = 112, 10, 20
_PLOT = 460
_BAR, _BETWEEN, _REACH = 13, 9, 21
"""Width of the bar of a result, the room between two, and how far it reaches from their middle line."""


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One line of a profile. ``results`` are won (True), drawn (None) or lost (False), the oldest first.

    ``series`` is the number of the row's line in the plot, from 0.
    """

    name: str
    value: str
    words: str
    results: tuple[bool | None, ...]
    series: int | None = None


def png(
    name: str,
    rows: Sequence[ProfileRow],
    chart: Chart | None = None,
    theme: str = "dark",
    width: int = FULL_WIDTH,
) -> bytes:
    """Return a profile as a PNG file. Raises ``ValueError`` for no row or more than ``MOST_ROWS``."""
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ValueError(f"a profile shows 1 to {MOST_ROWS} rows, not {len(rows)}")
    colours, scale = theme_named(theme), width / FULL_WIDTH
    margin, size = round(MARGIN * scale), round(_TITLE * scale)
    top = margin + round(_TITLE * 1.6 * scale)
    row, gap = round(_ROW * scale), round(_GAP * scale)
    below = top + len(rows) * (row + gap)
    height = below + (round(_PLOT * scale) if chart else margin - gap)
    picture = palette(colours).image((width, height), colours.background)
    title = truncated(drawable(name) or MISSING, size, Weight.BOLD, width - 2 * margin)
    draw_text(
        picture, colours, (margin, margin + size // 2), title, size, Weight.BOLD, colours.text, colours.background
    )
    for at, profile_row in enumerate(rows):
        upper = top + at * (row + gap)
        _draw_row(picture, colours, profile_row, (margin, upper, width - margin, upper + row), scale)
    if chart:
        line_chart.draw_plot(picture, colours, chart.checked(), below + gap, scale)
    return encode(picture)


def _draw_row(
    picture: Image.Image, theme: Theme, row: ProfileRow, box: tuple[int, int, int, int], scale: float
) -> None:
    """Draw a tile: the name and the value above, the words and the last results below."""
    left, top, right, bottom = box
    rounded_rectangle(picture, theme, box, round(14 * scale), theme.panel, theme.background)
    pad, high = round(_PAD * scale), bottom - top
    upper, lower = top + round(high * 0.3), top + round(high * 0.73)
    name_at = left + pad
    if row.series is not None:
        name_at = line_chart.draw_sample(picture, theme, SEATS[row.series], (name_at + pad // 3, upper), scale)
    size = round(_VALUE * scale)
    value_at = right - pad - text_width(drawable(row.value), size, Weight.BOLD)
    ink = theme.muted if row.series is None else theme.text
    draw_text(picture, theme, (value_at, upper), drawable(row.value), size, Weight.BOLD, ink, theme.panel)
    size = round(_NAME * scale)
    name = truncated(drawable(row.name) or MISSING, size, Weight.BOLD, value_at - pad - name_at)
    draw_text(picture, theme, (name_at, upper), name, size, Weight.BOLD, theme.text, theme.panel)
    bars_left = right - pad - round((len(row.results) * (_BAR + _BETWEEN) - _BETWEEN) * scale)
    size = round(_SMALL * scale)
    words = truncated(drawable(row.words), size, Weight.MEDIUM, bars_left - left - 2 * pad)
    draw_text(picture, theme, (left + pad, lower), words, size, Weight.MEDIUM, theme.muted, theme.panel)
    reach, thin = round(_REACH * scale), max(2, round(2.5 * scale))
    for at, won in enumerate(row.results):
        # A bar up is a win, one down a loss, and a dash a draw.
        above, below = {True: (reach, 0), None: (thin, thin), False: (0, reach)}[won]
        ink = {True: theme.look(Colour.SEAT3).face, None: theme.text, False: theme.look(Colour.SEAT2).face}[won]
        x = bars_left + round(at * (_BAR + _BETWEEN) * scale)
        place = x, lower - above, x + round(_BAR * scale), lower + below
        rounded_rectangle(picture, theme, place, round(4 * scale), ink, theme.panel)
