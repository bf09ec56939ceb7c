"""Lines and plates drawn straight onto a picture of numbers, with soft edges.

Such a picture cannot be drawn on with soft pens, so a stroke is a small mask in a few levels: each level replaces the
numbers below it by those of the mixed colours. Masks are cached by their form, wherever they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, ceil, cos, hypot, sin

from PIL import Image, ImageDraw

from renderers import cells
from renderers.layout import Pixels
from renderers.palette import LEVELS, Palette, palette
from renderers.theme import RGB, Theme, mix

_SCALE = 4


@dataclass(frozen=True, slots=True)
class Stamp:
    """A form in levels: masks of level 1 to ``LEVELS`` (the last one covers), and where its origin lies in them."""

    masks: tuple[Image.Image | None, ...]
    size: tuple[int, int]
    origin: tuple[int, int]


def press(
    picture: Image.Image,
    colours: Palette,
    stamps: Sequence[tuple[Stamp, tuple[int, int]]],
    colour: RGB,
    ground: RGB | None = None,
) -> None:
    """Draw stamps in ``colour`` as one form, each with its origin on a pixel; all must lie within the picture.

    Where every edge is known to lie on one ``ground``, saying so saves looking at what is below.
    """
    # All edges come before all cores: where two stamps meet, a core covers the edge of the other.
    for level in range(1, LEVELS + 1):
        for stamp, at in stamps:
            mask = stamp.masks[level - 1]
            if mask is None:
                continue
            left, top = at[0] - stamp.origin[0], at[1] - stamp.origin[1]
            box = (left, top, left + stamp.size[0], top + stamp.size[1])
            if level == LEVELS:
                picture.paste(colours.number(colour), box, mask)
            elif ground is not None:
                picture.paste(colours.number(mix(ground, colour, level / LEVELS)), box, mask)
            else:
                picture.paste(picture.crop(box).point(colours.wash(colour, level)), box, mask)


def _stamp(mask: Image.Image, origin: tuple[int, int]) -> Stamp:
    """Cut a soft mask into levels."""
    masks: list[Image.Image | None] = []
    for level in range(1, LEVELS + 1):
        table = [255 if round(value * LEVELS / 255) == level else 0 for value in range(256)]
        part = mask.point(table, "1")
        masks.append(part if part.getbbox() else None)
    return Stamp(tuple(masks), mask.size, origin)


@lru_cache(maxsize=512)
def segment(dx: int, dy: int, width: float, trims: tuple[float, float], head: float) -> Stamp:
    """Return a straight line from its origin to (``dx``, ``dy``) with round ends.

    ``trims`` are left out at its two ends; with a ``head`` (its length) the line ends in an arrow. All in pixels.
    """
    pad = ceil(max(width, head)) + 2
    left, top = min(0, dx) - pad, min(0, dy) - pad
    size = (abs(dx) + 2 * pad + 1, abs(dy) + 2 * pad + 1)
    mask = Image.new("L", (size[0] * _SCALE, size[1] * _SCALE))
    pen = ImageDraw.Draw(mask)
    long, angle = hypot(dx, dy), atan2(dy, dx)

    def at(along: float, aside: float = 0.0) -> tuple[float, float]:
        x = along * cos(angle) - aside * sin(angle) - left + 0.5
        y = along * sin(angle) + aside * cos(angle) - top + 0.5
        return x * _SCALE, y * _SCALE

    start, end = trims[0], max(trims[0], long - trims[1])
    stop = max(start, end - 0.8 * head)
    half = width / 2
    if stop > start or not head:
        pen.polygon([at(start, half), at(stop, half), at(stop, -half), at(start, -half)], fill=255)
        for along in (start, stop):
            x, y = at(along)
            reach = half * _SCALE
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)
    if head:
        pen.polygon(
            [at(end), at(end - head, 0.62 * head), at(end - 0.75 * head), at(end - head, -0.62 * head)], fill=255
        )
    return _stamp(mask.reduce(_SCALE), (-left, -top))


def plate(picture: Image.Image, theme: Theme, box: Pixels, radius: int, fill: RGB, ground: RGB) -> None:
    """Fill a rectangle with round corners on an even ground."""
    left, top, right, bottom = box
    radius = max(1, min(radius, (right - left) // 2, (bottom - top) // 2))
    picture.paste(palette(theme).number(fill), box)
    places = ((left, top), (right - radius, top), (right - radius, bottom - radius), (left, bottom - radius))
    for corner, place in zip(cells.corners(theme, radius, fill, ground), places, strict=True):
        picture.paste(corner, place)
