"""Letters: the font in two weights, words made drawable, cut and wrapped, and cached pictures of them.

Names come from strangers. Whatever they hold, a line stays a line: letters the font lacks are left out, never boxes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from renderers.palette import palette
from renderers.theme import RGB, Theme

ELLIPSIS = "…"
CAPITALS = 0.727
"""Height of capitals and digits, in sizes of the font."""
_LONGEST = 300
"""Characters of a line that are looked at; no line of a picture holds more."""


class Weight(StrEnum):
    """The weights of the font that ship with the renderers."""

    MEDIUM = "Medium"
    BOLD = "Bold"


@lru_cache(maxsize=128)
def font(size: int, weight: Weight) -> ImageFont.FreeTypeFont:
    """Return the font at ``size`` pixels.

    The basic layout is asked for by name: the other one depends on a library that is not everywhere, and pictures
    should be the same on every machine.
    """
    source = files("renderers").joinpath("fonts", f"Inter-{weight}.otf")
    return ImageFont.truetype(BytesIO(source.read_bytes()), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _is_drawable(character: str) -> bool:
    """Say whether the font has a glyph: one that does not look like the one for missing characters."""
    if character == " ":
        return True
    if unicodedata.category(character)[0] in "CMZ":
        return False
    sample = font(24, Weight.MEDIUM)
    glyph, missing = sample.getmask(character), sample.getmask("\U0010fffd")
    return glyph.size != missing.size or bytes(glyph) != bytes(missing)


@lru_cache(maxsize=2048)
def drawable(text: str) -> str:
    """Return ``text`` on one line without what the font lacks; ornamental letters become plain ones.

    Combining marks that belong to no letter of the font go as well, so that nothing grows beyond its line.
    """
    plain = unicodedata.normalize("NFKC", text[:_LONGEST])
    kept = "".join(c if _is_drawable(c) else " " if c.isspace() else "" for c in plain)
    return " ".join(kept.split())


@lru_cache(maxsize=4096)
def length(text: str, size: int, weight: Weight) -> int:
    """Return the width of drawable ``text`` in pixels."""
    return round(font(size, weight).getlength(text))


@lru_cache(maxsize=2048)
def cut(text: str, size: int, weight: Weight, room: int) -> str:
    """Return drawable ``text``, shortened with an ellipsis until it is at most ``room`` pixels wide."""
    if length(text, size, weight) <= room:
        return text
    kept = text
    while kept and length(kept.rstrip() + ELLIPSIS, size, weight) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept else ""


def wrapped(lines: Iterable[str], size: int, weight: Weight, room: int) -> list[str]:
    """Return drawable lines broken between words so that each is at most ``room`` pixels wide."""
    broken: list[str] = []
    for line in lines:
        current = ""
        for word in line.split():
            longer = f"{current} {word}" if current else word
            if current and length(longer, size, weight) > room:
                broken.append(current)
                longer = word
            current = cut(longer, size, weight, room)
        if current:
            broken.append(current)
    return broken


@lru_cache(maxsize=1024)
def written(theme: Theme, text: str, size: int, weight: Weight, ink: RGB, ground: RGB) -> Image.Image:
    """Return drawable ``text`` as a picture of numbers, as high as the line, in ``ink`` on ``ground``.

    All pictures of one size and weight share their baseline. They are cached: paste them, never draw on them.
    """
    face = font(size, weight)
    ascent, descent = face.getmetrics()
    mask = Image.new("L", (max(1, length(text, size, weight) + 1), ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), text, fill=255, font=face, anchor="ls")
    return mask.point(palette(theme).ramp(ground, ink))


def write(
    picture: Image.Image, theme: Theme, at: tuple[int, int], text: str, size: int, weight: Weight, ink: RGB, ground: RGB
) -> None:
    """Write drawable ``text`` on an even ``ground``, its left end and the middle of its capitals on a pixel."""
    if text:
        top = at[1] - font(size, weight).getmetrics()[0] + round(size * CAPITALS / 2)
        picture.paste(written(theme, text, size, weight, ink, ground), (at[0], top))
