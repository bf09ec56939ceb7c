"""Palettes: 255 colours that serve every picture of a theme."""

from __future__ import annotations

import pytest
from PIL import Image

from renderers.palette import LEVELS, SIZE, TRANSPARENT, palette
from renderers.scene import Colour
from renderers.theme import RGB, THEMES, Theme, mix

each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())


def areas(theme: Theme) -> list[RGB]:
    """Return the colours that fill large areas."""
    plain = [theme.ground, theme.panel, theme.frame, theme.field, theme.bar, theme.text, *theme.tiles.values()]
    return plain + [theme.look(colour).face for colour in Colour]


def distance(first: RGB, second: RGB) -> int:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


@each_theme
def test_areas_have_the_colours_of_the_theme(theme: Theme) -> None:
    numbers = palette(theme)
    assert len(numbers.colours) == SIZE == TRANSPARENT
    for colour in areas(theme):
        assert distance(numbers.colours[numbers.number(colour)], colour) <= 3, colour


@each_theme
def test_a_sprite_and_a_plain_area_agree_about_their_colour(theme: Theme) -> None:
    """Otherwise the square around a sprite would show on the area it is pasted on."""
    numbers = palette(theme)
    for colour in areas(theme):
        assert numbers.reduce(Image.new("RGB", (2, 2), colour)).getpixel((0, 0)) == numbers.number(colour), colour


@each_theme
def test_edges_between_pieces_and_tiles_find_a_colour_close_to_theirs(theme: Theme) -> None:
    numbers = palette(theme)
    for piece in (Colour.WHITE, Colour.BLUE, Colour.RED, Colour.BLACK, Colour.WOOD):
        for tile in theme.tiles.values():
            for share in (0.25, 0.5, 0.75):
                colour = mix(tile, theme.look(piece).face, share)
                assert distance(numbers.colours[numbers.number(colour)], colour) <= 26


@each_theme
def test_the_transparent_number_is_never_found(theme: Theme) -> None:
    numbers = palette(theme)
    everything = Image.linear_gradient("L").resize((64, 64))
    picture = Image.merge("RGB", (everything, everything.rotate(90), everything.rotate(180)))
    assert TRANSPARENT not in {number for _, number in numbers.reduce(picture).getcolors(256) or []}
    assert TRANSPARENT not in numbers.ramp(theme.ground, theme.text)
    assert TRANSPARENT not in numbers.wash(theme.text, 1)[:SIZE]


def test_a_ramp_leads_from_the_ground_to_the_ink() -> None:
    theme = THEMES["dark"]
    ramp = palette(theme).ramp(theme.ground, theme.text)
    assert len(ramp) == 256
    assert ramp[0] == palette(theme).number(theme.ground)
    assert ramp[255] == palette(theme).number(theme.text)


def test_a_wash_mixes_what_is_below_with_its_colour() -> None:
    theme = THEMES["dark"]
    numbers = palette(theme)
    white, black = numbers.number(theme.look(Colour.WHITE).face), theme.look(Colour.BLACK).face
    shades = [numbers.colours[numbers.wash(black, level)[white]] for level in range(LEVELS + 1)]
    assert shades[0] == numbers.colours[white]
    assert [sum(shade) for shade in shades] == sorted((sum(shade) for shade in shades), reverse=True)
    assert shades[-1] == numbers.colours[numbers.number(black)]
