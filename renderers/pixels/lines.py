"""Lines, drawn one way everywhere: round ends and joints, drawn large and scaled down so that their edges are smooth.

On a sprite a line is part of the drawing (``stroke``); on a finished picture it is a mask, kept by its form wherever
it lies. Each seat's line can be told by its dashes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import atan2, ceil, cos, dist, floor, hypot, pi, sin

from PIL import Image, ImageDraw

from renderers.pixels.blit import Mask, blit
from renderers.pixels.palette import palette
from renderers.pixels.theme import RGB, Theme
from renderers.scene import Colour

SUPERSAMPLING = 4
"""How many times larger, each way, lines and sprites are drawn than they are shown."""

Point = tuple[float, float]
Enlarge = Callable[[Point], Point]
"""Returns where the middle of a pixel lies in an enlarged drawing."""

_TILE = 128
"""The side of the tiles that masks of long slanting lines are made in, in pixels; lines begin in the middle of one."""

_WIDTH = 6.5
_DASHES: Mapping[Colour, tuple[float, ...]] = {
    Colour.SEAT1: (),
    Colour.SEAT2: (18, 19),
    Colour.SEAT3: (0, 14),
    Colour.SEAT4: (20, 16, 0, 16),
    Colour.SEAT5: (),
    Colour.SEAT6: (18, 15, 0, 13, 0, 15),
}
"""Dash and gap by turns between the middles of round ends, in pixels of the full width; a dash of no length is a dot.
Nothing is a solid line."""
_DOUBLE = frozenset({Colour.SEAT5})
"""Colours whose lines are two thin ones side by side."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a line is drawn: width and dashes in pixels, and whether it is two thin lines side by side."""

    width: float
    dashes: tuple[float, ...] = ()
    double: bool = False


def style_of(theme: Theme, colour: Colour, scale: float) -> Style:
    """Return the style of a seat's colour; ``scale`` 1 suits an outline in a picture of full width."""
    double = colour in _DOUBLE
    width = max(2.0, _WIDTH * theme.stroke * scale * (1.3 if double else 1.0))
    return Style(width, tuple(part * scale for part in _DASHES.get(colour, ())), double)


def draw(
    picture: Image.Image,
    theme: Theme,
    style: Style,
    colour: RGB,
    points: Sequence[Point],
    background: RGB | None = None,
) -> None:
    """Draw a line through pixels of a picture; its dashes run on round the corners and end as they begin.

    If the whole line lies on one ``background``, passing it saves time.
    """
    origin = round(points[0][0]), round(points[0][1])
    form = tuple((x - origin[0], y - origin[1]) for x, y in points)
    blit(picture, palette(theme), [(mask, origin) for mask in line_masks(form, style)], colour, background)


@lru_cache(maxsize=256)
def line_masks(points: tuple[Point, ...], style: Style) -> tuple[Mask, ...]:
    """Return a line through points given from its origin, in pixels."""
    dashes = list(_dashed(points, style.dashes))

    def paint(pen: ImageDraw.ImageDraw, enlarged: Enlarge) -> None:
        for dash in dashes:
            stroke(pen, [enlarged(point) for point in dash], style.width * SUPERSAMPLING, 255)
        if style.double:
            for dash in dashes:
                stroke(pen, [enlarged(point) for point in dash], style.width * SUPERSAMPLING * 2 / 7, 0)

    return _masks(points, style.width / 2, paint)


@lru_cache(maxsize=256)
def arrow_masks(end: Point, width: float, trims: tuple[float, float], head: float) -> tuple[Mask, ...]:
    """Return a straight line from its origin to ``end`` with an arrow head of length ``head`` there, 0 for none.

    ``trims`` are left out at its two ends. All in pixels.
    """
    long, angle = hypot(*end), atan2(end[1], end[0])
    start, tip = trims[0], max(trims[0], long - trims[1])
    stop, base = max(start, tip - 0.8 * head), tip - head

    def paint(pen: ImageDraw.ImageDraw, enlarged: Enlarge) -> None:
        def at(along: float, aside: float = 0.0) -> Point:
            return enlarged((along * cos(angle) - aside * sin(angle), along * sin(angle) + aside * cos(angle)))

        if stop > start or not head:
            stroke(pen, [at(start), at(stop)], width * SUPERSAMPLING, 255)
        if head:
            pen.polygon([at(tip), at(base, 0.62 * head), at(base + 0.25 * head), at(base, -0.62 * head)], fill=255)

    return _masks(((0, 0), end), max(width, head), paint)


def _masks(
    points: Sequence[Point], reach: float, paint: Callable[[ImageDraw.ImageDraw, Enlarge], None]
) -> tuple[Mask, ...]:
    """Return the masks of what is painted within ``reach`` of a line through points.

    A line that spans a small rectangle has one mask, any other line one for each tile it meets: a slanting line meets
    few tiles of its rectangle, and the rest takes neither time nor memory.
    """
    masks: list[Mask] = []
    for left, top, right, bottom in _boxes(points, reach + 2):
        coverage = Image.new("L", ((right - left) * SUPERSAMPLING, (bottom - top) * SUPERSAMPLING))

        def enlarged(point: Point, left: int = left, top: int = top) -> Point:
            return (point[0] - left + 0.5) * SUPERSAMPLING, (point[1] - top + 0.5) * SUPERSAMPLING

        paint(ImageDraw.Draw(coverage), enlarged)
        shown = coverage.reduce(SUPERSAMPLING)
        box = shown.getbbox()
        if box:
            masks.append(Mask.of(shown.crop(box), (-left - box[0], -top - box[1])))
    return tuple(masks)


def _boxes(points: Sequence[Point], reach: float) -> list[tuple[int, int, int, int]]:
    """Return boxes that hold all that is within ``reach`` of a line through points."""
    across, down = zip(*points, strict=True)
    left, top = floor(min(across) - reach), floor(min(down) - reach)
    right, bottom = ceil(max(across) + reach), ceil(max(down) + reach)
    if (right - left) * (bottom - top) <= 2 * _TILE**2:
        return [(left, top, right, bottom)]
    half = _TILE // 2
    met: set[tuple[int, int]] = set()
    for start, end in pairwise([*points, points[-1]]):
        steps = max(1, ceil(dist(start, end) / (_TILE / 4)))
        around = reach + _TILE / 8
        for step in range(steps + 1):
            x, y = (a + (b - a) * step / steps + _TILE // 2 for a, b in zip(start, end, strict=True))
            columns = range(floor((x - around) / _TILE), floor((x + around) / _TILE) + 1)
            rows = range(floor((y - around) / _TILE), floor((y + around) / _TILE) + 1)
            met.update(product(columns, rows))
    tiles = sorted(met)
    return [(x * _TILE - half, y * _TILE - half, x * _TILE + half, y * _TILE + half) for x, y in tiles]


def stroke(pen: ImageDraw.ImageDraw, points: Sequence[Point], width: float, fill: int | RGB) -> None:
    """Draw a line with round ends and joints, in the pixels of an enlarged drawing."""
    half = width / 2
    for start, end in pairwise(points):
        if start != end:
            angle = atan2(end[1] - start[1], end[0] - start[0]) + pi / 2
            x, y = half * cos(angle), half * sin(angle)
            pen.polygon(
                [
                    (start[0] + x, start[1] + y),
                    (end[0] + x, end[1] + y),
                    (end[0] - x, end[1] - y),
                    (start[0] - x, start[1] - y),
                ],
                fill=fill,
            )
    for x, y in points:
        pen.ellipse((x - half, y - half, x + half, y + half), fill=fill)


def _dashed(points: Sequence[Point], dashes: tuple[float, ...]) -> Iterator[list[Point]]:
    """Cut a line into its dashes; a dot is a single point."""
    if not dashes:
        yield list(points)
        return
    ends = list(accumulate((dist(start, end) for start, end in pairwise(points)), initial=0.0))
    # The dashes are stretched so that the line ends as it begins.
    long, period = ends[-1], sum(dashes)
    times = max(1, round((long - dashes[0]) / period))
    stretch = long / (times * period + dashes[0])
    for number in range(times + 1):
        place = number * period
        for dash, gap in zip(dashes[::2], dashes[1::2], strict=True):
            near, far = place * stretch, min(long, (place + dash) * stretch)
            place += dash + gap
            if near <= long + 0.5:
                inner = [point for point, at in zip(points, ends, strict=True) if near < at < far]
                start = _point_at(points, ends, near)
                yield [start, *inner, _point_at(points, ends, far)] if far - near >= 1 else [start]


def _point_at(points: Sequence[Point], ends: list[float], along: float) -> Point:
    """Return the point at a distance from the start of a line whose points lie at the distances ``ends``."""
    for (start, end), (near, far) in zip(pairwise(points), pairwise(ends), strict=True):
        if along <= far and far > near:
            share = (along - near) / (far - near)
            return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
    return points[-1]
