"""Squares: the pieces on them and the regions they belong to."""

from __future__ import annotations

from dataclasses import replace

from renderers.pixels.layout import Layout
from renderers.pixels.theme import THEMES
from renderers.scene import Colour, Ground, Mark, Piece, Region, Scene, Shape, Tray
from tests.renderers.drawing import changed, changed_box, drawn, plain, square_box


def test_a_region_is_framed_and_only_a_tinted_one_is_filled() -> None:
    framed = plain(Ground.CELLS, regions=(Region(("a2", "b2", "c2"), Colour.SEAT1, "the row"),))
    tinted = replace(framed, regions=(replace(framed.regions[0], tinted=True),))
    left, top, right, bottom = square_box(framed, "b2")
    inner = (left + 20, top + 20, right - 20, bottom - 20)
    line = THEMES["dark"].look(Colour.SEAT1).face
    for scene in (framed, tinted):
        picture = drawn(scene)
        assert [picture.getpixel(((left + right) // 2, y)) for y in (top, bottom)] == [line, line]
        assert picture.getpixel((left, (top + bottom) // 2)) != line
    assert drawn(plain(Ground.CELLS)).crop(inner).tobytes() == drawn(framed).crop(inner).tobytes()
    assert drawn(framed).crop(inner).tobytes() != drawn(tinted).crop(inner).tobytes()


def test_a_region_may_have_any_shape_and_leaves_out_what_is_no_square() -> None:
    corner = plain(regions=(Region(("a1", "a2", "b1", "x9"), Colour.RED, "a corner"),))
    line = THEMES["dark"].look(Colour.RED).face
    picture = drawn(corner)
    left, top, right, bottom = square_box(corner, "b2")
    assert picture.getpixel((left, (top + bottom) // 2)) == line
    assert picture.getpixel(((left + right) // 2, bottom)) == line
    assert picture.getpixel((right, (top + bottom) // 2)) != line


def test_the_sides_of_a_piece_can_be_seen_when_it_was_turned() -> None:
    piece = Piece("b2", Shape.QUARTERS, Colour.BLACK, "1N", 1, (Colour.BLACK, *[Colour.WHITE] * 3))
    scene, turned = plain(pieces=(piece,)), plain(pieces=(piece,), marks=((Mark.TURNED, "b2"),))
    left, top, right, bottom = changed_box(scene, turned) or (0, 0, 0, 0)
    assert 0 < max(right - left, bottom - top) < 0.42 * Layout(scene).cell


def test_a_piece_shows_its_owner_round_its_sides_and_in_its_middle() -> None:
    piece = Piece("b2", Shape.QUARTERS, Colour.BLACK, "0", 0, (Colour.WHITE,) * 4)
    scene = plain(pieces=(piece,))
    picture, theme = drawn(scene), THEMES["dark"]
    left, top, right, bottom = square_box(scene, "b2")
    x, y, cell = (left + right) // 2, (top + bottom) // 2, Layout(scene).cell
    black, white = theme.look(Colour.BLACK).face, theme.look(Colour.WHITE).face
    found = [picture.getpixel((x, y - round(part * cell))) for part in (0, 0.17, 0.28, 0.39)]
    assert found == [black, black, white, black]


def test_a_tower_that_changed_sides_is_marked_over_it() -> None:
    tower = plain(pieces=(Piece("b2", Shape.TOWER, Colour.RED, "rt"),))
    disc = plain(pieces=(Piece("b2", Shape.DISC, Colour.RED, "r"),))

    def marked(scene: Scene) -> int:
        arrows = changed(drawn(scene), drawn(replace(scene, marks=((Mark.CHANGED, "b2"),))))
        return sum(arrows.convert("1").histogram()[255:])

    assert marked(tower) > 0.97 * marked(disc)


def test_each_shape_and_each_colour_of_a_piece_looks_different() -> None:
    def seen(shape: Shape, colour: Colour, value: int = 0) -> bytes:
        sides = (colour,) * 4 if shape is Shape.QUARTERS else ()
        return drawn(plain(pieces=(Piece("b2", shape, colour, "x", value, sides),)), width=400).tobytes()

    shapes = {seen(shape, Colour.RED, 2) for shape in Shape}
    colours = {seen(Shape.DISC, colour) for colour in Colour if colour is not Colour.SPLIT}
    values = {seen(Shape.RINGS, Colour.WOOD, value) for value in (1, 2, 3)}
    assert (len(shapes), len(colours), len(values)) == (len(Shape), len(Colour) - 1, 3)


def test_a_disc_shows_the_other_seats_colour_on_its_edge() -> None:
    alone = plain(pieces=(Piece("b2", Shape.DISC, Colour.BLUE, "b"),))
    seats = (Tray(0, "Alice", Colour.BLUE), Tray(1, "Bob", Colour.WHITE))
    shared = replace(alone, trays=seats)
    white = THEMES["dark"].look(Colour.WHITE).face

    def whites(scene: Scene) -> int:
        colours = drawn(scene).crop(square_box(scene, "b2")).getcolors(1 << 20) or []
        return sum(count for count, colour in colours if colour == white)

    assert whites(alone) == 0
    assert whites(shared) > 100
