"""Letters: the font in two weights, words made drawable, truncated and wrapped, and cached pictures of them.

Names come from strangers. Whatever they hold, a line stays a line, and no name vanishes: a letter the font lacks is
shown as a box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from renderers.pixels.palette import palette
from renderers.pixels.theme import RGB, Theme

ELLIPSIS = "…"
MISSING = "□"
"""Stands for a letter the font lacks."""
_MODIFIERS = frozenset({"Lm", "Sk"})
"""Categories of characters that change the one before them, such as the colour of an emoji."""
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
    """Return ``text`` on one line in what the font has; ornamental letters become plain ones.

    A letter or digit the font lacks becomes a box. A symbol such as an emoji is left out unless there is nothing else,
    and combining marks that belong to no letter of the font go as well, so that nothing grows beyond its line.
    """
    plain = unicodedata.normalize("NFKC", text[:_LONGEST])
    return _shown(plain, "LN") or _shown(plain, "LNSP")


def _shown(text: str, boxed: str) -> str:
    """Return what can be drawn of ``text``, with a box for any other character of these general categories."""

    def shown(character: str) -> str:
        if _is_drawable(character):
            return character
        if character.isspace():
            return " "
        category = unicodedata.category(character)
        return MISSING if category[0] in boxed and category not in _MODIFIERS else ""

    return " ".join("".join(map(shown, text)).split())


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, weight: Weight) -> int:
    """Return the width of drawable ``text`` in pixels."""
    return round(font(size, weight).getlength(text))


@lru_cache(maxsize=2048)
def truncated(text: str, size: int, weight: Weight, room: int) -> str:
    """Return drawable ``text``, shortened with an ellipsis until it is at most ``room`` pixels wide."""
    if text_width(text, size, weight) <= room:
        return text
    kept = text
    while kept and text_width(kept.rstrip() + ELLIPSIS, size, weight) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept else ""


def wrapped(lines: Iterable[str], size: int, weight: Weight, room: int) -> list[str]:
    """Return drawable lines broken between words so that each is at most ``room`` pixels wide."""
    broken: list[str] = []
    for line in lines:
        current = ""
        for word in line.split():
            longer = f"{current} {word}" if current else word
            if current and text_width(longer, size, weight) > room:
                broken.append(current)
                longer = word
            current = truncated(longer, size, weight, room)
        if current:
            broken.append(current)
    return broken


@lru_cache(maxsize=1024)
def text_image(theme: Theme, text: str, size: int, weight: Weight, ink: RGB, background: RGB) -> Image.Image:
    """Return drawable ``text`` as a palette image, as high as the line, in ``ink`` on ``background``.

    All pictures of one size and weight share their baseline. They are cached: paste them, never draw on them.
    """
    face = font(size, weight)
    ascent, descent = face.getmetrics()
    mask = Image.new("L", (max(1, text_width(text, size, weight) + 1), ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), text, fill=255, font=face, anchor="ls")
    return mask.point(palette(theme).ramp(background, ink))


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
