"""Plots in the type and colours of the boards: values over the turns of a game, or over matches.

Knows nothing of ratings: a series is a name and points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from math import ceil, floor, isfinite, log10
from operator import itemgetter

from PIL import Image, ImageDraw

from renderers.i18n import percent, ungrouped
from renderers.pixels import lines
from renderers.pixels.canvas import rounded_rectangle
from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST, Pixels
from renderers.pixels.lettering import Weight, draw_text, drawable, text_width, truncated
from renderers.pixels.palette import palette, under
from renderers.pixels.png import encode
from renderers.pixels.theme import Theme, mix, theme_named
from renderers.scene import SEATS, Colour

MOST_SERIES = 6
"""Series a plot can tell apart."""
MARGIN = 26
LABEL = 26
_HEIGHT = 540
_TITLE = 31
_GRID_LINES = 4
_NAMES_IN_ROW = 2
_MOST_TICKS = 5
_MOST_DOTS = 24
"""Points of a single series that each have a dot; a line of more has only the last."""
_NOTE_ROOM = 0.4
"""The part of the plot's width that the label of a note may have."""

Span = tuple[float, float]
"""The lowest and the highest value of an axis."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot: its name and its points, each a number (of a turn, say) and a value."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A point of a plot that has a name, such as the move at which a game turned."""

    at: float
    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The content of a plot.

    The axis of values reaches over all series, or over ``span``, which holds them all; ``unit`` says what is counted
    from left to right. Points need not be sorted.
    """

    series: tuple[Series, ...]
    title: str = ""
    unit: str = ""
    span: Span | None = None
    per_cent: bool = False
    notes: tuple[Note, ...] = ()

    def checked(self) -> Chart:
        """Return the chart with its points in order and without empty series.

        Raises ``ValueError`` where there is nothing to plot, too much of it, or an infinite value.
        """
        kept = tuple(
            Series(series.name, tuple(sorted(series.points, key=itemgetter(0))))
            for series in self.series
            if series.points
        )
        if not kept:
            raise ValueError("there is nothing to plot")
        if len(kept) > MOST_SERIES:
            raise ValueError(f"a plot tells at most {MOST_SERIES} series apart, not {len(kept)}")
        if not all(isfinite(value) for series in kept for _, value in series.points):
            raise ValueError("a value to plot must be finite")
        return replace(self, series=kept)


@dataclass(frozen=True, slots=True)
class Reach:
    """The numbers at the left and the right end of a plot, and where these ends are, as shares of the picture."""

    first: float
    last: float
    left: float
    right: float


def png(chart: Chart, theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    """Return a plot of up to six series as a PNG file, 5:3. The first one is solid, each has its own pattern.

    Raises ``ValueError`` as ``Chart.checked`` does.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    chart, colours, scale = chart.checked(), theme_named(theme), width / FULL_WIDTH
    picture = palette(colours).image((width, round(_HEIGHT * scale)), colours.background)
    left, top, room = round(MARGIN * scale), round(MARGIN * scale), width - 2 * round(MARGIN * scale)
    size = round(_TITLE * scale)
    if chart.title:
        text = truncated(drawable(chart.title), size, Weight.BOLD, room)
        draw_text(picture, colours, (left, top + size // 2), text, size, Weight.BOLD, colours.text, colours.background)
    if len(chart.series) > 1:
        size, share = round(LABEL * scale), room // min(_NAMES_IN_ROW, len(chart.series))
        names_top = top + (round(_TITLE * scale * 1.6) if chart.title else 0)
        for at, series in enumerate(chart.series):
            x, y = left + at % _NAMES_IN_ROW * share, names_top + size // 2 + at // _NAMES_IN_ROW * round(size * 1.5)
            _draw_name(picture, colours, series, SEATS[at], (x, y, share), scale)
    draw_plot(picture, colours, chart, _top(chart, scale), scale)
    return encode(picture)


def reach(chart: Chart) -> Reach:
    """Return where the numbers of a chart lie in its picture, at any width. Raises as ``Chart.checked`` does."""
    plot = _plot(chart.checked(), (FULL_WIDTH, _HEIGHT), _top(chart, 1), 1)
    return Reach(plot.first, plot.last, plot.box[0] / FULL_WIDTH, plot.box[2] / FULL_WIDTH)


def draw_plot(picture: Image.Image, theme: Theme, chart: Chart, top: int, scale: float) -> None:
    """Draw axes, grid, lines and notes of a checked chart, from ``top`` to the lower end of a picture."""
    plot = _plot(chart, picture.size, top, scale)
    rounded_rectangle(picture, theme, plot.field, round(14 * scale), theme.field, theme.background)
    if len(chart.series) == 1:
        points = [plot.at(*point) for point in chart.series[0].points]
        ends = [(x, float(plot.box[3])) for x in (points[-1][0], points[0][0])]
        area = palette(theme).index(under(theme.field, theme.look(SEATS[0]).face))
        ImageDraw.Draw(picture).polygon([*points, *ends], fill=area)
    _draw_grid(picture, theme, plot, scale)
    _draw_numbers(picture, theme, plot, chart, scale)
    for at, series in reversed(list(enumerate(chart.series))):
        colour = SEATS[at]
        ink, points = theme.look(colour).face, [plot.at(*point) for point in series.points]
        if len(points) > 1:
            lines.draw(picture, theme, lines.style_of(theme, colour, scale), ink, points)
        dots = points if len(chart.series) == 1 and len(points) <= _MOST_DOTS else points[-1:]
        for dot in dots:
            inner, outer = (16, 22) if dot is points[-1] else (10, 14)
            for width, shade in ((outer * scale, theme.field), (inner * scale, ink)):
                lines.draw(picture, theme, lines.Style(width), shade, [dot])
    if plot.last_label:
        x, y = plot.at(*chart.series[0].points[-1])
        place = round(x) + round(17 * scale), round(y)
        size = round(LABEL * scale)
        draw_text(picture, theme, place, plot.last_label, size, Weight.BOLD, theme.text, theme.field)
    _draw_notes(picture, theme, plot, chart, scale)


def draw_sample(picture: Image.Image, theme: Theme, colour: Colour, place: tuple[int, int], scale: float) -> int:
    """Draw a sample of a series' line from a point to the right, and return where what follows it begins."""
    x, y = place
    end = x + round(54 * scale)
    lines.draw(picture, theme, lines.style_of(theme, colour, scale), theme.look(colour).face, ((x, y), (end, y)))
    return end + round(20 * scale)


@dataclass(frozen=True, slots=True)
class _Plot:
    """The area of a plot in its picture, the values at its edges, and the labels of its axis of values."""

    field: Pixels
    box: Pixels
    first: float
    last: float
    ticks: tuple[tuple[float, str], ...]
    last_label: str

    def at(self, number: float, value: float) -> tuple[float, float]:
        left, top, right, bottom = self.box
        low, high = self.ticks[0][0], self.ticks[-1][0]
        x = left + (right - left) * (number - self.first) / (self.last - self.first)
        return x, bottom - (bottom - top) * (value - low) / (high - low)


def _top(chart: Chart, scale: float) -> int:
    """Return where the plot begins below the title and the names of the series."""
    title = round(_TITLE * scale * 1.6) if chart.title else 0
    names = ceil(len(chart.series) / _NAMES_IN_ROW) if len(chart.series) > 1 else 0
    return round(MARGIN * scale) + title + names * round(round(LABEL * scale) * 1.5)


def _plot(chart: Chart, picture: tuple[int, int], top: int, scale: float) -> _Plot:
    size, margin = round(LABEL * scale), round(MARGIN * scale)
    values = [value for series in chart.series for _, value in series.points]
    ticks = value_ticks(*(chart.span or (min(values), max(values))), _GRID_LINES)
    step = ticks[1] - ticks[0]
    labels = [percent(tick / 100) if chart.per_cent else _number(tick, step) for tick in ticks]
    last = chart.series[0].points[-1][1]
    last_label = "" if len(chart.series) > 1 else percent(last / 100) if chart.per_cent else _number(last, step)
    left = margin + max(text_width(label, size, Weight.MEDIUM) for label in labels) + round(16 * scale)
    right = picture[0] - margin - text_width(last_label, size, Weight.BOLD) - round(24 * scale)
    bottom = picture[1] - margin - round(size * (2.6 if chart.unit else 1.3))
    numbers = [number for series in chart.series for number, _ in series.points]
    first, end = min(numbers), max(numbers)
    if first == end:
        first, end = first - 1, end + 1
    box = left + round(20 * scale), top + round(24 * scale), right, bottom - round(24 * scale)
    field = left, top, picture[0] - margin, bottom
    return _Plot(field, box, first, end, tuple(zip(ticks, labels, strict=True)), last_label)


def _draw_name(
    picture: Image.Image, theme: Theme, series: Series, colour: Colour, place: tuple[int, int, int], scale: float
) -> None:
    """Draw a sample of a series' line, its name and its last value; ``place`` is the left end, the height and the
    width.
    """
    x, y, room = place
    size, gap = round(LABEL * scale), round(12 * scale)
    start = draw_sample(picture, theme, colour, (x, y), scale)
    last = _number(series.points[-1][1], 1 if abs(series.points[-1][1]) >= 10 else 0.1)
    name_room = room - (start - x) - 2 * gap - text_width(last, size, Weight.BOLD)
    name = truncated(drawable(series.name), size, Weight.MEDIUM, name_room)
    draw_text(picture, theme, (start, y), name, size, Weight.MEDIUM, theme.text, theme.background)
    start += text_width(name, size, Weight.MEDIUM) + (gap if name else 0)
    draw_text(picture, theme, (start, y), last, size, Weight.BOLD, theme.text, theme.background)


def _draw_grid(picture: Image.Image, theme: Theme, plot: _Plot, scale: float) -> None:
    """Draw the lines of round values, with each value on the left."""
    size, thick = round(LABEL * scale), max(1, round(2 * scale))
    colour = palette(theme).index(mix(theme.field, theme.dot, 0.2))
    for tick, label in plot.ticks:
        y = round(plot.at(plot.first, tick)[1])
        picture.paste(colour, (plot.field[0], y, plot.field[2], y + thick))
        x = plot.field[0] - round(14 * scale) - text_width(label, size, Weight.MEDIUM)
        draw_text(picture, theme, (x, y), label, size, Weight.MEDIUM, theme.muted, theme.background)


def _draw_numbers(picture: Image.Image, theme: Theme, plot: _Plot, chart: Chart, scale: float) -> None:
    """Write round numbers below the plot, each beneath a short stroke, and their unit below them."""
    left, _, right, bottom = plot.field
    size, thick = round(LABEL * scale), max(1, round(2 * scale))

    def write(x: int, lines_down: float, text: str) -> None:
        place = x, bottom + round(size * lines_down)
        draw_text(picture, theme, place, text, size, Weight.MEDIUM, theme.muted, theme.background)

    unit = truncated(drawable(chart.unit), size, Weight.MEDIUM, right - left)
    write((left + right - text_width(unit, size, Weight.MEDIUM)) // 2, 2.3, unit)
    taken = -size
    for tick, label in number_ticks([number for series in chart.series for number, _ in series.points]):
        x, wide = round(plot.at(tick, plot.ticks[0][0])[0]), text_width(label, size, Weight.MEDIUM)
        start = min(max(x - wide // 2, 0), picture.width - wide)
        # A number that would meet its neighbour is left out.
        if start < taken + size:
            continue
        taken = start + wide
        picture.paste(palette(theme).index(theme.dot), (x, bottom - round(12 * scale), x + thick, bottom))
        write(start, 0.95, label)


def _draw_notes(picture: Image.Image, theme: Theme, plot: _Plot, chart: Chart, scale: float) -> None:
    """Draw a ring around each noted point and its label where it covers least."""
    size, pad, gap = round(LABEL * 0.92 * scale), round(9 * scale), round(18 * scale)
    left, top, right, bottom = plot.field
    drawn = ([plot.at(*point) for point in series.points] for series in chart.series)
    covered = [spot for line in drawn for spot in _along(line, 6 * scale)]
    rings = [plot.at(note.at, note.value) for note in chart.notes]
    taken: list[Pixels] = [
        (round(x) - gap, round(y) - gap, round(x) + gap, round(y) + gap)
        for x, y in (*rings, plot.at(*chart.series[0].points[-1]))
    ]
    for (x, y), note in zip(rings, chart.notes, strict=True):
        for width, shade in ((26, theme.text), (18, theme.field), (11, theme.look(SEATS[0]).face)):
            lines.draw(picture, theme, lines.Style(width * scale), shade, [(x, y)])
        label = truncated(drawable(note.label), size, Weight.MEDIUM, round((right - left) * _NOTE_ROOM))
        wide, high = text_width(label, size, Weight.MEDIUM) + 2 * pad, round(size * 1.55)

        def box(across: float, down: float, wide: int = wide, high: int = high) -> Pixels:
            start = min(max(round(across), left + pad), right - pad - wide)
            upper = min(max(round(down), top + pad // 2), bottom - pad // 2 - high)
            return start, upper, start + wide, upper + high

        places = [
            box(x + aside - wide / 2, y + below)
            for reached in (gap, 3 * gap, 6 * gap)
            for aside in (0, wide / 2 + gap, -wide / 2 - gap)
            for below in (-reached - high, reached)
        ]
        chosen = min(places, key=lambda place: _hides(place, taken, covered))
        taken.append(chosen)
        picture.paste(palette(theme).index(theme.panel), chosen)
        at = chosen[0] + pad, (chosen[1] + chosen[3]) // 2
        draw_text(picture, theme, at, label, size, Weight.MEDIUM, theme.text, theme.panel)


def _along(points: Sequence[tuple[float, float]], step: float) -> Iterator[tuple[float, float]]:
    """Yield spots on a line through points, close together."""
    yield from points
    for (x, y), (next_x, next_y) in pairwise(points):
        parts = ceil(max(abs(next_x - x), abs(next_y - y)) / step)
        yield from ((x + (next_x - x) * at / parts, y + (next_y - y) * at / parts) for at in range(1, parts))


def _hides(box: Pixels, others: Iterable[Pixels], spots: Iterable[tuple[float, float]]) -> tuple[int, int]:
    """Return how many other boxes a box meets, and how many spots it covers."""
    left, top, right, bottom = box
    met = sum(left < other[2] and other[0] < right and top < other[3] and other[1] < bottom for other in others)
    return met, sum(left <= x <= right and top <= y <= bottom for x, y in spots)


def value_ticks(low: float, high: float, steps: int) -> list[float]:
    """Return round values that reach from ``low`` to ``high``, 1, 2 or 5 times a power of ten apart."""
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        room = max(1.0, abs(low) * 0.02)
        low, high = low - room, high + room
    rough = (high - low) / steps
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [at * step for at in range(first, max(last, first + 1) + 1)]


def number_ticks(numbers: Sequence[float]) -> list[tuple[float, str]]:
    """Return at most five round numbers between the lowest and the highest, or the lowest where none lies there."""
    low, high = min(numbers), max(numbers)
    step = next(
        factor * 10**power
        for power in count()
        for factor in (1, 2, 5)
        if (high - low) / (factor * 10**power) < _MOST_TICKS
    )
    first = -int(-low // step)
    return [(float(at), str(at)) for at in range(first * step, int(high) + 1, step)] or [(low, f"{low:g}")]


def _number(value: float, step: float) -> str:
    """Return a value with as many decimals as the ``step`` between grid lines calls for, and a true minus."""
    decimals = max(0, -floor(log10(step) + 1e-9))
    return ungrouped(value, decimals).replace("-", "−")
