"""Rectangles with round corners on a flat background, drawn straight onto palette images."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from renderers.pixels.canvas import Canvas
from renderers.pixels.layout import Pixels
from renderers.pixels.palette import palette
from renderers.pixels.theme import RGB, Theme


def rounded_rectangle(picture: Image.Image, theme: Theme, box: Pixels, radius: int, fill: RGB, background: RGB) -> None:
    """Fill a rectangle with round corners."""
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
