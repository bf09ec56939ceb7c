"""The board itself: squares or dots with their pieces and marks, and the goals beside it."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import product

from PIL import Image

from renderers.pixels import cells, dots, lines, outlines, pieces
from renderers.pixels.canvas import Canvas, rounded_rectangle
from renderers.pixels.cells import Cell
from renderers.pixels.layout import Layout
from renderers.pixels.lettering import Weight, drawable, text_width
from renderers.pixels.marks import Pen
from renderers.pixels.palette import palette
from renderers.pixels.pieces import Figure
from renderers.pixels.theme import Theme, mix
from renderers.pixels.trays import colours_of_backs
from renderers.scene import Colour, Ground, Mark, Scene, Shape

_DEFAULTS = {Ground.TILES: Colour.PLAIN, Ground.CELLS: Colour.WOOD, Ground.DOTS: Colour.PLAIN}
_FRAME = 6
_CORNER = 16
_BORDER = 7
_BAR_LETTERS = 0.52
_LATEST = 1.8
"""Width of the latest line, in widths of a seat's line."""
_SIDES = {(0, -1): (0, 0, 1, 0), (0, 1): (0, 1, 1, 1), (-1, 0): (0, 0, 0, 1), (1, 0): (1, 0, 1, 1)}
"""For every neighbour of a square: the corners of the square between which their common side lies."""
_FROM_NEXT = frozenset({Mark.CHOSEN, Mark.TARGET})


def figures(scene: Scene) -> dict[str, Figure]:
    """Return the figure on each square with a piece, as it looks from the viewer's side."""
    backs = colours_of_backs(scene)
    by_square = {}
    for piece in scene.pieces:
        sides = piece.sides[2:] + piece.sides[:2] if scene.turned else piece.sides
        has_back = piece.shape in (Shape.DISC, Shape.TOWER)
        back = backs.get(piece.colour, piece.colour) if has_back else piece.colour
        by_square[piece.square] = Figure(piece.shape, piece.colour, back, piece.value, sides)
    return by_square


def _marks(scene: Scene) -> dict[str, frozenset[Mark]]:
    by_square: defaultdict[str, set[Mark]] = defaultdict(set)
    for mark, square in scene.marks:
        by_square[square].add(mark)
    return {square: frozenset(marks) for square, marks in by_square.items()}


def draw_squares(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw every square with its marks and its piece, and the frame around them."""
    scene = layout.scene
    left, top, right, bottom = layout.board
    rim = layout.px(_FRAME)
    box = (left - rim, top - rim, right + rim, bottom + rim)
    rounded_rectangle(picture, theme, box, layout.px(_CORNER), theme.frame, theme.background)
    standing, marks = figures(scene), _marks(scene)
    tints = {square: region.colour for region in scene.regions if region.tinted for square in region.squares}
    default = _DEFAULTS[scene.ground]
    for column, row in product(range(scene.files), range(scene.ranks)):
        name = layout.grid.name(column, row)
        file, rank = scene.square_index(name)
        at = rank * scene.files + file
        colour = scene.tiles[at] if at < len(scene.tiles) else default
        turned = scene.turned and colour is Colour.SPLIT
        said = marks.get(name, frozenset())
        what = Cell(scene.ground, colour, standing.get(name), said, tints.get(name), turned)
        picture.paste(cells.cell(theme, layout.cell, what), layout.corner(column, row))
    for region in scene.regions:
        places = {place for square in region.squares if (place := layout.grid.place(square))}
        sides = {
            (layout.corner(column + x, row + y), layout.corner(column + to_x, row + to_y))
            for column, row in places
            for (aside, down), (x, y, to_x, to_y) in _SIDES.items()
            if (column + aside, row + down) not in places
        }
        # Level and upright lines need no soft edge: each is a box.
        for width, ink in ((_BORDER + 3, theme.frame), (_BORDER, theme.look(region.colour).face)):
            half = layout.px(width * theme.stroke / 2)
            for (left, top), (right, bottom) in sides:
                picture.paste(palette(theme).index(ink), (left - half, top - half, right + half, bottom + half))


def draw_dots(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw the field, the lines on it and over them every dot with its marks and its piece."""
    scene = layout.scene
    standing, marks = figures(scene), _marks(scene)
    field = outlines.field(theme, layout.grid, layout.px(1000) / 1000, scene.outlines)
    picture.paste(field, layout.board[:2])
    draw_lines(picture, layout, theme)
    for column, row in product(range(scene.files), range(scene.ranks)):
        name = layout.grid.name(column, row)
        sprite, shape = dots.dot(theme, layout.cell, standing.get(name), marks.get(name, frozenset()))
        picture.paste(sprite, layout.corner(column, row), shape)


def draw_lines(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw the lines between squares; one with an end that is not on the board is left out."""
    for line in layout.scene.lines:
        ends = [middle for square in line.ends if (middle := layout.middle(square))]
        if len(ends) == len(line.ends):
            style = lines.style_of(theme, line.colour, layout.px(1000) / 1000 * (_LATEST if line.latest else 1))
            lines.draw(picture, theme, style, theme.look(line.colour).face, ends)


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
        label = drawable(" · ".join(dict.fromkeys(filter(None, (goal.name, goal.label)))))
        bar = _bar(theme, size, goal.colour, label, said, figure, entry if figure else 0)
        picture.paste(bar, box[:2])


@lru_cache(maxsize=128)
def _bar(
    theme: Theme,
    size: tuple[int, int],
    colour: Colour,
    label: str,
    marks: frozenset[Mark],
    figure: Figure | None,
    entry: int,
) -> Image.Image:
    """Return the sprite of a goal, with the figure that entered it at a pixel; a cell is as high as the bar."""
    canvas, long = Canvas(size, size[1], theme.background), size[0] / size[1]
    bar = theme.bar(colour)
    fill = mix(bar, theme.next.on(bar), 0.3) if Mark.CHOSEN in marks else bar
    canvas.rounded_rectangle((0, 0, long, 1), 0.22, theme.frame)
    canvas.rounded_rectangle((0.05, 0.05, long - 0.05, 0.95), 0.19, fill)
    if marks - {Mark.TARGET}:
        lines = (theme.next.dark, theme.next.light)
        if not marks & _FROM_NEXT:
            accent = theme.won if Mark.WINNING in marks else theme.last
            lines = (accent.edge(bar), accent.on(bar))
        for grow, line in zip((0.035, 0.0), lines, strict=True):
            near = 0.09 - grow
            canvas.frame((near, near, long - near, 1 - near), 0.16, 0.085 + 2 * grow, line)
    if Mark.TARGET in marks:
        for x in (long * 0.3, long * 0.7):
            Pen(canvas, theme.next, theme).disc(0.2, x)
    if figure is not None:
        pieces.draw(canvas, figure, theme, entry / size[1], 0.5)
    ink = theme.look(colour).face if colour is Colour.WOOD else theme.look(colour).ink
    high = round(_BAR_LETTERS * size[1])
    middle, entered = long / 2, entry / size[1]
    if figure and abs(entered - middle) <= text_width(label, high, Weight.BOLD) / size[1] / 2 + 0.5:
        # The figure is in the way of the label, which goes into the larger part beside it.
        middle = (entered - 0.5) / 2 if entered > middle else (long + entered + 0.5) / 2
    canvas.letters(middle, 0.5, label, _BAR_LETTERS, ink)
    return canvas.finish(palette(theme))
