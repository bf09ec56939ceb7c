"""Dots as finished sprites: free, used, to be chosen or chosen. Each comes with the round area it covers."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from renderers.pixels import marks, pieces
from renderers.pixels.canvas import Canvas
from renderers.pixels.palette import palette, quiet
from renderers.pixels.pieces import Figure
from renderers.pixels.theme import RGB, Theme
from renderers.scene import Mark

_RINGS = {Mark.ENTERED: 1, Mark.PASSED: 2, Mark.CHANGED: 3, Mark.LEFT: 4, Mark.TURNED: 5, Mark.WINNING: 6}
"""The signs of the last move: a ring where it ended, rings in so many parts elsewhere."""


@lru_cache(maxsize=256)
def dot(theme: Theme, size: int, figure: Figure | None, said: frozenset[Mark]) -> tuple[Image.Image, Image.Image]:
    """Return the sprite of a dot in a square of ``size`` pixels, and the mask of what it covers of lines below."""
    canvas = Canvas((size, size), size, theme.field)
    if figure is None:
        reach = _draw_free(canvas, theme, said)
    else:
        # A piece with its marks, as on a square.
        reach, face = 0.71 if said else 0.45, theme.look(figure.colour).face
        pieces.draw_shadow(canvas, figure, theme)
        for mark in sorted(said - marks.ABOVE):
            marks.draw(canvas, mark, theme, theme.field, face)
        pieces.draw(canvas, figure, theme)
        for mark in sorted(said & marks.ABOVE):
            marks.draw(canvas, mark, theme, theme.field, face)
    area = Image.new("1", (size, size))
    near, far = size * (0.5 - reach), size * (0.5 + reach)
    ImageDraw.Draw(area).ellipse([near, near, far, far], fill=1)
    return canvas.finish(palette(theme)), area


def _draw_free(canvas: Canvas, theme: Theme, said: frozenset[Mark]) -> float:
    """Draw a dot without a piece; return the radius of what is drawn."""
    reach = 0.14
    if Mark.USED in said:
        reach = 0.06
        _cross(canvas, quiet(theme.field, theme.muted), 0.045, 0.03 * theme.stroke)
    elif not said & {Mark.TARGET, Mark.CHOSEN}:
        canvas.disc(0.5, 0.5, 0.1, theme.text)
    last, following = theme.last.on(theme.field), theme.next.on(theme.field)
    for mark, parts in _RINGS.items():
        if mark in said:
            reach = 0.21
            width = 0.04 * theme.stroke
            if parts == 1:
                canvas.ring(0.5, 0.5, 0.17, width, last)
            else:
                for part in range(parts):
                    start = 360 * part / parts + 20
                    canvas.arc(0.5, 0.5, 0.17, width, start, start + 360 / parts - 40, last)
    if Mark.CAPTURED in said:
        reach = 0.21
        _cross(canvas, last, 0.12, 0.05 * theme.stroke)
    if Mark.TARGET in said and Mark.CHOSEN not in said:
        reach = 0.2
        canvas.disc(0.5, 0.5, 0.155, following)
        canvas.disc(0.5, 0.5, 0.065, theme.field)
    if Mark.CHOSEN in said:
        reach = 0.28
        canvas.polygon(((0.26, 0.5), (0.5, 0.26), (0.74, 0.5), (0.5, 0.74)), following)
    return reach


def _cross(canvas: Canvas, colour: RGB, half: float, width: float) -> None:
    near, far = 0.5 - half, 0.5 + half
    canvas.line(((near, near), (far, far)), width, colour)
    canvas.line(((near, far), (far, near)), width, colour)
