"""The font of boards and charts, Inter in two weights, by which all lines are measured."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import ImageFont


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
def in_main_font(character: str) -> bool:
    """Say whether the font has a glyph: one that does not look like the one for missing characters."""
    if character == " ":
        return True
    if unicodedata.category(character)[0] in "CMZ":
        return False
    sample = font(24, Weight.MEDIUM)
    glyph, missing = sample.getmask(character), sample.getmask("\U0010fffd")
    return glyph.size != missing.size or bytes(glyph) != bytes(missing)
