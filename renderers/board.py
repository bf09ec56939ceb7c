"""The board itself: squares or dots with what stands on them and what is said of them, and the goals beside it."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import product

from PIL import Image

from renderers import cells, dots, outlines, pieces, strokes
from renderers.cells import Cell
from renderers.layout import Layout
from renderers.lettering import drawable
from renderers.marks import Pen
from renderers.palette import palette
from renderers.pieces import Figure
from renderers.scene import Colour, Ground, Mark, Piece, Scene, Shape
from renderers.sheet import Sheet
from renderers.theme import Theme, mix
from renderers.trays import colours_of_backs

_DEFAULTS = {Ground.TILES: Colour.PLAIN, Ground.CELLS: Colour.WOOD, Ground.DOTS: Colour.PLAIN}
_FRAME = 6
_CORNER = 16
_FROM_NEXT = frozenset({Mark.CHOSEN, Mark.TARGET})


def figures(scene: Scene) -> dict[str, Figure]:
    """Return what stands on every square, as it appears from the side the board is seen from."""
    backs = colours_of_backs(scene)
    return {piece.square: _figure(piece, backs, scene.turned) for piece in scene.pieces}


def _figure(piece: Piece, backs: dict[Colour, Colour], turned: bool) -> Figure:
    sides = piece.sides[2:] + piece.sides[:2] if turned else piece.sides
    has_back = piece.shape in (Shape.DISC, Shape.TOWER)
    back = backs.get(piece.colour, piece.colour) if has_back else piece.colour
    return Figure(piece.shape, piece.colour, back, piece.value, sides)


def _marks(scene: Scene) -> dict[str, frozenset[Mark]]:
    """Return the marks of every square or goal that has any."""
    found: defaultdict[str, set[Mark]] = defaultdict(set)
    for mark, square in scene.marks:
        found[square].add(mark)
    return {square: frozenset(marks) for square, marks in found.items()}


def draw_squares(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw every square with its marks and its piece, and the frame around them."""
    scene = layout.scene
    left, top, right, bottom = layout.board
    rim = layout.px(_FRAME)
    box = (left - rim, top - rim, right + rim, bottom + rim)
    strokes.plate(picture, theme, box, layout.px(_CORNER), theme.frame, theme.ground)
    standing, marks = figures(scene), _marks(scene)
    default = _DEFAULTS[scene.ground]
    for column, row in product(range(scene.files), range(scene.ranks)):
        name = layout.grid.name(column, row)
        file, rank = scene.square_index(name)
        at = rank * scene.files + file
        colour = scene.tiles[at] if at < len(scene.tiles) else default
        turned = scene.turned and colour is Colour.SPLIT
        what = Cell(scene.ground, colour, standing.get(name), marks.get(name, frozenset()), turned)
        picture.paste(cells.cell(theme, layout.cell, what), layout.corner(column, row))


def draw_dots(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw the field, the lines on it and over them every dot with its marks and its piece."""
    scene = layout.scene
    standing, marks = figures(scene), _marks(scene)
    field = outlines.field(theme, layout.grid, layout.px(1000) / 1000, scene.outlines)
    picture.paste(field, layout.board[:2])
    for column, row in product(range(scene.files), range(scene.ranks)):
        name = layout.grid.name(column, row)
        sprite, shape = dots.dot(theme, layout.cell, standing.get(name), marks.get(name, frozenset()))
        picture.paste(sprite, layout.corner(column, row), shape)


def draw_goals(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw the bars of the goals, with their marks and the piece that reached one."""
    scene = layout.scene
    standing, marks = figures(scene), _marks(scene)
    for goal in scene.goals:
        box = layout.goals.get(goal.name)
        if box is None:
            continue
        size = (box[2] - box[0], box[3] - box[1])
        said, figure = marks.get(goal.name, frozenset()), standing.get(goal.name)
        entry = layout.entry(goal.name) - box[0]
        picture.paste(_bar(theme, size, drawable(goal.label), said, figure, entry if figure else 0), box[:2])


@lru_cache(maxsize=128)
def _bar(
    theme: Theme, size: tuple[int, int], label: str, marks: frozenset[Mark], figure: Figure | None, entry: int
) -> Image.Image:
    """Return the sprite of a goal, with the figure that entered it at a pixel; a cell is as high as the bar."""
    sheet, long = Sheet(size, size[1], theme.ground), size[0] / size[1]
    fill = mix(theme.bar, theme.next.on(theme.bar), 0.3) if Mark.CHOSEN in marks else theme.bar
    sheet.plate((0, 0, long, 1), 0.22, theme.frame)
    sheet.plate((0.05, 0.05, long - 0.05, 0.95), 0.19, fill)
    if marks - {Mark.TARGET}:
        accent = theme.next if marks & _FROM_NEXT else theme.last
        for grow, colour in ((0.035, accent.dark), (0.0, accent.light)):
            near = 0.09 - grow
            sheet.frame((near, near, long - near, 1 - near), 0.16, 0.085 + 2 * grow, colour)
    if Mark.TARGET in marks:
        for x in (long * 0.3, long * 0.7):
            Pen(sheet, theme.next, theme).disc(0.2, x)
    if figure is not None:
        pieces.draw(sheet, figure, theme, entry / size[1], 0.5)
    in_the_way = figure is not None and abs(entry / size[0] - 0.5) < 0.25
    sheet.letters(long * (0.15 if in_the_way else 0.5), 0.5, label, 0.52, theme.look(Colour.WOOD).face)
    return sheet.finish(palette(theme))
