"""Themes: everything stands out from what it lies on, and roles can be told apart."""

from __future__ import annotations

from itertools import combinations

import pytest

from renderers.pixels.palette import hollow
from renderers.pixels.theme import MEDIUM, RGB, THEMES, Theme, contrast, luminance, mix, rgb, theme_named
from renderers.scene import SEATS, Colour

each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())

STANDS_ON = {
    Colour.BLUE: (Colour.BLUE, Colour.WHITE),
    Colour.WHITE: (Colour.BLUE, Colour.WHITE, Colour.PLAIN, Colour.SHADE, Colour.GOLD, Colour.RED),
    Colour.RED: (Colour.PLAIN, Colour.SHADE),
    Colour.BLACK: (Colour.GOLD, Colour.RED),
    Colour.WOOD: (Colour.WOOD,),
}
"""Which pieces of the five games stand on which tiles."""


def stands_out(theme: Theme, piece: Colour, tile: RGB) -> float:
    """Return how clearly a piece shows: by its face, its rim or what is drawn on it, whichever shows best."""
    look = theme.look(piece)
    return max(contrast(look.face, tile), contrast(look.rim, tile))


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert luminance((10, 10, 10)) == pytest.approx(0.00304, abs=0.0001)


@each_theme
def test_text_is_easy_to_read(theme: Theme) -> None:
    floor = 12 if theme.name == "high-contrast" else 7
    for background in (theme.background, theme.panel, theme.field):
        assert contrast(theme.text, background) >= floor
    assert contrast(theme.muted, theme.background) >= floor / 1.4
    assert contrast(theme.look(Colour.WOOD).face, theme.bar(Colour.WOOD)) >= 4.5
    for seat in SEATS:
        assert contrast(theme.look(seat).ink, theme.bar(seat)) >= 4.5, seat


@each_theme
def test_what_is_written_on_a_piece_or_a_label_is_easy_to_read(theme: Theme) -> None:
    for colour in Colour:
        look = theme.look(colour)
        assert contrast(look.ink, look.face) >= 4.5, colour


@each_theme
def test_pieces_stand_out_from_their_tiles(theme: Theme) -> None:
    for piece, tiles in STANDS_ON.items():
        for tile in tiles:
            assert stands_out(theme, piece, theme.tile(tile)) >= 3, (piece, tile)
    assert stands_out(theme, Colour.WOOD, hollow(theme.tile(Colour.WOOD))) >= 3


@each_theme
def test_the_two_sides_of_a_game_differ_in_brightness_too(theme: Theme) -> None:
    for first, second in ((Colour.BLUE, Colour.WHITE), (Colour.RED, Colour.WHITE), (Colour.BLACK, Colour.WHITE)):
        assert contrast(theme.look(first).face, theme.look(second).face) >= 2.5, (first, second)


@each_theme
def test_marks_stand_out_from_every_tile(theme: Theme) -> None:
    for colour in Colour:
        tile = theme.tile(colour)
        for accent in (theme.last, theme.next):
            assert contrast(accent.on(tile), tile) >= 3, colour
            assert contrast(accent.light, accent.dark) >= 3


@each_theme
def test_the_last_move_is_told_from_what_may_come_next_and_from_a_win(theme: Theme) -> None:
    for one, other in combinations((theme.last.dark, theme.next.dark, theme.won.dark), 2):
        assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) >= 90


@each_theme
def test_lines_of_seats_stand_out_from_the_field_and_from_each_other(theme: Theme) -> None:
    for seat in SEATS:
        assert contrast(theme.look(seat).face, theme.field) >= 4.5, seat
    for first, second in combinations(SEATS, 2):
        one, other = theme.look(first).face, theme.look(second).face
        assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) >= 90, (first, second)


@each_theme
def test_signs_have_an_edge_where_their_colour_would_be_lost(theme: Theme) -> None:
    for background in (theme.background, theme.panel):
        for colour in Colour:
            look = theme.look(colour)
            edge = theme.edge(look, background)
            assert max(contrast(look.face, background), contrast(edge, background)) >= 3, colour


def test_a_frame_for_all_chats_stands_out_mildly_from_light_and_dark_ones_and_seats_from_it() -> None:
    for chat in ("ffffff", "313338", "1a1a1e"):
        assert 1.6 <= contrast(MEDIUM.background, rgb(chat)) <= 7.5, chat
    for seat in SEATS:
        assert contrast(MEDIUM.look(seat).face, MEDIUM.background) >= 3, seat


def test_mixing_goes_from_one_colour_to_the_other() -> None:
    assert mix((0, 100, 200), (100, 0, 200), 0) == (0, 100, 200)
    assert mix((0, 100, 200), (100, 0, 200), 0.5) == (50, 50, 200)
    assert mix((0, 100, 200), (100, 0, 200), 1) == (100, 0, 200)


def test_a_theme_is_found_by_its_name() -> None:
    assert [theme_named(name).name for name in THEMES] == ["dark", "light", "high-contrast", "medium"]
    with pytest.raises(ValueError, match="dark, light, high-contrast, medium"):
        theme_named("Dark")
