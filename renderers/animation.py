"""Replays: scenes as an animated GIF that plays at a readable pace and rests on the last position.

A frame after the first holds only the rectangle in which something changed, and in it only the changed pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from struct import pack

from PIL import GifImagePlugin, Image, ImageChops

from renderers import image
from renderers.layout import FULL_WIDTH
from renderers.palette import TRANSPARENT, Palette, palette
from renderers.scene import Scene
from renderers.theme import theme_named

PACE = 1000
"""Milliseconds each position is shown."""
REST = 4000
"""Milliseconds the last position is shown before the replay begins again."""
_SAME = [255, *[0] * 255]
"""Picks what does not differ: the pixels that become transparent."""
MOST_FRAMES = 400
"""Positions of a replay at most; of a longer game the first ones are left out."""


def gif(scenes: Iterable[Scene], theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    """Return scenes, in their order, as an animated GIF ``width`` pixels wide and as high as the highest of them.

    Raises ``ValueError`` where there is no scene, and like ``image.png``.
    """
    shown = list(scenes)[-MOST_FRAMES:]
    if not shown:
        raise ValueError("a replay needs at least one scene")
    colours = theme_named(theme)
    numbers = palette(colours)
    pictures = [image.draw(_without_turn(scene), theme, width) for scene in shown]
    height = max(picture.height for picture in pictures)
    canvases = [_heightened(picture, height, numbers.number(colours.ground)) for picture in pictures]
    frames = list(_changes(canvases))
    parts = [_head(numbers, (width, height))]
    for at, (frame, offset, times) in enumerate(frames):
        rest = REST - PACE if at == len(frames) - 1 else 0
        parts += GifImagePlugin.getdata(
            frame, offset, duration=PACE * times + rest, transparency=TRANSPARENT, disposal=1, interlace=0
        )
    return b"".join([*parts, b";"])


def _without_turn(scene: Scene) -> Scene:
    """Return the scene without the sign of whose turn it is: it would jump to and fro and say nothing new."""
    return replace(scene, trays=tuple(replace(tray, to_move=False) for tray in scene.trays))


def _heightened(picture: Image.Image, height: int, ground: int) -> Image.Image:
    """Return the picture on a canvas of that height."""
    if picture.height == height:
        return picture
    canvas = picture.resize((picture.width, height))
    canvas.paste(ground, (0, 0, canvas.width, height))
    canvas.paste(picture, (0, 0))
    return canvas


def _changes(pictures: list[Image.Image]) -> Iterator[tuple[Image.Image, tuple[int, int], int]]:
    """Yield what to draw over the pictures before, where, and how many pictures in a row it stands for."""
    held, offset, times = pictures[0], (0, 0), 1
    for before, after in pairwise(pictures):
        difference = ImageChops.difference(before, after)
        box = difference.getbbox()
        if box is None:
            times += 1
            continue
        yield held, offset, times
        held, offset, times = after.crop(box), box[:2], 1
        held.paste(TRANSPARENT, (0, 0), difference.crop(box).point(_SAME, "1"))
    yield held, offset, times


def _head(numbers: Palette, size: tuple[int, int]) -> bytes:
    """Return the head of a GIF file: size, palette of 256 colours, and that it begins again for ever."""
    return b"".join(
        (
            b"GIF89a",
            pack("<HHBBB", *size, 0b1111_0111, 0, 0),
            bytes(numbers.flat),
            b"!\xff\x0bNETSCAPE2.0\x03\x01",
            pack("<HB", 0, 0),
        )
    )
