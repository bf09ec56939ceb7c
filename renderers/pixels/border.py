"""What stands around the board: letters of files, numbers of ranks, pointers beside ranks, and the strip below it.

The strip holds everything a game has once, in order: free things raised and used ones struck out.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from PIL import Image

from renderers.pixels.canvas import Canvas, rounded_rectangle
from renderers.pixels.layout import Layout, opposite
from renderers.pixels.lettering import Weight, draw_text, drawable, text_width
from renderers.pixels.palette import palette
from renderers.pixels.theme import Theme
from renderers.scene import Colour, EdgeMark, Side, Slot
from renderers.scripts.clusters import clusters

_COORDINATE = 29
_TAG = 40
_SLOT_LETTERS = 0.54
_NARROW_SLOT = 0.66
"""Size of the letters of a slot: in heights of it, and in its width where it is narrow."""


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw coordinates, if the scene wants them, and the pointers beside ranks."""
    if layout.scene.coordinates:
        scene, size = layout.scene, layout.px(_COORDINATE)
        left, _, _, _ = layout.board
        bars = (*layout.goals.values(), *(bar for _, bar in layout.homes))
        bottom = max([layout.board[3], *(bar[3] for bar in bars)])
        tags = any((edge.side is Side.LEFT) != scene.turned for edge in scene.edges)
        rank_x = left - layout.px(70 if tags else 30)
        for file in range(scene.files):
            x, _ = layout.middle(scene.square_name(file, 0)) or (0, 0)
            _write(picture, theme, x, bottom + layout.px(30), scene.file_letter(file), size)
        for rank in range(scene.ranks):
            _, y = layout.middle(scene.square_name(0, rank)) or (0, 0)
            _write(picture, theme, rank_x, y, str(rank + 1), size)
    beside: defaultdict[tuple[Side, int], list[EdgeMark]] = defaultdict(list)
    for colour, box in layout.homes:
        look, corner, line = theme.look(colour), layout.px(6), layout.px(2)
        border = theme.edge(look, theme.background)
        rounded_rectangle(picture, theme, box, corner, border, theme.background)
        inner = box[0] + line, box[1] + line, box[2] - line, box[3] - line
        rounded_rectangle(picture, theme, inner, max(1, corner - line), look.face, border)
    for edge in layout.scene.edges:
        if 1 <= edge.rank <= layout.scene.ranks:
            beside[opposite(edge.side) if layout.scene.turned else edge.side, edge.rank].append(edge)
    for (side, rank), edges in beside.items():
        left, _, right, _ = layout.board
        _, y = layout.middle(layout.scene.square_name(0, rank - 1)) or (0, 0)
        size = min(layout.px(_TAG), layout.cell // len(edges))
        x = left - layout.px(11) - size if side is Side.LEFT else right + layout.px(11)
        top = y - size * len(edges) // 2
        for at, edge in enumerate(edges):
            letter = "".join(clusters(drawable(edge.whose or edge.label))[:1]).upper()
            tag = _tag(theme, size, edge.colour, letter, side is Side.RIGHT)
            picture.paste(tag, (x, top + at * size))


def _write(picture: Image.Image, theme: Theme, x: int, y: int, text: str, size: int) -> None:
    """Write a coordinate centred on a pixel."""
    left = x - text_width(text, size, Weight.MEDIUM) // 2
    draw_text(picture, theme, (left, y), text, size, Weight.MEDIUM, theme.muted, theme.background)


@lru_cache(maxsize=128)
def _tag(theme: Theme, size: int, colour: Colour, letter: str, mirrored: bool) -> Image.Image:
    """Return a small sign that points at the board and holds the first letter of its label."""
    canvas, look = Canvas((size, size), size, theme.background), theme.look(colour)
    edge = theme.edge(look, theme.background)
    for grow, fill in ((0.0, edge), (-0.05, look.face)):
        outer, tip, back = 0.42 + grow, 0.98 + 1.4 * grow, 0.04 - grow
        points = [(back, 0.5 - outer), (0.62, 0.5 - outer), (tip, 0.5), (0.62, 0.5 + outer), (back, 0.5 + outer)]
        canvas.polygon([(1 - x, y) for x, y in points] if mirrored else points, fill)
    canvas.letters(0.62 if mirrored else 0.38, 0.5, letter, 0.6, look.ink)
    return canvas.finish(palette(theme))


def draw_strip(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw every slot of a scene's strip."""
    for slot, (left, top, right, bottom) in layout.strip:
        picture.paste(_slot(theme, (right - left, bottom - top), slot), (left, top))


@lru_cache(maxsize=512)
def _slot(theme: Theme, size: tuple[int, int], slot: Slot) -> Image.Image:
    """Return a slot; its colours say whose it is, and the stroke through it says without them that it is used."""
    canvas, wide = Canvas(size, size[1], theme.background), size[0] / size[1]
    letters = min(_SLOT_LETTERS, _NARROW_SLOT * wide)
    if slot.used_by is None:
        canvas.rounded_rectangle((0, 0, wide, 1), 0.2, theme.panel)
        canvas.letters(wide / 2, 0.5, drawable(slot.label), letters, theme.text)
    else:
        canvas.line(((0.1, 0.88), (wide - 0.1, 0.12)), 0.07 * theme.stroke, theme.look(slot.used_by).face)
        canvas.letters(wide / 2, 0.5, drawable(slot.label), letters * 0.86, theme.muted)
    return canvas.finish(palette(theme))
