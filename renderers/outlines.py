"""Polygons over dots: each in its seat's colour and line pattern, with a label in a corner that is its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import gcd, hypot

from PIL import Image, ImageDraw

from renderers import lines, strokes
from renderers.layout import Grid
from renderers.lettering import CAPITALS, Weight, cut, drawable, font, length, written
from renderers.lines import Point, stroke_of
from renderers.palette import latest, palette
from renderers.scene import Outline, Scene
from renderers.theme import Theme

_CORNER = 16
_LABEL = 26
_LATEST = 1.5
"""Width of the latest outline's lines, in widths of the others."""
_LANES = 3
_LANE = 7
"""Lines that would lie on each other run side by side in lanes of this width, in pixels of the full width."""


@lru_cache(maxsize=24)
def field(theme: Theme, grid: Grid, scale: float, outlines: tuple[Outline, ...]) -> Image.Image:
    """Return the field beneath the dots with all outlines: the latest one's area, then every line, then the labels.

    ``scale`` 1 is that of a picture of full width. An outline with a corner that is not on the board is left out. The
    picture is kept, because most pictures of a turn differ in other things: paste it, never draw on it.
    """
    size = grid.files * grid.cell, grid.ranks * grid.cell
    picture = palette(theme).canvas(size, theme.ground)
    strokes.plate(picture, theme, (0, 0, *size), round(_CORNER * scale), theme.field, theme.ground)
    known = [outline for outline in outlines if len(outline.corners) > 2 and all(map(grid.place, outline.corners))]
    placed = [
        (outline, _inset([grid.middle(corner) or (0, 0) for corner in outline.corners], lane * _LANE * scale))
        for outline, lane in zip(known, _lanes(known), strict=True)
    ]
    pen = ImageDraw.Draw(picture)
    for outline, points in placed:
        if outline.latest:
            tint = latest(theme.field, theme.look(outline.colour).face)
            pen.polygon(points, fill=palette(theme).number(tint))
    for outline, points in placed:
        stroke = stroke_of(theme, outline.colour, theme.field, scale * (_LATEST if outline.latest else 1))
        for side in zip(points, [*points[1:], points[0]], strict=True):
            lines.draw(pen, theme, stroke, side)
    for outline, points in placed:
        _label(picture, grid, scale, theme, outline, points)
    return picture


def _lanes(outlines: list[Outline]) -> list[int]:
    """Return the lane of every outline: the first that no earlier one uses anywhere along its sides."""
    taken: defaultdict[frozenset[tuple[int, int]], set[int]] = defaultdict(set)
    lanes: list[int] = []
    for outline in outlines:
        steps = list(_steps([Scene.square_index(corner) for corner in outline.corners]))
        used = set().union(*(taken[step] for step in steps))
        lane = next((lane for lane in range(_LANES) if lane not in used), 0)
        for step in steps:
            taken[step].add(lane)
        lanes.append(lane)
    return lanes


def _steps(corners: list[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
    """Yield the ends of every step from dot to dot along the sides of a polygon."""
    for (file, rank), (to_file, to_rank) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        files, ranks = to_file - file, to_rank - rank
        parts = gcd(files, ranks)
        dots = [(file + files * part // parts, rank + ranks * part // parts) for part in range(parts + 1) if parts]
        yield from (frozenset(pair) for pair in pairwise(dots))


def _inset(corners: Sequence[Point], distance: float) -> list[Point]:
    """Return the corners moved inwards, so that every side of a rectangle moves by ``distance``."""
    moved = []
    for at, corner in enumerate(corners):
        x, y = _inward(corners, at)
        moved.append((corner[0] + x * distance, corner[1] + y * distance))
    return moved


def _inward(corners: Sequence[Point], at: int) -> Point:
    """Return the sum of the unit vectors along the two sides that leave a corner."""
    x = y = 0.0
    for other in (corners[at - 1], corners[(at + 1) % len(corners)]):
        aside, down = other[0] - corners[at][0], other[1] - corners[at][1]
        long = hypot(aside, down) or 1.0
        x, y = x + aside / long, y + down / long
    return x, y


def _label(picture: Image.Image, grid: Grid, scale: float, theme: Theme, outline: Outline, points: list[Point]) -> None:
    """Write the label inside the uppermost corner: corners are used once, so no two labels meet there."""
    text = drawable(outline.label)
    if not text:
        return
    at = min(range(len(points)), key=lambda place: (points[place][1], points[place][0]))
    corner = points[at]
    inward = _inward(points, at)
    size = max(8, min(round(_LABEL * scale), grid.cell * 2 // 7))
    text = cut(text, size, Weight.BOLD, grid.cell)
    wide, high = max(length(text, size, Weight.BOLD) + size // 2, round(size * 1.2)), round(size * 1.2)
    away = max(0.34 * grid.cell, size * 0.95)
    middle_x, middle_y = round(corner[0] + inward[0] * away), round(corner[1] + inward[1] * away)
    look = theme.look(outline.colour)
    box = (middle_x - wide // 2, middle_y - high // 2, middle_x - wide // 2 + wide, middle_y - high // 2 + high)
    strokes.plate(picture, theme, box, size // 3, look.face, theme.field)
    letters = written(theme, text, size, Weight.BOLD, look.ink, look.face)
    ascent = font(size, Weight.BOLD).getmetrics()[0]
    cap = round(size * CAPITALS)
    top = ascent - cap - (high - cap) // 2
    visible = letters.crop((0, top, letters.width, top + high))
    picture.paste(visible, (middle_x - letters.width // 2, box[1]))
