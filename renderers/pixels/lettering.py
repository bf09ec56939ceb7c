"""Letters: words truncated and wrapped, and cached pictures of them, in the main font and in those of other scripts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from PIL import Image

from renderers.pixels.palette import palette
from renderers.pixels.theme import RGB, Theme
from renderers.scripts.clusters import clusters
from renderers.scripts.drawable import MISSING, drawable
from renderers.scripts.line import coverage, width
from renderers.scripts.line_breaks import pieces
from renderers.scripts.main_font import Weight, font

__all__ = [
    "CAPITALS",
    "ELLIPSIS",
    "MISSING",
    "Weight",
    "draw_text",
    "drawable",
    "font",
    "text_image",
    "text_width",
    "truncated",
    "wrapped",
]

ELLIPSIS = "…"
CAPITALS = 0.727
"""Height of capitals and digits, in sizes of the font."""


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, weight: Weight) -> int:
    """Return the width of drawable ``text`` in pixels."""
    return width(text, size, weight)


@lru_cache(maxsize=2048)
def truncated(text: str, size: int, weight: Weight, room: int) -> str:
    """Return drawable ``text``, shortened with an ellipsis until it is at most ``room`` pixels wide.

    It ends between letters with all their marks, and between emoji with all their parts.
    """
    if text_width(text, size, weight) <= room:
        return text
    letters = clusters(text)

    def shortened(count: int) -> str:
        return "".join(letters[:count]).rstrip() + ELLIPSIS

    # Joined letters may be narrower than fewer of them, so the result is measured again.
    count = bisect_right(range(1, len(letters)), room, key=lambda many: text_width(shortened(many), size, weight))
    while count and text_width(shortened(count), size, weight) > room:
        count -= 1
    return shortened(count) if count else ""


def wrapped(lines: Iterable[str], size: int, weight: Weight, room: int) -> list[str]:
    """Return drawable lines broken where they may be so that each is at most ``room`` pixels wide."""
    broken: list[str] = []
    for line in lines:
        current = ""
        for word in line.split():
            for at, piece in enumerate(pieces(word)):
                longer = f"{current}{piece}" if at else f"{current} {piece}" if current else piece
                if current and text_width(longer, size, weight) > room:
                    broken.append(current)
                    longer = piece
                current = truncated(longer, size, weight, room)
        if current:
            broken.append(current)
    return broken


@lru_cache(maxsize=1024)
def text_image(theme: Theme, text: str, size: int, weight: Weight, ink: RGB, background: RGB) -> Image.Image:
    """Return drawable ``text`` as a palette image, as high as the line, in ``ink`` on ``background``.

    All pictures of one size and weight share their baseline. They are cached: paste them, never draw on them.
    """
    return coverage(text, size, weight).point(palette(theme).ramp(background, ink))


def draw_text(
    picture: Image.Image,
    theme: Theme,
    at: tuple[int, int],
    text: str,
    size: int,
    weight: Weight,
    ink: RGB,
    background: RGB,
) -> None:
    """Write drawable ``text`` on an even ``background``, its left end and the middle of its capitals on a pixel."""
    if text:
        top = at[1] - font(size, weight).getmetrics()[0] + round(size * CAPITALS / 2)
        picture.paste(text_image(theme, text, size, weight, ink, background), (at[0], top))
