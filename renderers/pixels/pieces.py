"""The shapes of pieces, drawn on a canvas: disc, tower, rings and quarters. Knows no square and no game.

Every shape is centred on a point and fits a circle of ``REACH`` cells, so that marks find room around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renderers.pixels.canvas import Canvas
from renderers.pixels.theme import RGB, Look, Theme, contrast, mix
from renderers.scene import Colour, Shape

REACH = 0.40
"""Radius of the largest round piece, in cells, its edge included."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece without its place: what makes two pieces look the same.

    ``back`` is the colour of the other face of a disc, seen on its edge; ``sides`` are up, right, down and left as
    they appear in the picture. An ``edged`` disc has a wider rim, because it lies on a tile almost of its colour.
    """

    shape: Shape
    colour: Colour
    back: Colour
    value: int = 0
    sides: tuple[Colour, ...] = ()
    edged: bool = False


def draw_shadow(canvas: Canvas, figure: Figure, theme: Theme) -> None:
    """Draw the shadow of a figure in the middle of its square, which belongs below the marks of the square."""
    radius, down, corner = _SHADOWS[figure.shape]
    canvas.shadow(0.5, 0.5 + down, radius, theme.shade, corner=corner)


def _coin(canvas: Canvas, x: float, y: float, radius: float, edge: float, look: Look, back: RGB, rim: float) -> None:
    """Draw a flat disc seen a little from below: its face, and beneath it an edge in the colour of its back."""
    for grow, fill in ((0.0, look.rim), (-rim, back)):
        reach = radius + grow
        canvas.disc(x, y + edge, reach, fill)
        canvas.polygon(((x - reach, y), (x + reach, y), (x + reach, y + edge), (x - reach, y + edge)), fill)
    canvas.disc(x, y, radius, look.rim)
    canvas.disc(x, y, radius - rim, look.face)


def draw(canvas: Canvas, figure: Figure, theme: Theme, x: float = 0.5, y: float = 0.5, scale: float = 1.0) -> None:
    """Draw a figure centred on a point; ``scale`` 1 is the size that suits a square."""
    look, back = theme.look(figure.colour), theme.look(figure.back).face
    thin = 0.016 * scale * theme.stroke
    match figure.shape:
        case Shape.DISC:
            edge = 0.055 * scale
            rim = (0.034 if figure.edged else 0.016) * scale * theme.stroke
            _coin(canvas, x, y - edge / 2, 0.35 * scale, edge, look, back, rim)
        case Shape.TOWER:
            radius, edge = 0.30 * scale, 0.06 * scale
            low, high = y + 0.04 * scale, y - 0.115 * scale
            _coin(canvas, x, low, 0.37 * scale, edge, look, back, thin)
            _coin(canvas, x, high, radius, edge + 0.03 * scale, look, back, thin)
            canvas.disc(x, high, radius * 0.60, look.ink)
            canvas.disc(x, high, radius * 0.36, look.face)
        case Shape.RINGS:
            edge, rim = 0.03 * scale, 0.014 * scale * theme.stroke
            middle = y - edge / 2
            _coin(canvas, x, middle, 0.385 * scale, edge, look, mix(look.face, look.rim, 0.35), rim)
            # The rings keep to the rim, so that the value has room to be read at half the size.
            for ring in range(figure.value):
                canvas.ring(x, middle, (0.338 - 0.05 * ring) * scale, 0.024 * scale * theme.stroke, look.ink)
            if figure.value:
                canvas.letters(x, middle, str(figure.value), 0.36 * scale, look.ink)
        case Shape.QUARTERS:
            # The thick rim and the large disc show the owner; the triangles between them are the sides.
            half, line = 0.43 * scale, 0.014 * scale * theme.stroke
            between = mix(theme.look(Colour.BLACK).face, theme.look(Colour.WHITE).face, 0.5)
            # A dark rim would be lost round a dark piece.
            outer = look.rim if contrast(look.rim, look.face) > 2 else between
            for inset, corner, fill in ((0.0, 0.08, outer), (line, 0.07, look.face), (0.066 * scale, 0.03, between)):
                reach = half - inset
                canvas.rounded_rectangle((x - reach, y - reach, x + reach, y + reach), corner * scale, fill)
            inner = half - 0.066 * scale - line
            corners = [(x - inner, y - inner), (x + inner, y - inner), (x + inner, y + inner), (x - inner, y + inner)]
            for at, side in enumerate(figure.sides):
                canvas.polygon((corners[at], corners[(at + 1) % 4], (x, y)), theme.look(side).face)
            if figure.sides:
                for start, end in ((0, 2), (1, 3)):
                    canvas.line((corners[start], corners[end]), line, between)
            canvas.disc(x, y, 0.22 * scale, between)
            canvas.disc(x, y, 0.22 * scale - line, look.face)


_SHADOWS: Mapping[Shape, tuple[float, float, float | None]] = {
    Shape.DISC: (0.36, 0.075, None),
    Shape.TOWER: (0.365, 0.12, None),
    Shape.RINGS: (0.39, 0.06, None),
    Shape.QUARTERS: (0.43, 0.03, 0.08),
}
"""For every shape: radius, distance downwards and, for square ones, radius of the corners."""
