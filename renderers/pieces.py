"""The shapes of pieces, drawn on a sheet: disc, tower, rings and quarters. Knows no square and no game.

Every shape is centred on a point and fits a circle of ``REACH`` cells, so that marks find room around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from renderers.scene import Colour, Shape
from renderers.sheet import Sheet
from renderers.theme import RGB, Look, Theme, mix

REACH = 0.40
"""Radius of the largest round piece, in cells, its edge included."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece without its place: what makes two pieces look the same.

    ``back`` is the colour of the other face of a disc, seen on its edge; ``sides`` are up, right, down and left as
    they appear in the picture.
    """

    shape: Shape
    colour: Colour
    back: Colour
    value: int = 0
    sides: tuple[Colour, ...] = ()


def draw(sheet: Sheet, figure: Figure, theme: Theme, x: float = 0.5, y: float = 0.5, scale: float = 1.0) -> None:
    """Draw a figure centred on a point; ``scale`` 1 is the size that suits a square."""
    _SHAPES[figure.shape](sheet, figure, theme, x, y, scale)


def cast(sheet: Sheet, figure: Figure, theme: Theme, x: float = 0.5, y: float = 0.5, scale: float = 1.0) -> None:
    """Draw the shadow of a figure, which belongs below the marks of its square."""
    radius, down, corner = _SHADOWS[figure.shape]
    sheet.shadow(x, y + down * scale, radius * scale, theme.shade, corner=None if corner is None else corner * scale)


def _coin(sheet: Sheet, x: float, y: float, radius: float, edge: float, look: Look, back: RGB, rim: float) -> None:
    """Draw a flat disc seen a little from below: its face, and beneath it an edge in the colour of its back."""
    for grow, fill in ((0.0, look.rim), (-rim, back)):
        reach = radius + grow
        sheet.disc(x, y + edge, reach, fill)
        sheet.polygon(((x - reach, y), (x + reach, y), (x + reach, y + edge), (x - reach, y + edge)), fill)
    sheet.disc(x, y, radius, look.rim)
    sheet.disc(x, y, radius - rim, look.face)


def _disc(sheet: Sheet, figure: Figure, theme: Theme, x: float, y: float, scale: float) -> None:
    look, back = theme.look(figure.colour), theme.look(figure.back)
    radius, edge, rim = 0.35 * scale, 0.055 * scale, 0.016 * scale * theme.stroke
    _coin(sheet, x, y - edge / 2, radius, edge, look, back.face, rim)


def _tower(sheet: Sheet, figure: Figure, theme: Theme, x: float, y: float, scale: float) -> None:
    look, back = theme.look(figure.colour), theme.look(figure.back)
    radius, edge, rim = 0.30 * scale, 0.06 * scale, 0.016 * scale * theme.stroke
    low, high = y + 0.04 * scale, y - 0.115 * scale
    _coin(sheet, x, low, 0.37 * scale, edge, look, back.face, rim)
    _coin(sheet, x, high, radius, edge + 0.03 * scale, look, back.face, rim)
    sheet.disc(x, high, radius * 0.60, look.ink)
    sheet.disc(x, high, radius * 0.36, look.face)


def _rings(sheet: Sheet, figure: Figure, theme: Theme, x: float, y: float, scale: float) -> None:
    look = theme.look(figure.colour)
    radius, edge, rim = 0.385 * scale, 0.03 * scale, 0.014 * scale * theme.stroke
    middle = y - edge / 2
    _coin(sheet, x, middle, radius, edge, look, mix(look.face, look.rim, 0.35), rim)
    for ring in range(figure.value):
        sheet.ring(x, middle, (0.325 - 0.068 * ring) * scale, 0.03 * scale * theme.stroke, look.ink)
    if figure.value:
        sheet.letters(x, middle, str(figure.value), 0.235 * scale, look.ink)


def _quarters(sheet: Sheet, figure: Figure, theme: Theme, x: float, y: float, scale: float) -> None:
    look, half, rim = theme.look(figure.colour), 0.375 * scale, 0.026 * scale
    sheet.plate((x - half, y - half, x + half, y + half), 0.07 * scale, look.rim)
    inner = half - 0.4 * rim
    sheet.plate((x - inner, y - inner, x + inner, y + inner), 0.06 * scale, look.face)
    inner = half - 1.7 * rim
    corners = [(x - inner, y - inner), (x + inner, y - inner), (x + inner, y + inner), (x - inner, y + inner)]
    for at, side in enumerate(figure.sides):
        sheet.polygon((corners[at], corners[(at + 1) % 4], (x, y)), theme.look(side).face)
    between = mix(theme.look(Colour.BLACK).face, theme.look(Colour.WHITE).face, 0.5)
    if figure.sides:
        for start, end in ((0, 2), (1, 3)):
            sheet.line((corners[start], corners[end]), 0.012 * scale, between)
    sheet.disc(x, y, 0.19 * scale, look.ink)
    sheet.disc(x, y, 0.155 * scale, look.face)


_SHAPES: Mapping[Shape, Callable[[Sheet, Figure, Theme, float, float, float], None]] = {
    Shape.DISC: _disc,
    Shape.TOWER: _tower,
    Shape.RINGS: _rings,
    Shape.QUARTERS: _quarters,
}

_SHADOWS: Mapping[Shape, tuple[float, float, float | None]] = {
    Shape.DISC: (0.36, 0.075, None),
    Shape.TOWER: (0.365, 0.12, None),
    Shape.RINGS: (0.39, 0.06, None),
    Shape.QUARTERS: (0.38, 0.03, 0.075),
}
"""For every shape: radius, distance downwards and, for square ones, radius of the corners."""
