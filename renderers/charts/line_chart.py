"""Plots in the type and colours of the boards: values over time, or over the turns of a game.

Knows nothing of ratings: a series is a name and points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from PIL import Image

from renderers.charts.ticks import When, seconds, time_ticks
from renderers.i18n import ungrouped
from renderers.pixels import lines
from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST, Pixels
from renderers.pixels.lettering import Weight, draw_text, drawable, text_width, truncated
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.rounded import rounded_rectangle
from renderers.pixels.theme import Theme, mix, theme_named
from renderers.scene import SEATS, Colour

MOST_SERIES = 6
"""Series a plot can tell apart."""
_HEIGHT = 540
_MARGIN = 26
_TITLE, _LABEL = 31, 26
_GRID_LINES = 4
_NAMES_IN_ROW = 2


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot: its name and its points, each a time (or the number of a turn) and a value."""

    name: str
    points: tuple[tuple[When, float], ...]


@dataclass(frozen=True, slots=True)
class _Plot:
    """The area of a plot in its picture, and the values at its edges."""

    box: Pixels
    first: float
    last: float
    low: float
    high: float

    def at(self, when: float, value: float) -> tuple[float, float]:
        left, top, right, bottom = self.box
        x = left + (right - left) * (when - self.first) / (self.last - self.first)
        return x, bottom - (bottom - top) * (value - self.low) / (self.high - self.low)


Span = tuple[float, float]
"""The lowest and the highest value of an axis."""


def png(
    series: Sequence[Series],
    title: str = "",
    theme: str = "dark",
    width: int = FULL_WIDTH,
    *,
    span: Span | None = None,
) -> bytes:
    """Return a plot of up to six series as a PNG file, 5:3. The first one is solid, each has its own pattern.

    The axis of values reaches over all of them, or over ``span``, which holds them all. Times are datetimes, or numbers
    in all series; points need not be sorted. Raises ``ValueError`` where there is nothing to plot, too much of it, or
    an infinite value.
    """
    kept = [Series(one.name, tuple(sorted(one.points, key=lambda p: seconds(p[0])))) for one in series if one.points]
    _check(kept, width)
    colours = theme_named(theme)
    scale = width / FULL_WIDTH
    picture = palette(colours).image((width, round(_HEIGHT * scale)), colours.background)
    top = _draw_heading(picture, colours, kept, title, scale)
    values = [value for one in kept for _, value in one.points]
    _draw_plot(picture, colours, kept, top, scale, span or (min(values), max(values)))
    return encode(picture)


def _check(series: Sequence[Series], width: int) -> None:
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if not series:
        raise ValueError("there is nothing to plot")
    if len(series) > MOST_SERIES:
        raise ValueError(f"a plot tells at most {MOST_SERIES} series apart, not {len(series)}")
    if not all(isfinite(value) for one in series for _, value in one.points):
        raise ValueError("a value to plot must be finite")


def _draw_heading(picture: Image.Image, theme: Theme, series: Sequence[Series], title: str, scale: float) -> int:
    """Draw the title and, for several series, their names beside a sample of their lines; return where they end."""
    left, top, room = round(_MARGIN * scale), round(_MARGIN * scale), picture.width - 2 * round(_MARGIN * scale)
    size = round(_TITLE * scale)
    if title:
        text = truncated(drawable(title), size, Weight.BOLD, room)
        draw_text(picture, theme, (left, top + size // 2), text, size, Weight.BOLD, theme.text, theme.background)
        top += round(size * 1.6)
    if len(series) < 2:
        return top
    size, share = round(_LABEL * scale), room // min(_NAMES_IN_ROW, len(series))
    for at, one in enumerate(series):
        x, y = left + at % _NAMES_IN_ROW * share, top + size // 2 + at // _NAMES_IN_ROW * round(size * 1.5)
        _draw_name(picture, theme, one, SEATS[at], (x, y, share), scale)
    return top + ceil(len(series) / _NAMES_IN_ROW) * round(size * 1.5)


def _draw_name(
    picture: Image.Image, theme: Theme, one: Series, colour: Colour, place: tuple[int, int, int], scale: float
) -> None:
    """Draw a sample of a series' line, its name and its last value; ``place`` is the left end, the height and the
    width.
    """
    x, y, room = place
    size, sample, gap = round(_LABEL * scale), round(54 * scale), round(12 * scale)
    style, ink = lines.style_of(theme, colour, scale), theme.look(colour).face
    lines.draw(picture, theme, style, ink, ((x, y), (x + sample, y)))
    last = _number(one.points[-1][1], 1 if abs(one.points[-1][1]) >= 10 else 0.1)
    room -= sample + 3 * gap + text_width(last, size, Weight.BOLD)
    name = truncated(drawable(one.name), size, Weight.MEDIUM, room)
    x += sample + gap
    draw_text(picture, theme, (x, y), name, size, Weight.MEDIUM, theme.text, theme.background)
    x += text_width(name, size, Weight.MEDIUM) + (gap if name else 0)
    draw_text(picture, theme, (x, y), last, size, Weight.BOLD, theme.text, theme.background)


def _draw_plot(
    picture: Image.Image, theme: Theme, series: Sequence[Series], top: int, scale: float, span: Span
) -> None:
    """Draw axes, grid and lines below ``top``."""
    size = round(_LABEL * scale)
    ticks = value_ticks(*span, _GRID_LINES)
    labels = [_number(tick, ticks[1] - ticks[0]) for tick in ticks]
    margin = round(_MARGIN * scale)
    left = margin + max(text_width(label, size, Weight.MEDIUM) for label in labels) + round(16 * scale)
    last = _number(series[0].points[-1][1], ticks[1] - ticks[0]) if len(series) == 1 else ""
    right = picture.width - margin - text_width(last, size, Weight.BOLD) - round(24 * scale)
    bottom = picture.height - margin - round(size * 1.3)
    field = (left, top, picture.width - margin, bottom)
    rounded_rectangle(picture, theme, field, round(14 * scale), theme.field, theme.background)
    times = [seconds(when) for one in series for when, _ in one.points]
    begin, end = min(times), max(times)
    if begin == end:
        begin, end = begin - 1, end + 1
    inner = (left + round(20 * scale), top + round(24 * scale), right, bottom - round(24 * scale))
    plot = _Plot(inner, begin, end, ticks[0], ticks[-1])
    _draw_grid(picture, theme, plot, field, list(zip(ticks, labels, strict=True)), scale)
    _draw_times(picture, theme, plot, series, field, scale)
    for at, one in reversed(list(enumerate(series))):
        _draw_series(picture, theme, plot, one, SEATS[at], scale)
    if last:
        when, value = series[0].points[-1]
        x, y = plot.at(seconds(when), value)
        place = (round(x) + round(17 * scale), round(y))
        draw_text(picture, theme, place, last, size, Weight.BOLD, theme.text, theme.field)


def _draw_grid(
    picture: Image.Image, theme: Theme, plot: _Plot, field: Pixels, ticks: list[tuple[float, str]], scale: float
) -> None:
    """Draw the lines of round values, with each value on the left."""
    size, thick = round(_LABEL * scale), max(1, round(2 * scale))
    colour = palette(theme).index(mix(theme.field, theme.dot, 0.2))
    for tick, label in ticks:
        y = round(plot.at(plot.first, tick)[1])
        picture.paste(colour, (field[0], y, field[2], y + thick))
        x = field[0] - round(14 * scale) - text_width(label, size, Weight.MEDIUM)
        draw_text(picture, theme, (x, y), label, size, Weight.MEDIUM, theme.muted, theme.background)


def _draw_times(
    picture: Image.Image, theme: Theme, plot: _Plot, series: Sequence[Series], field: Pixels, scale: float
) -> None:
    """Write round times below the plot, each beneath a short stroke; one that would meet its neighbour is left out."""
    size, thick = round(_LABEL * scale), max(1, round(2 * scale))
    whens = [when for one in series for when, _ in one.points]
    end = -picture.width
    for tick, label in time_ticks(whens):
        x = round(plot.at(tick, plot.low)[0])
        wide = text_width(label, size, Weight.MEDIUM)
        start = min(max(x - wide // 2, 0), picture.width - wide)
        if start < end + size or not field[0] <= x <= field[2]:
            continue
        end = start + wide
        picture.paste(palette(theme).index(theme.dot), (x, field[3] - round(12 * scale), x + thick, field[3]))
        draw_text(
            picture,
            theme,
            (start, field[3] + round(size * 0.95)),
            label,
            size,
            Weight.MEDIUM,
            theme.muted,
            theme.background,
        )


def _draw_series(picture: Image.Image, theme: Theme, plot: _Plot, one: Series, colour: Colour, scale: float) -> None:
    """Draw one line and a disc at its last point."""
    ink = theme.look(colour).face
    points = [plot.at(seconds(when), value) for when, value in one.points]
    if len(points) > 1:
        lines.draw(picture, theme, lines.style_of(theme, colour, scale), ink, points)
    for width, shade in ((22 * scale, theme.field), (16 * scale, ink)):
        lines.draw(picture, theme, lines.Style(width), shade, points[-1:])


def value_ticks(low: float, high: float, wanted: int) -> list[float]:
    """Return round values that reach from ``low`` to ``high``, 1, 2 or 5 times a power of ten apart."""
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        room = max(1.0, abs(low) * 0.02)
        low, high = low - room, high + room
    rough = (high - low) / wanted
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [at * step for at in range(first, max(last, first + 1) + 1)]


def _number(value: float, step: float) -> str:
    """Return a value with as many decimals as the ``step`` between grid lines calls for, and a true minus."""
    decimals = max(0, -floor(log10(step) + 1e-9))
    return ungrouped(value, decimals).replace("-", "−")
