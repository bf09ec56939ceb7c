"""Squares as finished sprites: ground, marks and piece in one, drawn once and kept.

The caches are bounded and safe to use from several threads: at worst two threads draw the same sprite. A sprite is
shared, so it is pasted and never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from renderers import marks, pieces
from renderers.palette import hollow, palette
from renderers.pieces import Figure
from renderers.scene import Colour, Ground, Mark, Shape
from renderers.sheet import Sheet
from renderers.theme import RGB, Theme, mix

_GAP = 0.012
_CORNER = 0.045


@dataclass(frozen=True, slots=True)
class Cell:
    """What a square looks like: equal cells share a sprite."""

    ground: Ground
    colour: Colour
    figure: Figure | None = None
    marks: frozenset[Mark] = frozenset()
    turned: bool = False
    """Whether a split tile is seen from the far side; False for any other tile."""


@lru_cache(maxsize=1024)
def cell(theme: Theme, size: int, what: Cell) -> Image.Image:
    """Return the sprite of a square of ``size`` pixels."""
    sheet = Sheet((size, size), size, theme.frame)
    _tile(sheet, theme, what)
    occupied = what.figure is not None
    if what.figure is not None:
        pieces.cast(sheet, what.figure, theme)
    said = sorted(what.marks, key=list(Mark).index)
    for mark in said:
        if mark not in marks.ABOVE:
            marks.draw(sheet, mark, theme, what.colour, occupied=occupied)
    if what.figure is not None:
        pieces.draw(sheet, what.figure, theme)
    for mark in said:
        if mark in marks.ABOVE:
            marks.draw(sheet, mark, theme, what.colour, occupied=occupied)
    return sheet.finish(palette(theme))


def _tile(sheet: Sheet, theme: Theme, what: Cell) -> None:
    near, far = _GAP, 1 - _GAP

    def tinted(colour: RGB) -> RGB:
        return mix(colour, theme.next.on(colour), 0.3) if Mark.CHOSEN in what.marks else colour

    if what.colour is Colour.SPLIT:
        upper, lower = (Colour.WHITE, Colour.BLUE) if what.turned else (Colour.BLUE, Colour.WHITE)
        sheet.split_plate((near, near, far, far), _CORNER, tinted(theme.tile(upper)), tinted(theme.tile(lower)))
        return
    tile = tinted(theme.tile(what.colour))
    sheet.plate((near, near, far, far), _CORNER, tile)
    if what.ground is Ground.CELLS:
        sheet.disc(0.5, 0.5, 0.36, mix(tile, (0, 0, 0), 0.28))
        sheet.disc(0.5, 0.512, 0.348, hollow(tile))


@lru_cache(maxsize=256)
def figure(theme: Theme, size: int, what: Figure | None, ground: RGB) -> Image.Image:
    """Return a piece of a tray on its ground, ``size`` pixels square; None is an empty place for one.

    A dark piece on a dark ground has a light edge round it.
    """
    sheet = Sheet((size, size), size, ground)
    if what is None:
        sheet.ring(0.5, 0.5, 0.36, 0.045 * theme.stroke, mix(ground, theme.muted, 0.5))
    else:
        look = theme.look(what.colour)
        if theme.edge(look, ground) != look.rim:
            sheet.plate((0.085, 0.045, 0.915, 0.935), 0.12 if what.shape is Shape.QUARTERS else 0.415, theme.muted)
        pieces.draw(sheet, what, theme, y=0.49, scale=1.06)
    return sheet.finish(palette(theme))


@lru_cache(maxsize=256)
def corners(theme: Theme, radius: int, fill: RGB, ground: RGB) -> tuple[Image.Image, ...]:
    """Return the upper left, upper right, lower right and lower left corner of a rounded plate."""
    sheet = Sheet((2 * radius, 2 * radius), radius, ground)
    sheet.disc(1, 1, 1, fill)
    whole = sheet.finish(palette(theme))
    near, far = radius, 2 * radius
    boxes = ((0, 0, near, near), (near, 0, far, near), (near, near, far, far), (0, near, near, far))
    return tuple(whole.crop(box) for box in boxes)
