"""Palettes: 255 colours that serve every picture of a theme."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PIL import Image

from renderers.pixels.palette import LEVELS, SIZE, TRANSPARENT, palette
from renderers.pixels.theme import RGB, THEMES, Theme, mix
from renderers.scene import SEATS, Colour

each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())


def areas(theme: Theme) -> list[RGB]:
    """Return the colours that fill large areas."""
    plain = [theme.background, theme.panel, theme.frame, theme.field, theme.text, *theme.tiles.values()]
    plain += [theme.bar(colour) for colour in (Colour.WOOD, *SEATS)]
    return plain + [theme.look(colour).face for colour in Colour]


def distance(first: RGB, second: RGB) -> int:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


@each_theme
def test_areas_have_the_colours_of_the_theme(theme: Theme) -> None:
    indices = palette(theme)
    assert len(indices.colours) == SIZE == TRANSPARENT
    for colour in areas(theme):
        assert distance(indices.colours[indices.index(colour)], colour) <= 3, colour


@each_theme
def test_a_sprite_and_a_plain_area_agree_about_their_colour(theme: Theme) -> None:
    """Otherwise the square around a sprite would show on the area it is pasted on."""
    indices = palette(theme)
    for colour in areas(theme):
        assert indices.reduce(Image.new("RGB", (2, 2), colour)).getpixel((0, 0)) == indices.index(colour), colour


@each_theme
def test_edges_between_pieces_and_tiles_find_a_colour_close_to_theirs(theme: Theme) -> None:
    indices = palette(theme)
    for piece in (Colour.WHITE, Colour.BLUE, Colour.RED, Colour.BLACK, Colour.WOOD):
        for tile in theme.tiles.values():
            for share in (0.25, 0.5, 0.75):
                colour = mix(tile, theme.look(piece).face, share)
                assert distance(indices.colours[indices.index(colour)], colour) <= 26


@each_theme
def test_the_transparent_index_is_never_found(theme: Theme) -> None:
    indices = palette(theme)
    everything = Image.linear_gradient("L").resize((64, 64))
    picture = Image.merge("RGB", (everything, everything.rotate(90), everything.rotate(180)))
    assert TRANSPARENT not in {number for _, number in indices.reduce(picture).getcolors(256) or []}
    assert TRANSPARENT not in indices.ramp(theme.background, theme.text)
    assert TRANSPARENT not in indices.blend_table(theme.text, 1)[:SIZE]


def test_a_ramp_leads_from_the_ground_to_the_ink() -> None:
    theme = THEMES["dark"]
    ramp = palette(theme).ramp(theme.background, theme.text)
    assert len(ramp) == 256
    assert ramp[0] == palette(theme).index(theme.background)
    assert ramp[255] == palette(theme).index(theme.text)


def test_a_blend_table_mixes_what_is_below_with_its_colour() -> None:
    theme = THEMES["dark"]
    indices = palette(theme)
    white, black = indices.index(theme.look(Colour.WHITE).face), theme.look(Colour.BLACK).face
    shades = [indices.colours[indices.blend_table(black, level)[white]] for level in range(LEVELS + 1)]
    assert shades[0] == indices.colours[white]
    assert [sum(shade) for shade in shades] == sorted((sum(shade) for shade in shades), reverse=True)
    assert shades[-1] == indices.colours[indices.index(black)]


_MANY_THREADS = """
import sys
from random import Random
from threading import Barrier, Thread
from PIL import Image
from renderers.pixels.palette import Palette, palette
from renderers.pixels.theme import theme_named

sys.setswitchinterval(1e-6)
colours, random = palette(theme_named("dark")).colours, Random(1)
pictures = [Image.frombytes("RGB", (40, 40), random.randbytes(4800)) for _ in range(8)]
wanted = [Palette(colours).reduce(picture).tobytes() for picture in pictures]
for _ in range(120):
    fresh, start, made = Palette(colours), Barrier(8), [b""] * 8
    def reduce(at):
        start.wait()
        made[at] = fresh.reduce(pictures[at]).tobytes()
    threads = [Thread(target=reduce, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == wanted
"""


@pytest.mark.slow
def test_many_threads_may_use_a_palette_at_once_that_is_new() -> None:
    """In a process of its own: what goes wrong here can end the whole process."""
    done = subprocess.run([sys.executable, "-c", _MANY_THREADS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
