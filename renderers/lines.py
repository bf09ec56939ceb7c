"""Lines in the colours and patterns of seats, on an even ground: solid, dashed, dotted, and two thin ones.

Each seat's line can be told by its form alone. A slanting edge fades into the ground in three steps, drawn from the
widest to the narrowest, because a picture of numbers knows no soft pen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import dist

from PIL import ImageDraw

from renderers.palette import palette
from renderers.scene import Colour
from renderers.theme import RGB, Theme, mix

Point = tuple[float, float]

_WIDTH = 6.5
_PATTERNS: Mapping[Colour, tuple[float, ...]] = {
    Colour.SEAT1: (),
    Colour.SEAT2: (24, 13),
    Colour.SEAT3: (0, 14),
    Colour.SEAT4: (26, 13, 0, 13),
    Colour.SEAT5: (),
    Colour.SEAT6: (24, 12, 0, 12, 0, 12),
}
"""Line and gap by turns, in pixels of the full width; a line of no length is a dot. Nothing is a solid line."""
_HOLLOW = frozenset({Colour.SEAT5})
"""Colours whose lines are two thin ones side by side."""
_FADES = ((0.35, 0.3), (0.0, 0.65), (-0.35, 1.0))
"""How far beyond its edge a line is drawn, in pixels, and the share of its colour there."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line is drawn: its colour, the ground it fades into, its width and pattern in pixels."""

    colour: RGB
    ground: RGB
    width: float
    pattern: tuple[float, ...]
    hollow: bool


def stroke_of(theme: Theme, colour: Colour, ground: RGB, scale: float) -> Stroke:
    """Return the stroke of a seat's colour; ``scale`` 1 suits an outline in a picture of full width."""
    hollow = colour in _HOLLOW
    width = max(2.0, _WIDTH * theme.stroke * scale * (1.3 if hollow else 1.0))
    pattern = tuple(part * scale for part in _PATTERNS.get(colour, ()))
    return Stroke(theme.look(colour).face, ground, width, pattern, hollow)


def draw(pen: ImageDraw.ImageDraw, theme: Theme, stroke: Stroke, points: Sequence[Point]) -> None:
    """Draw a line through points; its pattern runs on round the corners and ends as it begins."""
    number = palette(theme).number
    shades = [(stroke.width / 2 + grow, number(mix(stroke.ground, stroke.colour, share))) for grow, share in _FADES]
    if stroke.hollow:
        shades.append((stroke.width / 7, number(stroke.ground)))
    pieces = list(_pieces(points, stroke.pattern))
    for turn, (half, shade) in enumerate(shades):
        for piece in pieces:
            _draw_piece(pen, piece, half, shade, soft=turn < len(_FADES) - 1)


def _pieces(points: Sequence[Point], pattern: tuple[float, ...]) -> Iterator[list[Point]]:
    """Cut a line into what its pattern leaves of it; a dot is a single point."""
    if not pattern:
        yield list(points)
        return
    ends = list(accumulate((dist(start, end) for start, end in pairwise(points)), initial=0.0))
    for near, far in _dashes(ends[-1], pattern):
        inner = [point for point, at in zip(points, ends, strict=True) if near < at < far]
        first = _point_at(points, ends, near)
        yield [first, *inner, _point_at(points, ends, far)] if far - near >= 1 else [first]


def _dashes(long: float, pattern: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    """Yield where dashes start and end on a line, the pattern stretched so that it ends as it begins."""
    period, first = sum(pattern), pattern[0]
    times = max(1, round((long - first) / period))
    stretch = long / (times * period + first)
    for at in range(times + 1):
        place = at * period
        for dash, gap in zip(pattern[::2], pattern[1::2], strict=True):
            if place * stretch <= long + 0.5:
                yield place * stretch, min(long, (place + dash) * stretch)
            place += dash + gap


def _point_at(points: Sequence[Point], ends: list[float], along: float) -> Point:
    """Return the point at a distance from the start of a line whose points lie at the distances ``ends``."""
    for (start, end), (near, far) in zip(pairwise(points), pairwise(ends), strict=True):
        if along <= far and far > near:
            share = (along - near) / (far - near)
            return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
    return points[-1]


def _draw_piece(pen: ImageDraw.ImageDraw, piece: list[Point], half: float, shade: int, *, soft: bool) -> None:
    """Draw an unbroken piece of line; level and upright ones need no ``soft`` edge."""
    if len(piece) == 1:
        _dot(pen, piece[0], half * 1.1, shade)
    for start, end in pairwise(piece):
        x, y = end[0] - start[0], end[1] - start[1]
        if not (x and y):
            if not soft:
                _level(pen, start, end, half, shade)
            continue
        share = half / dist(start, end)
        aside, down = -y * share, x * share
        pen.polygon(
            (
                (start[0] + aside, start[1] + down),
                (end[0] + aside, end[1] + down),
                (end[0] - aside, end[1] - down),
                (start[0] - aside, start[1] - down),
            ),
            fill=shade,
        )
    for joint in piece[1:-1]:
        _dot(pen, joint, half, shade)


def _dot(pen: ImageDraw.ImageDraw, at: Point, radius: float, shade: int) -> None:
    pen.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), fill=shade)


def _level(pen: ImageDraw.ImageDraw, start: Point, end: Point, half: float, shade: int) -> None:
    """Fill a level or upright piece of line; half of its width lies on either side."""
    wide = round(half)
    left, right = sorted((round(start[0]), round(end[0])))
    top, bottom = sorted((round(start[1]), round(end[1])))
    if top == bottom:
        pen.rectangle((left, top - wide, right, top + wide), fill=shade)
    else:
        pen.rectangle((left - wide, top, left + wide, bottom), fill=shade)
