"""Squares as finished sprites: tile, marks and piece in one, drawn once and kept.

The caches are bounded and safe to use from several threads: at worst two threads draw the same sprite. A sprite is
shared, so it is pasted and never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image

from renderers.pixels import marks, pieces
from renderers.pixels.canvas import Canvas
from renderers.pixels.palette import hollow, palette, region_tint
from renderers.pixels.pieces import Figure
from renderers.pixels.theme import RGB, Theme, contrast, mix
from renderers.scene import Colour, Ground, Mark, Shape

_GAP = 0.012
_CORNER = 0.045
_LOST = 1.3
"""Contrast between a piece and its tile below which the piece has a wider rim."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The look of a square: equal cells share a sprite."""

    ground: Ground
    colour: Colour
    figure: Figure | None = None
    marks: frozenset[Mark] = frozenset()
    tint: Colour | None = None
    """The colour of the tinted region the square is in."""
    turned: bool = False
    """Whether a split tile is seen from the far side; False for any other tile."""


@lru_cache(maxsize=1024)
def cell(theme: Theme, size: int, what: Cell) -> Image.Image:
    """Return the sprite of a square of ``size`` pixels."""
    canvas = Canvas((size, size), size, theme.frame)
    near, far = _GAP, 1 - _GAP

    def tinted(colour: RGB) -> RGB:
        if what.tint is not None:
            colour = region_tint(colour, theme.look(what.tint).face)
        return mix(colour, theme.next.on(colour), 0.3) if Mark.CHOSEN in what.marks else colour

    if what.colour is Colour.SPLIT:
        upper, lower = (Colour.WHITE, Colour.BLUE) if what.turned else (Colour.BLUE, Colour.WHITE)
        canvas.split_rectangle((near, near, far, far), _CORNER, tinted(theme.tile(upper)), tinted(theme.tile(lower)))
    else:
        tile = tinted(theme.tile(what.colour))
        canvas.rounded_rectangle((near, near, far, far), _CORNER, tile)
        if what.ground is Ground.CELLS:
            canvas.disc(0.5, 0.5, 0.36, mix(tile, (0, 0, 0), 0.28))
            canvas.disc(0.5, 0.512, 0.348, hollow(tile))
    # Marks on a split tile suit its white half, which is the farther from their dark strength.
    ground = theme.tile(Colour.WHITE if what.colour is Colour.SPLIT else what.colour)
    standing, face = what.figure, None
    if standing is not None:
        face = theme.look(standing.colour).face
        # A piece whose face could be taken for its tile, or for a half of it, has an edge.
        tiles = (Colour.BLUE, Colour.WHITE) if what.colour is Colour.SPLIT else (what.colour,)
        standing = replace(standing, edged=any(contrast(face, theme.tile(each)) < _LOST for each in tiles))
        pieces.draw_shadow(canvas, standing, theme)
    said = sorted(what.marks, key=list(Mark).index)
    for mark in said:
        if mark not in marks.ABOVE:
            marks.draw(canvas, mark, theme, ground, face)
    if standing is not None:
        pieces.draw(canvas, standing, theme)
    for mark in said:
        if mark in marks.ABOVE:
            marks.draw(canvas, mark, theme, ground, face)
    return canvas.finish(palette(theme))


@lru_cache(maxsize=256)
def figure(theme: Theme, size: int, what: Figure | None, background: RGB) -> Image.Image:
    """Return a piece of a tray on its background, ``size`` pixels square; None is an empty place for one.

    A dark piece on a dark background has a light edge round it.
    """
    canvas = Canvas((size, size), size, background)
    if what is None:
        canvas.ring(0.5, 0.5, 0.36, 0.045 * theme.stroke, mix(background, theme.muted, 0.5))
    else:
        look = theme.look(what.colour)
        if theme.edge(look, background) != look.rim:
            canvas.rounded_rectangle(
                (0.085, 0.045, 0.915, 0.935), 0.12 if what.shape is Shape.QUARTERS else 0.415, theme.muted
            )
        pieces.draw(canvas, what, theme, y=0.49, scale=0.97 if what.shape is Shape.QUARTERS else 1.06)
    return canvas.finish(palette(theme))
