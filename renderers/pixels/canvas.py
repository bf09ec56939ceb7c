"""A canvas for sprites: four times their size, so that scaling them down smooths every edge.

Lengths are in cells: (0, 0) is the upper left corner of a square and (1, 1) the lower right one, whatever its pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageChops, ImageDraw

from renderers.pixels.lines import SUPERSAMPLING, Point, stroke
from renderers.pixels.palette import Palette, palette
from renderers.pixels.theme import RGB, Theme
from renderers.scripts.drawable import drawable
from renderers.scripts.line import coverage, is_plain
from renderers.scripts.typefaces import Weight, font

Box = tuple[float, float, float, float]


class Canvas:
    """A drawing in progress, ``size`` pixels when finished, in which a cell measures ``unit`` pixels."""

    def __init__(self, size: tuple[int, int], unit: float, background: RGB) -> None:
        self._unit = unit * SUPERSAMPLING
        self._image = Image.new("RGB", (size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING), background)
        self._draw = ImageDraw.Draw(self._image)

    def _around(self, x: float, y: float, radius: float) -> Box:
        unit = self._unit
        return (x - radius) * unit, (y - radius) * unit, (x + radius) * unit - 1, (y + radius) * unit - 1

    def disc(self, x: float, y: float, radius: float, fill: RGB) -> None:
        self._draw.ellipse(self._around(x, y, radius), fill=fill)

    def ring(self, x: float, y: float, radius: float, width: float, fill: RGB) -> None:
        """Draw a circle whose line is centred on ``radius``."""
        box = self._around(x, y, radius + width / 2)
        self._draw.ellipse(box, outline=fill, width=max(1, round(width * self._unit)))

    def arc(self, x: float, y: float, radius: float, width: float, start: float, end: float, fill: RGB) -> None:
        """Draw a part of a circle between two angles in degrees, clockwise from three o'clock, with round ends."""
        box = self._around(x, y, radius + width / 2)
        self._draw.arc(box, start, end, fill=fill, width=max(1, round(width * self._unit)))
        for angle in (start, end):
            self.disc(x + radius * cos(angle * pi / 180), y + radius * sin(angle * pi / 180), width / 2, fill)

    def polygon(self, corners: Iterable[Point], fill: RGB) -> None:
        self._draw.polygon([(x * self._unit, y * self._unit) for x, y in corners], fill=fill)

    def star(self, x: float, y: float, radius: float, fill: RGB) -> None:
        """Fill a star of five points, one of them up."""
        turns = [at * pi / 5 - pi / 2 for at in range(10)]
        reaches = (radius, radius * 0.45) * 5
        self.polygon(
            [(x + reach * cos(turn), y + reach * sin(turn)) for turn, reach in zip(turns, reaches, strict=True)], fill
        )

    def line(self, points: Sequence[Point], width: float, fill: RGB) -> None:
        """Draw a line with round ends and joints."""
        stroke(self._draw, [(x * self._unit, y * self._unit) for x, y in points], width * self._unit, fill)

    def rounded_rectangle(self, box: Box, radius: float, fill: RGB) -> None:
        self._draw.rounded_rectangle(self._scaled(box), radius * self._unit, fill=fill)

    def split_rectangle(self, box: Box, radius: float, upper: RGB, lower: RGB) -> None:
        """Fill a rounded rectangle with two colours that meet on its rising diagonal."""
        self.rounded_rectangle(box, radius, upper)
        left, top, right, bottom = self._scaled(box)
        whole, half = Image.new("1", self._image.size), Image.new("1", self._image.size)
        ImageDraw.Draw(whole).rounded_rectangle((left, top, right, bottom), radius * self._unit, fill=1)
        ImageDraw.Draw(half).polygon(((left, bottom), (right, top), (right, bottom)), fill=1)
        self._image.paste(lower, (0, 0), ImageChops.logical_and(whole, half))

    def frame(self, box: Box, radius: float, width: float, fill: RGB) -> None:
        """Draw the inner edge of a rectangle with rounded corners."""
        thick = max(1, round(width * self._unit))
        self._draw.rounded_rectangle(self._scaled(box), radius * self._unit, outline=fill, width=thick)

    def _scaled(self, box: Box) -> Box:
        left, top, right, bottom = (value * self._unit for value in box)
        return left, top, right - 1, bottom - 1

    def letters(self, x: float, y: float, text: str, size: float, fill: RGB) -> None:
        """Write bold ``text`` of ``size`` cells centred on a point, by the height of capitals and digits."""
        pixels = max(1, round(size * self._unit))
        face, shown = font(pixels, Weight.BOLD), drawable(text)
        middle = y * self._unit + face.getbbox("0", anchor="ls")[1] / -2
        if is_plain(shown):
            self._draw.text((x * self._unit, middle), shown, fill=fill, font=face, anchor="ms")
            return
        letters = coverage(shown, pixels, Weight.BOLD)
        corner = (round(x * self._unit - letters.width / 2), round(middle) - face.getmetrics()[0])
        self._image.paste(fill, corner, letters)

    def shadow(self, x: float, y: float, radius: float, strength: float, *, corner: float | None = None) -> None:
        """Darken a circle or, with the radius of a ``corner``, a square as wide. Edges stay crisp: they cost little."""
        if strength <= 0:
            return
        mask = Image.new("L", self._image.size)
        pen, box, level = ImageDraw.Draw(mask), self._around(x, y, radius), round(255 * strength)
        if corner is None:
            pen.ellipse(box, fill=level)
        else:
            pen.rounded_rectangle(box, corner * self._unit, fill=level)
        self._image.paste((0, 0, 0), (0, 0), mask)

    def finish(self, palette: Palette) -> Image.Image:
        """Return the drawing at its real size as a palette image."""
        return palette.reduce(self._image.reduce(SUPERSAMPLING))


def rounded_rectangle(
    picture: Image.Image, theme: Theme, box: tuple[int, int, int, int], radius: int, fill: RGB, background: RGB
) -> None:
    """Fill a rectangle with round corners, in pixels, on a flat background of a palette image."""
    left, top, right, bottom = box
    radius = max(1, min(radius, (right - left) // 2, (bottom - top) // 2))
    picture.paste(palette(theme).index(fill), box)
    places = ((left, top), (right - radius, top), (right - radius, bottom - radius), (left, bottom - radius))
    for corner, place in zip(_corners(theme, radius, fill, background), places, strict=True):
        picture.paste(corner, place)


@lru_cache(maxsize=256)
def _corners(theme: Theme, radius: int, fill: RGB, background: RGB) -> tuple[Image.Image, ...]:
    """Return the upper left, upper right, lower right and lower left corner."""
    canvas = Canvas((2 * radius, 2 * radius), radius, background)
    canvas.disc(1, 1, 1, fill)
    whole = canvas.finish(palette(theme))
    near, far = radius, 2 * radius
    boxes = ((0, 0, near, near), (near, 0, far, near), (near, near, far, far), (0, near, near, far))
    return tuple(whole.crop(box) for box in boxes)
