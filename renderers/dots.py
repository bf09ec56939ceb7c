"""Dots as finished sprites: free, used, to be chosen or chosen. Each comes with the round area it covers."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from renderers import pieces
from renderers.palette import palette
from renderers.pieces import Figure
from renderers.scene import Mark
from renderers.sheet import Point, Sheet
from renderers.theme import RGB, Theme

_LAST = (Mark.ENTERED, Mark.LEFT, Mark.PASSED, Mark.CHANGED, Mark.CAPTURED)


@lru_cache(maxsize=256)
def dot(theme: Theme, size: int, figure: Figure | None, marks: frozenset[Mark]) -> tuple[Image.Image, Image.Image]:
    """Return the sprite of a dot in a square of ``size`` pixels, and the mask of what it covers of lines below."""
    sheet, reach = Sheet((size, size), size, theme.field), 0.085
    if Mark.USED in marks:
        reach = max(reach, 0.135)
        _cross(sheet, theme, 0.075)
    elif not marks & {Mark.TARGET, Mark.CHOSEN}:
        sheet.disc(0.5, 0.5, 0.06, theme.dot)
    for mark in _LAST:
        if mark in marks:
            reach = 0.21
            _ring(sheet, theme, whole=mark is Mark.ENTERED)
    if Mark.TARGET in marks and Mark.CHOSEN not in marks:
        reach = 0.19
        for radius, colour in _both(theme, 0.13):
            sheet.disc(0.5, 0.5, radius, colour)
        sheet.disc(0.5, 0.5, 0.055, theme.field)
    if Mark.CHOSEN in marks:
        reach = 0.28
        for radius, colour in _both(theme, 0.24):
            sheet.polygon(((0.5 - radius, 0.5), (0.5, 0.5 - radius), (0.5 + radius, 0.5), (0.5, 0.5 + radius)), colour)
    if figure is not None:
        reach = 0.45
        pieces.cast(sheet, figure, theme)
        pieces.draw(sheet, figure, theme)
    area = Image.new("1", (size, size))
    ImageDraw.Draw(area).ellipse(
        [size * (0.5 - reach), size * (0.5 - reach), size * (0.5 + reach), size * (0.5 + reach)], fill=1
    )
    return sheet.finish(palette(theme)), area


def _both(theme: Theme, radius: float) -> tuple[tuple[float, RGB], ...]:
    """Return the two passes of a mark of what may come next: dark edge, light middle."""
    return (radius + 0.02 * theme.stroke, theme.next.dark), (radius, theme.next.light)


def _cross(sheet: Sheet, theme: Theme, half: float) -> None:
    near, far = 0.5 - half, 0.5 + half
    lines: tuple[tuple[Point, Point], ...] = (((near, near), (far, far)), ((near, far), (far, near)))
    for line in lines:
        sheet.line(line, 0.042 * theme.stroke, theme.text)


def _ring(sheet: Sheet, theme: Theme, *, whole: bool) -> None:
    """Draw the sign of the last move round a dot: a ring, or four parts of one where the move did not end."""
    width = 0.04 * theme.stroke
    colour = theme.last.on(theme.field)
    if whole:
        sheet.ring(0.5, 0.5, 0.17, width, colour)
        return
    for start in (20, 110, 200, 290):
        sheet.arc(0.5, 0.5, 0.17, width, start, start + 50, colour)
