"""The way of a move: a line with an arrow head from square to square, passing below the pieces and crosses it meets."""

from __future__ import annotations

from itertools import pairwise
from math import dist, gcd, hypot

from PIL import Image

from renderers.pixels.blit import Pixel, blit
from renderers.pixels.layout import Layout
from renderers.pixels.lines import arrow_masks
from renderers.pixels.palette import palette
from renderers.pixels.pieces import REACH
from renderers.pixels.theme import Theme
from renderers.scene import Mark, Path

_LINE = 9.0
_EDGE = 2.6
_HEAD = 27.0
_PIECE_GAP = REACH + 0.06
_CROSS_GAP = 0.27
"""The gap round the middle of a square with a piece, or with a cross in its place, in cells."""
_SHORTEST_HEAD = 0.22
"""How much of the last part of a path is drawn at least, in cells, even if its head must lie over the pieces' rims."""

Leg = tuple[Pixel, Pixel, tuple[float, float], bool]
"""The start and end of a part of a path, the gaps at either end, and whether it has the head."""


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw all paths of a scene: first the dark edges, then the lines."""
    gaps = {square: _CROSS_GAP for mark, square in layout.scene.marks if mark is Mark.CAPTURED}
    gaps |= {piece.square: _PIECE_GAP for piece in layout.scene.pieces}
    legs: list[Leg] = []
    for path in layout.scene.paths:
        stops = _stops(layout, path)
        for number, ((start, first), (end, second)) in enumerate(pairwise(stops), start=2):
            trims = (gaps.get(first, 0.0) * layout.cell, gaps.get(second, 0.0) * layout.cell)
            is_last = number == len(stops)
            if is_last and all(trims):
                missing = max(0.0, _SHORTEST_HEAD * layout.cell - (dist(start, end) - sum(trims)))
                trims = (trims[0] - missing / 2, trims[1] - missing / 2)
            legs.append((start, end, trims, is_last))
    tiles = layout.scene.tiles
    scale, ground = layout.px(1000) / 1000, (theme.tile(tiles[0]) if tiles else theme.field)
    outer, inner = theme.last.edge(ground), theme.last.on(ground)
    edge, line, longest = _EDGE * scale, _LINE * theme.stroke * scale, _HEAD * theme.stroke * scale
    for grow, colour, background in ((edge, outer, None), (0.0, inner, outer)):
        masks = []
        for start, end, trims, is_last in legs:
            dx, dy = end[0] - start[0], end[1] - start[1]
            head = min(longest, hypot(dx, dy) - sum(trims)) if is_last else 0.0
            near = trims[0] - grow if trims[0] else 0.0
            far = trims[1] - (1.7 * grow if is_last else grow) if trims[1] or is_last else 0.0
            tip = head + 1.9 * grow if is_last else 0.0
            masks += [(mask, start) for mask in arrow_masks((dx, dy), line + 2 * grow, (near, far), tip)]
        blit(picture, palette(theme), masks, colour, background)


def _stops(layout: Layout, path: Path) -> list[tuple[Pixel, str]]:
    """Return every middle a path goes through, with the name of its square; a goal is entered straight."""
    stops: list[tuple[Pixel, str]] = []
    for name in path.squares:
        if name in layout.goals:
            _, top, _, bottom = layout.goals[name]
            stops.append(((layout.entry(name), (top + bottom) // 2), name))
            continue
        place = layout.grid.place(name)
        if place is None:
            continue
        start = layout.grid.place(stops[-1][1]) if stops else None
        if start is not None:
            # The middles strictly between the two in one straight line.
            columns, rows = place[0] - start[0], place[1] - start[1]
            parts = gcd(columns, rows)
            for part in range(1, parts):
                between = layout.grid.name(start[0] + columns // parts * part, start[1] + rows // parts * part)
                if (passed := layout.middle(between)) is not None:
                    stops.append((passed, between))
        middle = layout.middle(name)
        if middle is not None and (not stops or stops[-1][0] != middle):
            stops.append((middle, name))
    return stops
