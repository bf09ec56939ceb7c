"""The strip below the board: everything a game has once, in order, free ones raised and used ones struck out."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from renderers.pixels.canvas import Canvas
from renderers.pixels.layout import Layout
from renderers.pixels.lettering import drawable
from renderers.pixels.palette import palette
from renderers.pixels.theme import Theme
from renderers.scene import Slot

_LETTERS = 0.54
_NARROW = 0.66
"""Size of the letters of a slot: in heights of it, and in its width where it is narrow."""


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw every slot of a scene's strip."""
    for slot, (left, top, right, bottom) in layout.strip:
        picture.paste(_sprite(theme, (right - left, bottom - top), slot), (left, top))


@lru_cache(maxsize=512)
def _sprite(theme: Theme, size: tuple[int, int], slot: Slot) -> Image.Image:
    """Return a slot; its colours say whose it is, and the stroke through it says without them that it is used."""
    canvas, wide = Canvas(size, size[1], theme.background), size[0] / size[1]
    letters = min(_LETTERS, _NARROW * wide)
    if slot.used_by is None:
        canvas.rounded_rectangle((0, 0, wide, 1), 0.2, theme.panel)
        canvas.letters(wide / 2, 0.5, drawable(slot.label), letters, theme.text)
    else:
        canvas.line(((0.1, 0.88), (wide - 0.1, 0.12)), 0.07 * theme.stroke, theme.look(slot.used_by).face)
        canvas.letters(wide / 2, 0.5, drawable(slot.label), letters * 0.86, theme.muted)
    return canvas.finish(palette(theme))
