"""Scenes as PNG pictures: finished sprites pasted side by side, lines on top, all in one palette.

Knows the vocabulary of scenes and nothing of games. Safe to call from several threads at once.
"""

from __future__ import annotations

from PIL import Image

from renderers.pixels import board, border, paths, trays
from renderers.pixels.layout import FULL_WIDTH, Layout
from renderers.pixels.lettering import Weight, draw_text, text_image
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.theme import theme_named
from renderers.scene import Ground, Scene


def png(scene: Scene, theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    """Return a scene as a PNG file ``width`` pixels wide; its height follows from what it holds.

    Raises ``ValueError`` for an unknown theme, a width outside 200 to 2400 and a board without squares. Marks, pieces
    and lines that name no square of the board are left out.
    """
    return encode(draw(scene, theme, width))


def detail(scene: Scene, theme: str, width: int, squares: tuple[int, int, int]) -> bytes:
    """Return a part of a scene, which is ``width`` pixels wide, as a PNG file; raises like ``png``.

    ``squares`` are the column and row of its upper left corner, as the scene is seen, and how many it has each way.
    """
    column, row, count = squares
    layout = Layout(scene.translated(), width)
    left, top = layout.corner(column, row)
    side = count * layout.cell
    return encode(draw(scene, theme, width).crop((left, top, left + side, top + side)))


def draw(scene: Scene, theme: str = "dark", width: int = FULL_WIDTH) -> Image.Image:
    """Return a scene as a picture in the palette of its theme (mode ``P``); otherwise like ``png``."""
    scene = scene.translated()
    colours, layout = theme_named(theme), Layout(scene, width)
    picture = palette(colours).image((width, layout.height), colours.background)
    if scene.ground is Ground.DOTS:
        board.draw_dots(picture, layout, colours)
    else:
        board.draw_squares(picture, layout, colours)
        board.draw_lines(picture, layout, colours)
    board.draw_goals(picture, layout, colours)
    border.draw(picture, layout, colours)
    paths.draw(picture, layout, colours)
    trays.draw(picture, layout, colours)
    text, left, middle = layout.status
    draw_text(picture, colours, (left, middle), text, layout.status_size, Weight.BOLD, colours.text, colours.background)
    for line, left, top in layout.notes:
        letters = text_image(colours, line, layout.note_size, Weight.MEDIUM, colours.muted, colours.background)
        picture.paste(letters, (left, top))
    border.draw_strip(picture, layout, colours)
    return picture
