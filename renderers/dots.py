"""Dots as finished sprites: free, used, to be chosen or chosen. Each comes with the round area it covers."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from renderers import marks, pieces
from renderers.palette import palette
from renderers.pieces import Figure
from renderers.scene import Colour, Mark
from renderers.sheet import Sheet
from renderers.theme import RGB, Theme

_RINGS = {Mark.ENTERED: 1, Mark.PASSED: 2, Mark.CHANGED: 3, Mark.LEFT: 4, Mark.TURNED: 5, Mark.WINNING: 6}
"""The signs of the last move: a ring where it ended, rings in so many parts elsewhere."""


@lru_cache(maxsize=256)
def dot(theme: Theme, size: int, figure: Figure | None, said: frozenset[Mark]) -> tuple[Image.Image, Image.Image]:
    """Return the sprite of a dot in a square of ``size`` pixels, and the mask of what it covers of lines below."""
    sheet = Sheet((size, size), size, theme.field)
    reach = _draw_occupied(sheet, theme, figure, said) if figure else _draw_free(sheet, theme, said)
    area = Image.new("1", (size, size))
    near, far = size * (0.5 - reach), size * (0.5 + reach)
    ImageDraw.Draw(area).ellipse([near, near, far, far], fill=1)
    return sheet.finish(palette(theme)), area


def _draw_occupied(sheet: Sheet, theme: Theme, figure: Figure, said: frozenset[Mark]) -> float:
    """Draw a piece with its marks as on a square; return the radius of what is drawn."""
    pieces.cast(sheet, figure, theme)
    for mark in sorted(said - marks.ABOVE):
        marks.draw(sheet, mark, theme, Colour.PLAIN, occupied=True)
    pieces.draw(sheet, figure, theme)
    for mark in sorted(said & marks.ABOVE):
        marks.draw(sheet, mark, theme, Colour.PLAIN, occupied=True)
    return 0.45 if not said else 0.71


def _draw_free(sheet: Sheet, theme: Theme, said: frozenset[Mark]) -> float:
    """Draw a dot without a piece; return the radius of what is drawn."""
    reach = 0.085
    if Mark.USED in said:
        reach = 0.135
        _cross(sheet, theme.text, 0.075, 0.042 * theme.stroke)
    elif not said & {Mark.TARGET, Mark.CHOSEN}:
        sheet.disc(0.5, 0.5, 0.06, theme.dot)
    last = theme.last.on(theme.field)
    for mark, parts in _RINGS.items():
        if mark in said:
            reach = 0.21
            _ring(sheet, last, 0.04 * theme.stroke, parts)
    if Mark.CAPTURED in said:
        reach = 0.21
        _cross(sheet, last, 0.12, 0.05 * theme.stroke)
    if Mark.TARGET in said and Mark.CHOSEN not in said:
        reach = 0.19
        for radius, colour in _both(theme, 0.13):
            sheet.disc(0.5, 0.5, radius, colour)
        sheet.disc(0.5, 0.5, 0.055, theme.field)
    if Mark.CHOSEN in said:
        reach = 0.28
        for radius, colour in _both(theme, 0.24):
            sheet.polygon(((0.5 - radius, 0.5), (0.5, 0.5 - radius), (0.5 + radius, 0.5), (0.5, 0.5 + radius)), colour)
    return reach


def _both(theme: Theme, radius: float) -> tuple[tuple[float, RGB], ...]:
    """Return the two passes of a mark of what may come next: dark edge, light middle."""
    return (radius + 0.02 * theme.stroke, theme.next.dark), (radius, theme.next.light)


def _cross(sheet: Sheet, colour: RGB, half: float, width: float) -> None:
    near, far = 0.5 - half, 0.5 + half
    sheet.line(((near, near), (far, far)), width, colour)
    sheet.line(((near, far), (far, near)), width, colour)


def _ring(sheet: Sheet, colour: RGB, width: float, parts: int) -> None:
    """Draw a ring round a dot, whole or in several parts."""
    if parts == 1:
        sheet.ring(0.5, 0.5, 0.17, width, colour)
        return
    for part in range(parts):
        start = 360 * part / parts + 20
        sheet.arc(0.5, 0.5, 0.17, width, start, start + 360 / parts - 40, colour)
