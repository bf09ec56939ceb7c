"""Replays: scenes as an animated GIF that plays at a readable pace and rests on the last position.

The first frame shows the last position as well: it is what people see where animations do not play. A frame after it
holds only the rectangle in which something changed, and in it only the changed pixels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from struct import pack

from PIL import GifImagePlugin, Image, ImageChops

from renderers import image
from renderers.pixels.layout import FULL_WIDTH, Layout
from renderers.pixels.palette import TRANSPARENT, palette
from renderers.pixels.theme import theme_named
from renderers.scene import Mark, Scene

PACE = 1000
"""Milliseconds each position is shown."""
REST = 4000
"""Milliseconds the last position is shown, at the end and at the beginning of the file together."""
_SAME = [255, *[0] * 255]
"""A lookup table that selects the pixels without a difference: they become transparent."""
MOST_FRAMES = 400
"""Positions of a replay at most; of a longer game the first ones are left out."""


def gif(scenes: Iterable[Scene], theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    """Return the last scene and then all scenes, in their order, as an animated GIF.

    It is ``width`` pixels wide and as high as the highest scene.

    Raises ``ValueError`` where there is no scene, and like ``image.png``.
    """
    shown = [_without_turn_marks(scene.translated()) for scene in scenes][-MOST_FRAMES:]
    if not shown:
        raise ValueError("a replay needs at least one scene")
    height = max(Layout(scene, width).height for scene in shown)
    durations = [PACE] * len(shown) + [REST - PACE]
    # The header of the file: its size, its palette of 256 colours, and endless repetition.
    parts = [
        b"GIF89a",
        pack("<HHBBB", width, height, 0b1111_0111, 0, 0),
        bytes(palette(theme_named(theme)).flat),
        b"!\xff\x0bNETSCAPE2.0\x03\x01",
        pack("<HB", 0, 0),
    ]
    before: Image.Image | None = None
    for duration, scene in zip(durations, (shown[-1], *shown), strict=True):
        after = image.draw(scene, theme, width)
        if after.height < height:
            canvas = palette(theme_named(theme)).image((width, height), theme_named(theme).background)
            canvas.paste(after, (0, 0))
            after = canvas
        frame, offset = after, (0, 0)
        if before is not None:
            # The part that differs from the picture before; a single pixel if nothing changed.
            difference = ImageChops.difference(before, after)
            box = difference.getbbox() or (0, 0, 1, 1)
            frame, offset = after.crop(box), box[:2]
            frame.paste(TRANSPARENT, (0, 0), difference.crop(box).point(_SAME, "1"))
        parts += GifImagePlugin.getdata(
            frame, offset, duration=duration, transparency=TRANSPARENT, disposal=1, interlace=0
        )
        before = after
    return b"".join([*parts, b";"])


def _without_turn_marks(scene: Scene) -> Scene:
    """Return the scene without marks that change in every frame and add nothing.

    These are the seat to move, the pieces that may move, and the marks of squares on a path, which shows its ends and
    stops itself.
    """
    told = {(Mark.PASSED, square) for path in scene.paths for square in path.squares}
    told |= {(Mark.LEFT, path.squares[0]) for path in scene.paths}
    told |= {(Mark.ENTERED, path.squares[-1]) for path in scene.paths}
    return replace(
        scene,
        regions=tuple(region for region in scene.regions if not region.tinted),
        marks=tuple(mark for mark in scene.marks if mark not in told),
        trays=tuple(replace(tray, to_move=False) for tray in scene.trays),
    )
