"""Scenes to draw in tests, and where two pictures differ."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

from PIL import Image, ImageChops

from renderers import image
from renderers.pixels.layout import Layout
from renderers.pixels.theme import THEMES
from renderers.scene import Ground, Scene

Box = tuple[int, int, int, int]


def plain(ground: Ground = Ground.TILES, **more: object) -> Scene:
    """Return an empty board of three by three squares."""
    return replace(Scene(files=3, ranks=3, ground=ground), **more)  # type: ignore[arg-type]


def drawn(scene: Scene, theme: str = "dark", width: int = 900) -> Image.Image:
    return image.draw(scene, theme, width).convert("RGB")


def changed(first: Image.Image, second: Image.Image) -> Image.Image:
    """Return where two pictures differ, without how."""
    channels = ImageChops.difference(first, second).split()
    worst = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    return worst.point([0] * 12 + [255] * 244)


def changed_box(before: Scene, after: Scene) -> Box | None:
    return changed(drawn(before), drawn(after)).getbbox()


def square_box(scene: Scene, square: str) -> Box:
    layout = Layout(scene)
    place = layout.grid.place(square)
    assert place is not None
    left, top = layout.corner(*place)
    return left, top, left + layout.cell, top + layout.cell


def is_within(inner: Box | None, outer: Box) -> bool:
    return inner is not None and (
        inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
    )


def theme_of(data: bytes) -> str:
    """Return the name of the theme in which a finished picture is drawn."""
    picture = Image.open(BytesIO(data)).convert("RGB")
    shades = {colour for _, colour in picture.getcolors(picture.width * picture.height) or ()}
    # A part of a board has no background, and a table no frame between tiles.
    (found,) = (theme.name for theme in THEMES.values() if shades & {theme.background, theme.frame})
    return found
