"""The gutters around the board: letters of files, numbers of ranks and pointers beside ranks."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from PIL import Image

from renderers.pixels.canvas import Canvas
from renderers.pixels.layout import Layout, Pixels, opposite
from renderers.pixels.lettering import Weight, draw_text, drawable, text_width
from renderers.pixels.palette import palette
from renderers.pixels.rounded import rounded_rectangle
from renderers.pixels.theme import Theme
from renderers.scene import Colour, EdgeMark, Side
from renderers.scripts.clusters import clusters

_COORDINATE = 29
_TAG = 40


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw coordinates, if the scene wants them, and the pointers beside ranks."""
    if layout.scene.coordinates:
        _draw_coordinates(picture, layout, theme)
    beside: defaultdict[tuple[Side, int], list[EdgeMark]] = defaultdict(list)
    for colour, box in layout.homes:
        _draw_home(picture, layout, theme, colour, box)
    for edge in layout.scene.edges:
        if 1 <= edge.rank <= layout.scene.ranks:
            beside[opposite(edge.side) if layout.scene.turned else edge.side, edge.rank].append(edge)
    for (side, rank), edges in beside.items():
        _draw_tags(picture, layout, theme, side, rank, edges)


def _draw_coordinates(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    scene, size = layout.scene, layout.px(_COORDINATE)
    left, _, _, _ = layout.board
    bars = (*layout.goals.values(), *(bar for _, bar in layout.homes))
    bottom = max([layout.board[3], *(bar[3] for bar in bars)])
    tags = any(_is_on_left(layout, edge) for edge in scene.edges)
    rank_x = left - layout.px(70 if tags else 30)
    for file in range(scene.files):
        x, _ = layout.middle(scene.square_name(file, 0)) or (0, 0)
        _write(picture, theme, x, bottom + layout.px(30), scene.file_letter(file), size)
    for rank in range(scene.ranks):
        _, y = layout.middle(scene.square_name(0, rank)) or (0, 0)
        _write(picture, theme, rank_x, y, str(rank + 1), size)


def _draw_home(picture: Image.Image, layout: Layout, theme: Theme, colour: Colour, box: Pixels) -> None:
    """Draw a seat's home side, with an edge if its colour is hard to see on the background."""
    look, corner, line = theme.look(colour), layout.px(6), layout.px(2)
    edge = theme.edge(look, theme.background)
    rounded_rectangle(picture, theme, box, corner, edge, theme.background)
    inner = box[0] + line, box[1] + line, box[2] - line, box[3] - line
    rounded_rectangle(picture, theme, inner, max(1, corner - line), look.face, edge)


def _is_on_left(layout: Layout, edge: EdgeMark) -> bool:
    return (opposite(edge.side) if layout.scene.turned else edge.side) is Side.LEFT


def _write(picture: Image.Image, theme: Theme, x: int, y: int, text: str, size: int) -> None:
    """Write a coordinate centred on a pixel."""
    left = x - text_width(text, size, Weight.MEDIUM) // 2
    draw_text(picture, theme, (left, y), text, size, Weight.MEDIUM, theme.muted, theme.background)


def _draw_tags(
    picture: Image.Image, layout: Layout, theme: Theme, side: Side, rank: int, edges: list[EdgeMark]
) -> None:
    """Draw the pointers beside one rank, one above the other if there are two."""
    left, _, right, _ = layout.board
    _, y = layout.middle(layout.scene.square_name(0, rank - 1)) or (0, 0)
    size = min(layout.px(_TAG), layout.cell // len(edges))
    x = left - layout.px(11) - size if side is Side.LEFT else right + layout.px(11)
    top = y - size * len(edges) // 2
    for at, edge in enumerate(edges):
        letter = "".join(clusters(drawable(edge.whose or edge.label))[:1]).upper()
        tag = _tag(theme, size, edge.colour, letter, side is Side.RIGHT)
        picture.paste(tag, (x, top + at * size))


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
