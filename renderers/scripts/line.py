"""A drawable line in all its fonts: how wide it is, and its letters as coverage.

The main font writes the characters it has. HarfBuzz shapes and draws the rest, and is loaded only when it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import ceil

from PIL import Image, ImageChops, ImageDraw

from renderers.scripts import bidi
from renderers.scripts.clusters import clusters
from renderers.scripts.typefaces import Typeface, Weight, font, in_main_font, outlines, typeface_for

_ISOLATES = str.maketrans("", "", bidi.ISOLATE + bidi.END)
_MIRRORED = str.maketrans("()<>[]{}‹›«»≤≥", ")(><][}{›‹»«≥≤")
"""Signs of the main font that are turned round among letters that run to the left."""


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring letters of one font and direction, in reading order. ``None`` is the main font."""

    text: str
    typeface: Typeface | None
    leftwards: bool


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph of a font, and where its origin lies from that of its part, in ems."""

    number: int
    x: float
    y: float


@lru_cache(maxsize=4096)
def is_plain(text: str) -> bool:
    return all(map(in_main_font, text))


@lru_cache(maxsize=2048)
def parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a drawable text from left to right."""
    in_order: list[Part] = []
    for run in bidi.runs(text) if bidi.runs_left(text) else [bidi.Run(0, len(text), False)]:
        letters = clusters(text[run.start : run.end].translate(_ISOLATES))
        same = [Part("".join(part), typeface, run.leftwards) for typeface, part in groupby(letters, typeface_for)]
        in_order += reversed(same) if run.leftwards else same
    return tuple(in_order)


@lru_cache(maxsize=2048)
def shaped(part: Part, weight: Weight) -> tuple[tuple[Glyph, ...], float]:
    """Return the glyphs of a part that is not of the main font, from left to right, and its width in ems."""
    import uharfbuzz

    assert part.typeface is not None
    face = outlines(part.typeface, weight)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(part.text)
    buffer.direction = "rtl" if part.leftwards else "ltr"
    buffer.language = "und"  # or else that of the machine
    buffer.guess_segment_properties()
    uharfbuzz.shape(face, buffer)
    em, x = part.typeface.scale / face.face.upem, 0
    glyphs = []
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyphs.append(Glyph(info.codepoint, (x + place.x_offset) * em, place.y_offset * em))
        x += place.x_advance
    return tuple(glyphs), x * em


def width(text: str, size: int, weight: Weight) -> int:
    if is_plain(text):
        return round(font(size, weight).getlength(text))
    return sum(_part_width(part, size, weight) for part in parts(text))


def _part_width(part: Part, size: int, weight: Weight) -> int:
    if part.typeface is None:
        return round(font(size, weight).getlength(_written(part)))
    return ceil(shaped(part, weight)[1] * size)


def _written(part: Part) -> str:
    """Return the letters of a part of the main font from left to right: to the left run only signs."""
    return part.text[::-1].translate(_MIRRORED) if part.leftwards else part.text


def coverage(text: str, size: int, weight: Weight) -> Image.Image:
    """Return a drawable text as a greyscale image, as high as the line, a pixel wider than the text.

    What reaches beyond the line, or beyond the image, is cut off.
    """
    face = font(size, weight)
    ascent, descent = face.getmetrics()
    mask = Image.new("L", (max(1, width(text, size, weight) + 1), ascent + descent))
    if is_plain(text):
        ImageDraw.Draw(mask).text((0, ascent), text, fill=255, font=face, anchor="ls")
        return mask
    left = 0
    for part in parts(text):
        wide = _part_width(part, size, weight)
        if part.typeface is None:
            ImageDraw.Draw(mask).text((left, ascent), _written(part), fill=255, font=face, anchor="ls")
        else:
            _draw_part(mask, part, weight, size, left)
        left += wide
    return mask


def _draw_part(mask: Image.Image, part: Part, weight: Weight, size: int, left: int) -> None:
    """Draw a part that is not of the main font, its left end on a pixel; over what is there already."""
    import uharfbuzz

    assert part.typeface is not None
    face, descent = outlines(part.typeface, weight), font(size, weight).getmetrics()[1]
    scale = size * part.typeface.scale / face.face.upem
    pen = uharfbuzz.RasterDraw()
    room = size // 4  # for what reaches beyond its own width
    wide = ceil(shaped(part, weight)[1] * size) + 2 * room
    pen.extents = uharfbuzz.RasterExtents(-room, -descent, wide, mask.height, wide)
    for glyph in shaped(part, weight)[0]:
        pen.transform = (scale, 0.0, 0.0, scale, glyph.x * size, glyph.y * size)
        pen.draw_glyph(face, glyph.number)
    drawn = pen.render()
    if drawn is None:
        raise MemoryError(f"no memory to draw {part.text!r}")
    place = drawn.extents
    letters = Image.frombuffer("L", (place.width, place.height), drawn.buffer, "raw", "L", place.stride, -1)
    box = (left - room, 0, left - room + wide, mask.height)
    mask.paste(ImageChops.lighter(mask.crop(box), letters), box[:2])
