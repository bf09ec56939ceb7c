"""Soft-edged masks put onto palette images.

Pillow draws no soft edges on palette images, so a mask comes in a few levels of coverage: each replaces the indices
below it by those of the blended colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from renderers.pixels.palette import LEVELS, Palette
from renderers.pixels.theme import RGB, mix

Pixel = tuple[int, int]


_LEVEL_TABLES = [
    [255 if round(value * LEVELS / 255) == level else 0 for value in range(256)] for level in range(1, LEVELS + 1)
]
"""For each level, a lookup table that selects the coverages of that level."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A form in levels of coverage, 1 to ``LEVELS`` (which covers wholly), and where its origin lies in it.

    ``levels`` holds a bilevel image for each, or None where nothing has that coverage.
    """

    levels: tuple[Image.Image | None, ...]
    size: tuple[int, int]
    origin: Pixel

    @classmethod
    def of(cls, coverage: Image.Image, origin: Pixel) -> Mask:
        """Cut a greyscale image (0 to 255) into levels."""
        levels: list[Image.Image | None] = []
        for table in _LEVEL_TABLES:
            part = coverage.point(table, "1")
            levels.append(part if part.getbbox() else None)
        return cls(tuple(levels), coverage.size, origin)


def blit(
    picture: Image.Image,
    palette: Palette,
    masks: Sequence[tuple[Mask, Pixel]],
    colour: RGB,
    background: RGB | None = None,
) -> None:
    """Paint masks in ``colour`` as one form, each with its origin on a pixel.

    If all edges lie on one ``background``, passing it saves reading the pixels below.
    """
    # All edges come before all cores: where two masks meet, a core covers the edge of the other.
    for level in range(1, LEVELS + 1):
        for mask, at in masks:
            part = mask.levels[level - 1]
            if part is None:
                continue
            left, top = at[0] - mask.origin[0], at[1] - mask.origin[1]
            box = (left, top, left + mask.size[0], top + mask.size[1])
            if level == LEVELS:
                picture.paste(palette.index(colour), box, part)
            elif background is not None:
                picture.paste(palette.index(mix(background, colour, level / LEVELS)), box, part)
            else:
                # Twice as fast as Pillow's ``point``, which rounds all of a table every time.
                blended = picture.crop(box).tobytes().translate(palette.blend_table(colour, level))
                picture.paste(Image.frombytes("P", mask.size, blended), box, part)
