"""Letters: words truncated and wrapped, and cached pictures of them, in the main font and in those of other scripts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from PIL import Image

from renderers.pixels.palette import palette
from renderers.pixels.theme import RGB, Theme
from renderers.scripts.bidi import END, ISOLATE
from renderers.scripts.clusters import breakable_parts, clusters
from renderers.scripts.drawable import MISSING, drawable
from renderers.scripts.line import coverage, width
from renderers.scripts.typefaces import Weight, font

__all__ = [
    "CAPITALS",
    "ELLIPSIS",
    "MISSING",
    "Weight",
    "draw_text",
    "drawable",
    "font",
    "in_two_lines",
    "line_height",
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
    return width(text, size, weight)


@lru_cache(maxsize=2048)
def truncated(text: str, size: int, weight: Weight, room: int) -> str:
    """Return drawable ``text``, shortened with an ellipsis until it is at most ``room`` pixels wide.

    It ends between letters with all their marks, and between emoji with all their parts.
    """
    if text_width(text, size, weight) <= room:
        return text
    letters = clusters(text)
    count = _fitting(letters, size, weight, room, ELLIPSIS)
    return _first(letters, count, ELLIPSIS) if count else ""


@lru_cache(maxsize=2048)
def in_two_lines(text: str, size: int, weight: Weight, room: int) -> tuple[str, str]:
    """Return drawable ``text``, which is wider than ``room`` pixels, on two lines that are at most as wide.

    The break is between words, or within a word where more of the text fits so. If two lines do not hold the text, the
    second ends with an ellipsis.
    """
    # An isolate would have to end on the line it begins on.
    text = text.replace(ISOLATE, "").replace(END, "")
    lines = wrapped([text], size, weight, room)
    if len(lines) == 2 and "".join("".join(lines).split()) == "".join(text.split()):
        return lines[0], lines[1]
    letters = clusters(text)
    count = _fitting(letters, size, weight, room)
    return _first(letters, count), truncated("".join(letters[count:]).strip(), size, weight, room)


def _fitting(letters: list[str], size: int, weight: Weight, room: int, end: str = "") -> int:
    """Return how many of the letters fit into ``room`` pixels together with an ``end``."""

    def wide(count: int) -> int:
        return text_width(_first(letters, count, end), size, weight)

    # Joined letters may be narrower than fewer of them, so the result is measured again.
    count = bisect_right(range(1, len(letters)), room, key=wide)
    while count and wide(count) > room:
        count -= 1
    return count


def _first(letters: list[str], count: int, end: str = "") -> str:
    return "".join(letters[:count]).rstrip() + end


def line_height(size: int, weight: Weight) -> int:
    """Return the height in pixels of a line of text, from the highest letters to the lowest."""
    return sum(font(size, weight).getmetrics())


def wrapped(lines: Iterable[str], size: int, weight: Weight, room: int) -> list[str]:
    """Return drawable lines broken where they may be so that each is at most ``room`` pixels wide."""
    broken: list[str] = []
    for line in lines:
        current = ""
        for word in line.split():
            for at, piece in enumerate(breakable_parts(word)):
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
    *,
    letters_only: bool = False,
) -> None:
    """Write drawable ``text`` on an even ``background``, its left end and the middle of its capitals on a pixel.

    ``letters_only`` leaves what is drawn around the letters, within the height of the line, as it is.
    """
    if text:
        top = at[1] - font(size, weight).getmetrics()[0] + round(size * CAPITALS / 2)
        mask = coverage(text, size, weight).point([0] + [255] * 255) if letters_only else None
        picture.paste(text_image(theme, text, size, weight, ink, background), (at[0], top), mask)
