"""Polygons over dots: each in its seat's colour and line pattern, with a label in a corner that is its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot

from PIL import Image, ImageDraw

from renderers import strokes
from renderers.layout import Layout
from renderers.lettering import Weight, cut, drawable, font, length, written
from renderers.palette import latest, palette
from renderers.scene import Colour, Outline
from renderers.theme import RGB, Theme, mix

Point = tuple[float, float]

_LINE = 6.5
_PATTERNS: Mapping[Colour, tuple[float, ...]] = {
    Colour.SEAT1: (),
    Colour.SEAT2: (24, 13),
    Colour.SEAT3: (0, 14),
    Colour.SEAT4: (26, 13, 0, 13),
    Colour.SEAT5: (11, 10),
    Colour.SEAT6: (24, 12, 0, 12, 0, 12),
}
"""Line and gap by turns, in pixels of the full width; a line of no length is a dot. Nothing is a solid line."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """How lines are drawn: their colour, the ground they fade into, their width and pattern in pixels."""

    colour: RGB
    ground: RGB
    width: float
    pattern: tuple[float, ...]


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw all outlines of a scene: the latest one's area first, then every line, then the labels."""
    placed = [(outline, points) for outline in layout.scene.outlines if (points := _corners(layout, outline))]
    pen = ImageDraw.Draw(picture)
    for outline, points in placed:
        if outline.latest:
            tint = latest(theme.field, theme.look(outline.colour).face)
            pen.polygon(points, fill=palette(theme).number(tint))
    for outline, points in placed:
        stroke = _stroke(layout, theme, outline.colour, theme.field, 1.5 if outline.latest else 1.0)
        for start, end in zip(points, [*points[1:], points[0]], strict=True):
            _line(pen, theme, stroke, start, end)
    for outline, points in placed:
        _label(picture, layout, theme, outline, points)


def sample(
    picture: Image.Image, layout: Layout, theme: Theme, start: tuple[int, int], long: int, colour: Colour, ground: RGB
) -> None:
    """Draw a short level line as a seat draws it, from ``start`` to the right."""
    stroke = _stroke(layout, theme, colour, ground, 1.2)
    _line(ImageDraw.Draw(picture), theme, stroke, start, (start[0] + long, start[1]))


def _corners(layout: Layout, outline: Outline) -> list[Point]:
    """Return the middles of the corners, or nothing if one of them is not on the board."""
    points = [layout.middle(corner) for corner in outline.corners]
    known = [(float(x), float(y)) for x, y in filter(None, points)]
    return known if len(known) == len(points) > 2 else []


def _stroke(layout: Layout, theme: Theme, colour: Colour, ground: RGB, weight: float) -> Stroke:
    scale = layout.px(1000) / 1000
    width = max(2.0, _LINE * theme.stroke * weight * scale)
    pattern = tuple(length * scale for length in _PATTERNS.get(colour, ()))
    return Stroke(theme.look(colour).face, ground, width, pattern)


def _dashes(long: float, pattern: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    """Yield where dashes start and end on a line, the pattern stretched so that it ends as it begins."""
    if not pattern:
        yield 0.0, long
        return
    period, first = sum(pattern), pattern[0]
    times = max(1, round((long - first) / period))
    stretch = long / (times * period + first)
    for at in range(times + 1):
        place = at * period
        for dash, gap in zip(pattern[::2], pattern[1::2], strict=True):
            if place * stretch <= long + 0.5:
                yield place * stretch, min(long, (place + dash) * stretch)
            place += dash + gap


def _line(pen: ImageDraw.ImageDraw, theme: Theme, stroke: Stroke, start: Point, end: Point) -> None:
    """Draw a line with its pattern; its edge fades into the ground in three steps."""
    long = hypot(end[0] - start[0], end[1] - start[1])
    if not long:
        return
    x, y = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    numbers = palette(theme)
    passes = [
        (stroke.width / 2 + grow, numbers.number(mix(stroke.ground, stroke.colour, share)))
        for grow, share in ((0.35, 0.3), (0.0, 0.65), (-0.35, 1.0))
    ]
    dashes = list(_dashes(long, stroke.pattern))
    for half, number in passes:
        for near, far in dashes:
            if far - near < 1:
                centre_x, centre_y, reach = start[0] + near * x, start[1] + near * y, half * 1.1
                pen.ellipse((centre_x - reach, centre_y - reach, centre_x + reach, centre_y + reach), fill=number)
                continue
            ends = ((start[0] + near * x, start[1] + near * y), (start[0] + far * x, start[1] + far * y))
            if x and y:
                aside = (-y * half, x * half)
                pen.polygon(
                    [
                        (px + sign * aside[0], py + sign * aside[1])
                        for sign, pair in ((1, ends), (-1, ends[::-1]))
                        for px, py in pair
                    ],
                    fill=number,
                )
            else:
                _level(pen, ends, half, number)


def _level(pen: ImageDraw.ImageDraw, ends: tuple[Point, Point], half: float, number: int) -> None:
    """Fill a level or upright piece of line; half of its width lies on either side."""
    (left, top), (right, bottom) = sorted(ends)
    if bottom < top:
        top, bottom = bottom, top
    wide = round(half)
    if top == bottom:
        pen.rectangle((round(left), round(top) - wide, round(right), round(top) + wide), fill=number)
    else:
        pen.rectangle((round(left) - wide, round(top), round(left) + wide, round(bottom)), fill=number)


def _label(picture: Image.Image, layout: Layout, theme: Theme, outline: Outline, points: list[Point]) -> None:
    """Write the label inside the uppermost corner: corners are used once, so no two labels meet there."""
    text = drawable(outline.label)
    if not text:
        return
    at = min(range(len(points)), key=lambda place: (points[place][1], points[place][0]))
    corner = points[at]
    inward = [0.0, 0.0]
    for other in (points[at - 1], points[(at + 1) % len(points)]):
        long = hypot(other[0] - corner[0], other[1] - corner[1]) or 1.0
        inward[0] += (other[0] - corner[0]) / long
        inward[1] += (other[1] - corner[1]) / long
    size = max(8, min(layout.px(26), layout.cell * 2 // 7))
    text = cut(text, size, Weight.BOLD, layout.cell)
    wide, high = max(length(text, size, Weight.BOLD) + size // 2, round(size * 1.2)), round(size * 1.2)
    away = max(0.25 * layout.cell, size * 0.95)
    middle_x, middle_y = round(corner[0] + inward[0] * away), round(corner[1] + inward[1] * away)
    look = theme.look(outline.colour)
    box = (middle_x - wide // 2, middle_y - high // 2, middle_x - wide // 2 + wide, middle_y - high // 2 + high)
    strokes.plate(picture, theme, box, size // 3, look.face, theme.field)
    letters = written(theme, text, size, Weight.BOLD, look.ink, look.face)
    ascent = font(size, Weight.BOLD).getmetrics()[0]
    cap = round(size * 0.727)
    top = ascent - cap - (high - cap) // 2
    visible = letters.crop((0, top, letters.width, top + high))
    picture.paste(visible, (middle_x - letters.width // 2, box[1]))
