"""Scenes as PNG pictures: finished sprites pasted side by side, lines on top, all in one palette.

Knows the vocabulary of scenes and nothing of games. Safe to call from several threads at once.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from renderers import board, border, paths, trays
from renderers.layout import FULL_WIDTH, Layout
from renderers.lettering import Weight, written
from renderers.palette import palette
from renderers.scene import Ground, Scene
from renderers.theme import theme_named

_COMPRESSION = 4
"""The zlib level: a higher one saves little and would take most of the time a picture may cost."""


def png(scene: Scene, theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    """Return a scene as a PNG file ``width`` pixels wide; its height follows from what it holds.

    Raises ``ValueError`` for an unknown theme, a width outside 200 to 2400 and a board without squares. Marks, pieces
    and lines that name no square of the board are left out.
    """
    file = BytesIO()
    draw(scene, theme, width).save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def draw(scene: Scene, theme: str = "dark", width: int = FULL_WIDTH) -> Image.Image:
    """Return a scene as a picture in the palette of its theme (mode ``P``); otherwise like ``png``."""
    colours, layout = theme_named(theme), Layout(scene, width)
    picture = palette(colours).canvas((width, layout.height), colours.ground)
    if scene.ground is Ground.DOTS:
        board.draw_dots(picture, layout, colours)
    else:
        board.draw_squares(picture, layout, colours)
    board.draw_goals(picture, layout, colours)
    border.draw(picture, layout, colours)
    paths.draw(picture, layout, colours)
    trays.draw(picture, layout, colours)
    for line, left, top in layout.notes:
        letters = written(colours, line, layout.note_size, Weight.MEDIUM, colours.muted, colours.ground)
        picture.paste(letters, (left, top))
    return picture
