"""Polygons over dots. The latest runs from dot to dot in its seat's colour and line pattern; the others are thin and
fade with age. Once the game is over they are panes of glass, and each seat's last one has a halo.

Earlier outlines only show which dots and areas are used, so they must not hide the free dots.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gcd, hypot

from PIL import Image, ImageDraw

from renderers.pixels import lines
from renderers.pixels.blit import blit
from renderers.pixels.canvas import rounded_rectangle
from renderers.pixels.layout import Grid
from renderers.pixels.lettering import CAPITALS, Weight, drawable, font, text_image, text_width, truncated
from renderers.pixels.lines import Point, Style, style_of
from renderers.pixels.palette import PANES, aged, filled, glass, palette
from renderers.pixels.theme import RGB, Theme
from renderers.scene import Outline, Scene

_CORNER = 16
_LABEL, _LEAST_LABEL = 31, 14
"""Height of the letters of a label, and the least there is of it in a small picture."""
_LATEST = 1.35
"""Width of the latest outline's lines, in widths of a seat's line."""
_QUIET = 2.6
_THINNEST = 1.6
"""Width of the other outlines' lines, and the least there is of it in a small picture."""
_PANE, _LEAD = 0.72, 7.0
"""Width of a pane's own line, in widths of a seat's line, and of the lead around it."""
_LAST, _HALO = 0.9, 3.2
"""Width of the line of a seat's last pane, in widths of a seat's line, and how far the halo of a last pane reaches out
beyond its line, in pixels of the full width."""
_YOUNG = (3, 4)
"""How many outlines before the latest are of the youngest age, how many before these of the next; then all are old."""
_LANES = 5
_INSET, _LANE = 4.0, 4.5
"""How far inside its dots an outline runs, and how much farther in each lane, in pixels of the full width: lines that
would lie on each other run side by side, so that no two outlines share an edge."""

Step = tuple[tuple[int, int], tuple[int, int]]
"""Two neighbouring dots on a side, in the order in which the outline runs, which is always the same way round."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """An outline with the pixels it runs through."""

    outline: Outline
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _LabelBox:
    """The place of the label of an outline, in pixels, and the text and size of its letters."""

    outline: Outline
    bounds: tuple[int, int, int, int]
    text: str
    size: int
    moved: bool
    """Whether it is not inside the uppermost corner."""


@lru_cache(maxsize=24)
def field(theme: Theme, grid: Grid, scale: float, outlines: tuple[Outline, ...]) -> Image.Image:
    """Return the field beneath the dots with all outlines; one with a corner that is not on the board is left out.

    ``scale`` 1 is that of a picture of full width. The picture is kept, because most pictures of a turn differ in
    other things: paste it, never draw on it.
    """
    taken: defaultdict[Step, set[int]] = defaultdict(set)
    placed: list[_Placed] = []
    for outline in outlines:
        if len(outline.corners) < 3 or not all(map(grid.place, outline.corners)):
            continue
        steps = list(_steps([Scene.square_index(corner) for corner in outline.corners]))
        used = set().union(*(taken[step] for step in steps))
        lane = next((lane for lane in range(_LANES) if lane not in used), 0)
        for step in steps:
            taken[step].add(lane)
        corners = [grid.middle(corner) or (0, 0) for corner in outline.corners]
        inset = 0.0 if outline.latest else (_INSET + lane * _LANE) * scale
        inward = [_inward(corners, at) for at in range(len(corners))]
        moved = tuple((x + dx * inset, y + dy * inset) for (x, y), (dx, dy) in zip(corners, inward, strict=True))
        placed.append(_Placed(outline, moved))
    earlier = tuple(drawn for drawn in placed if not drawn.outline.latest)
    picture = _with_panes(theme, grid, scale, placed)
    if picture is None:
        young = len(earlier) - sum(_YOUNG)
        picture = _with_old_lines(theme, grid, scale, earlier[: max(0, young)]).copy()
        for at, drawn in enumerate(earlier[max(0, young) :], max(0, young)):
            _draw_earlier(picture, theme, drawn, scale, 1 if at < len(earlier) - _YOUNG[0] else 2)
    covered = Image.new("1", picture.size)
    labels = []
    for drawn in placed:
        if drawn.outline.latest:
            box = _label_box(grid, drawn, round(_LABEL * scale), covered)
            labels.append((drawn, box))
            # No other label may stand where the lines and the label of the latest outline are.
            draw = ImageDraw.Draw(covered)
            width = round(style_of(theme, drawn.outline.colour, scale * _LATEST).width) + 2
            draw.line([*drawn.points, drawn.points[0]], fill=1, width=width)
            if box is not None:
                draw.rectangle(box.bounds, fill=1)
    for box in _quiet_labels(grid, earlier, round(_LABEL * scale), covered):
        look = theme.look(box.outline.colour)
        _draw_label(picture, theme, box, look.ink, look.face)
    for drawn, box in labels:
        look, area = theme.look(drawn.outline.colour), Image.new("1", picture.size)
        ImageDraw.Draw(area).polygon(drawn.points, fill=1)
        tinted = palette(theme).replacement(theme.field, filled(theme, drawn.outline.colour))
        picture.paste(picture.point(tinted), (0, 0), area)
        _draw_sides(picture, theme, drawn.points, style_of(theme, drawn.outline.colour, scale * _LATEST), look.face)
        _draw_label(picture, theme, box, look.ink, look.face)
    return picture


@lru_cache(maxsize=24)
def _with_old_lines(theme: Theme, grid: Grid, scale: float, placed: tuple[_Placed, ...]) -> Image.Image:
    """Return the field with the lines of the oldest outlines: the kept picture without the last of them, with that one
    added.
    """
    if not placed:
        size = grid.files * grid.cell, grid.ranks * grid.cell
        picture = palette(theme).image(size, theme.background)
        rounded_rectangle(picture, theme, (0, 0, *size), round(_CORNER * scale), theme.field, theme.background)
        return picture
    picture = _with_old_lines(theme, grid, scale, placed[:-1]).copy()
    _draw_earlier(picture, theme, placed[-1], scale, 0)
    return picture


def _draw_earlier(picture: Image.Image, theme: Theme, placed: _Placed, scale: float, age: int) -> None:
    style = Style(max(_THINNEST, _QUIET * theme.stroke * scale))
    _draw_sides(picture, theme, placed.points, style, aged(theme, placed.outline.colour, age))


def _with_panes(theme: Theme, grid: Grid, scale: float, placed: Sequence[_Placed]) -> Image.Image | None:
    """Return a new picture of panes of glass, the largest lowest, each in lead and its seat's own line.

    None if no outline is a pane.
    """

    def area_of(pane: _Placed) -> float:
        sides = pairwise([*pane.points, pane.points[0]])
        return abs(sum(x * down - across * y for (x, y), (across, down) in sides)) / 2

    panes = sorted((pane for pane in placed if pane.outline.pane), key=area_of, reverse=True)
    if not panes:
        return None
    picture = _with_old_lines(theme, grid, scale, ()).copy()
    lead = Style(max(_THINNEST, _LEAD * scale))
    for at, pane in enumerate(panes):
        area = Image.new("1", picture.size)
        ImageDraw.Draw(area).polygon(pane.points, fill=1)
        colour = glass(theme, pane.outline.colour, at % len(PANES))
        picture.paste(palette(theme).index(colour), (0, 0), area)
        _draw_sides(picture, theme, pane.points, lead, theme.frame)
        style = style_of(theme, pane.outline.colour, scale * _PANE)
        _draw_sides(picture, theme, pane.points, style, theme.look(pane.outline.colour).face)
    # The last outline of each seat lies over all panes, and the latest one over these.
    last = {pane.outline.colour: pane for pane in placed if pane.outline.pane}
    for pane in sorted(last.values(), key=lambda pane: pane.outline.latest):
        style = style_of(theme, pane.outline.colour, scale * (_LATEST if pane.outline.latest else _LAST))
        halo = Style(style.width + 2 * max(1.0, _HALO * scale))
        _draw_sides(picture, theme, pane.points, halo, theme.last.on(theme.field))
        _draw_sides(picture, theme, pane.points, style, theme.look(pane.outline.colour).face)
    return picture


def _draw_sides(picture: Image.Image, theme: Theme, points: Sequence[Point], style: Style, colour: RGB) -> None:
    """Draw the sides of a polygon, each with dashes of its own."""
    masks = []
    for start, end in pairwise([*points, points[0]]):
        origin = round(start[0]), round(start[1])
        form = ((0, 0), (round(end[0]) - origin[0], round(end[1]) - origin[1]))
        masks += [(mask, origin) for mask in lines.line_masks(form, style)]
    blit(picture, palette(theme), masks, colour)


def _steps(corners: list[tuple[int, int]]) -> Iterator[Step]:
    """Yield every step from dot to dot along the sides of a polygon, anticlockwise on the board.

    Outlines on either side of a line run along it in opposite directions and do not meet.
    """
    sides = list(zip(corners, [*corners[1:], *corners[:1]], strict=True))
    if sum(file * to_rank - to_file * rank for (file, rank), (to_file, to_rank) in sides) < 0:
        sides = [(end, start) for start, end in sides]
    for (file, rank), (to_file, to_rank) in sides:
        files, ranks = to_file - file, to_rank - rank
        parts = gcd(files, ranks)
        yield from pairwise((file + files * part // parts, rank + ranks * part // parts) for part in range(parts + 1))


def _inward(corners: Sequence[Point], at: int) -> Point:
    """Return the sum of the unit vectors along the two sides that leave a corner."""
    x = y = 0.0
    for other in (corners[at - 1], corners[(at + 1) % len(corners)]):
        aside, down = other[0] - corners[at][0], other[1] - corners[at][1]
        long = hypot(aside, down) or 1.0
        x, y = x + aside / long, y + down / long
    return x, y


def _quiet_labels(grid: Grid, placed: Sequence[_Placed], size: int, covered: Image.Image) -> Iterator[_LabelBox]:
    """Yield where the labels of earlier outlines stand; those that have to make way find a place last."""
    staying: list[tuple[_Placed, _LabelBox]] = []
    moving: list[tuple[_Placed, _LabelBox]] = []
    for drawn in placed:
        box = _label_box(grid, drawn, size, covered)
        if box is not None:
            (moving if box.moved else staying).append((drawn, box))
    draw = ImageDraw.Draw(covered)
    for drawn, box in [*staying, *moving]:
        free = _label_box(grid, drawn, size, covered) if box.moved else box
        draw.rectangle((free or box).bounds, fill=1)
        yield free or box


def _label_box(grid: Grid, drawn: _Placed, size: int, covered: Image.Image) -> _LabelBox | None:
    """Return where a label stands: inside the uppermost corner at which nothing is ``covered``, else the uppermost.

    Corners are used once, so no two labels meet. None for an outline without a label that can be drawn.
    """
    size = max(min(_LEAST_LABEL, grid.cell // 2), min(size, grid.cell * 2 // 7))
    text = truncated(drawable(drawn.outline.label), size, Weight.BOLD, grid.cell)
    if not text:
        return None
    wide, high = max(text_width(text, size, Weight.BOLD) + size // 2, round(size * 1.2)), round(size * 1.2)
    away = max(0.3 * grid.cell, size * 0.95)
    boxes = []
    for at in sorted(range(len(drawn.points)), key=lambda place: (drawn.points[place][1], drawn.points[place][0])):
        corner, inward = drawn.points[at], _inward(drawn.points, at)
        left, top = round(corner[0] + inward[0] * away) - wide // 2, round(corner[1] + inward[1] * away) - high // 2
        boxes.append((left, top, left + wide, top + high))
    free = next((box for box in boxes if covered.crop(box).getbbox() is None), boxes[0])
    return _LabelBox(drawn.outline, free, text, size, free is not boxes[0])


def _draw_label(picture: Image.Image, theme: Theme, label: _LabelBox | None, ink: RGB, background: RGB) -> None:
    if label is None:
        return
    box, size = label.bounds, label.size
    left, top, right, bottom = box
    rounded_rectangle(picture, theme, box, size // 3, background, theme.field)
    letters = text_image(theme, label.text, size, Weight.BOLD, ink, background)
    ascent = font(size, Weight.BOLD).getmetrics()[0]
    cap = round(size * CAPITALS)
    above = ascent - cap - (bottom - top - cap) // 2
    visible = letters.crop((0, above, letters.width, above + bottom - top))
    picture.paste(visible, ((left + right) // 2 - letters.width // 2, top))
