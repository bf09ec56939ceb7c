"""The fonts: Inter in two weights, by which all lines are measured, and the fonts for what it lacks.

Those are asked in an order, each for its characters, and loaded when a character needs one.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import as_file, files
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import ImageFont

from renderers.scripts.clusters import EMOJI_FORM, KEYCAP, is_mark

if TYPE_CHECKING:
    import uharfbuzz


class Weight(StrEnum):
    """The weights of the font that ship with the renderers."""

    MEDIUM = "Medium"
    BOLD = "Bold"


_BOLDER = 0.022
"""How much wider strokes are in bold, in ems."""
_REGULAR = 0.018
"""The extra width of strokes that makes regular weight look medium, in ems."""

Blocks = tuple[tuple[int, int], ...]
"""First and last code points."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """A font file, the blocks it is asked for, its size in sizes of the main font, and what it lacks in weight."""

    file: str
    blocks: Blocks
    scale: float = 1.0
    lighter: float = 0.0

    def is_for(self, character: str) -> bool:
        return any(first <= ord(character) <= last for first, last in self.blocks)

    def has(self, character: str) -> bool:
        """Say whether the font is asked for a character and has it."""
        return self.is_for(character) and outlines(self, Weight.MEDIUM).get_nominal_glyph(ord(character)) is not None


def _regular(script: str, *blocks: tuple[int, int], scale: float = 0.93) -> Typeface:
    return Typeface(f"NotoSans{script}UI-Regular.ttf", blocks, scale, _REGULAR)


LETTERS = Typeface(
    "NotoSans-Medium.ttf",
    (
        (0x20, 0x52F),
        (0x1AB0, 0x1AFF),
        (0x1C80, 0x1C8F),
        (0x1D00, 0x20CF),
        (0x2C60, 0x2C7F),
        (0x2DE0, 0x2DFF),
        (0xA640, 0xA69F),
        (0xA720, 0xA7FF),
        (0xAB30, 0xAB6F),
    ),
)
"""Latin, Greek and Cyrillic letters that are rare, and those with marks that Unicode knows no letter for."""
EMOJI = Typeface(
    "NotoEmoji-Medium.ttf",
    ((0x23, 0x39), (0xA9, 0xAE), (0x203C, 0x3299), (0x1F000, 0x1FAFF), (0xE0020, 0xE007F)),
    scale=0.86,
)
STACK = (
    LETTERS,
    Typeface("NotoSansArmenian-Medium.ttf", ((0x530, 0x58F), (0xFB13, 0xFB17)), scale=0.96),
    Typeface("NotoSansHebrew-Medium.ttf", ((0x590, 0x5FF), (0xFB1D, 0xFB4F))),
    _regular("Arabic", (0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF)),
    _regular("Devanagari", (0x900, 0x97F), (0x1CD0, 0x1CFF), (0xA8E0, 0xA8FF)),
    _regular("Bengali", (0x980, 0x9FF)),
    _regular("Gurmukhi", (0xA00, 0xA7F)),
    _regular("Gujarati", (0xA80, 0xAFF)),
    _regular("Oriya", (0xB00, 0xB7F)),
    _regular("Tamil", (0xB80, 0xBFF)),
    _regular("Telugu", (0xC00, 0xC7F)),
    _regular("Kannada", (0xC80, 0xCFF)),
    _regular("Malayalam", (0xD00, 0xD7F)),
    _regular("Sinhala", (0xD80, 0xDFF)),
    _regular("Thai", (0xE00, 0xE7F), scale=0.88),
    _regular("Lao", (0xE80, 0xEFF)),
    _regular("Myanmar", (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), scale=0.88),
    Typeface("NotoSansGeorgian-Medium.ttf", ((0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2F)), scale=0.96),
    Typeface("NotoSansEthiopic-Medium.ttf", ((0x1200, 0x139F), (0x2D80, 0x2DDF), (0xAB00, 0xAB2F))),
    _regular("Khmer", (0x1780, 0x17FF), (0x19E0, 0x19FF), scale=0.88),
    Typeface(
        "NotoSansCJKjp-Medium.otf",
        (
            (0x3000, 0x9FFF),
            (0xAC00, 0xD7A3),
            (0xF900, 0xFAFF),
            (0xFE30, 0xFE4F),
            (0xFF00, 0xFFEF),
            (0x1F200, 0x1F2FF),
            (0x20000, 0x3FFFF),
        ),
        scale=0.96,
    ),
    EMOJI,
    Typeface("NotoSansSymbols-Medium.ttf", ((0x2000, 0x2BFF), (0x1F000, 0x1FFFF))),
    Typeface("NotoSansSymbols2-Regular.ttf", ((0x2000, 0x2BFF), (0x1F000, 0x1FFFF))),
)


@lru_cache(maxsize=4096)
def typeface_for(cluster: str) -> Typeface | None:
    """Return what a cluster is drawn in, or None for the main font and for what no font has."""
    base = cluster[0]
    emoji = EMOJI_FORM in cluster and (not base.isascii() or KEYCAP in cluster)
    if emoji and EMOJI.has(base):
        return EMOJI
    if not in_main_font(base):
        return next((typeface for typeface in STACK if typeface.has(base)), None)
    marked = any(map(is_mark, cluster)) and LETTERS.has(base)
    return LETTERS if marked and all(LETTERS.has(mark) for mark in filter(is_mark, cluster)) else None


@lru_cache(maxsize=len(STACK))
def _face(file: str) -> uharfbuzz.Face:
    """Return a font, mapped into memory: parts that are not drawn are not read."""
    import uharfbuzz

    with as_file(files("renderers").joinpath("fonts", file)) as path:
        return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path))


@lru_cache(maxsize=2 * len(STACK))
def outlines(typeface: Typeface, weight: Weight) -> uharfbuzz.Font:
    """Return the outlines of a font in a weight, in units of its em. They are shared: change nothing about them."""
    import uharfbuzz

    font = uharfbuzz.Font(_face(typeface.file))
    font.synthetic_bold = typeface.lighter + (_BOLDER if weight is Weight.BOLD else 0.0)
    return font


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
