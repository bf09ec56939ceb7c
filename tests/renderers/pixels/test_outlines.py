"""Polygons over dots: the latest runs from dot to dot, earlier ones fade, panes fill, and no two share a line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from bot.contract import golden
from bot.games import GAMES
from renderers import image
from renderers.pixels.layout import Layout
from renderers.pixels.palette import AGES, aged, glass, palette, quiet
from renderers.pixels.theme import RGB, THEMES, Theme, contrast
from renderers.scene import SEATS, Colour, Ground, Line, Mark, Outline, Scene
from tests.renderers.conftest import LooksLike
from tests.renderers.drawing import changed, changed_box, drawn, is_within
from tests.renderers.scenes import rectangles

EMPTY = replace(rectangles(), outlines=(), marks=(), trays=())
SQUARE = Outline(("b2", "e2", "e5", "b5"), Colour.SEAT2, "")
DARK = THEMES["dark"]
QUIET = quiet(DARK.field, DARK.muted)
YOUNGEST = len(AGES) - 1


def line_of(colour: Colour, age: int = YOUNGEST, theme: Theme = DARK) -> RGB:
    """Return the colour in which the lines of an earlier outline are drawn."""
    indices = palette(theme)
    return indices.colours[indices.index(aged(theme, colour, age))]


def crowded(variant: str) -> Scene:
    """Return the end of a recorded game of Rectangles of Distinction in which all hundred dots are corners."""
    file = golden.folder(GAMES["rectangles"]) / f"{variant}-full.txt"
    case, _, moves = golden.game_in(file.read_text(encoding="utf-8"))
    position = case.start()
    for text in moves:
        before, last = position, position.parse(text)
        position = before.play(last)
    return case.game.scene(position, last, before=before)


def across(picture: Image.Image, scene: Scene, square: str, reach: float) -> list[RGB]:
    """Return the colours straight down through the middle between a dot and the one to its right."""
    x, y = Layout(scene).middle(square) or (0, 0)
    cell = Layout(scene).cell
    down = round(reach * cell)
    return [picture.getpixel((x + cell // 2, y + at)) for at in range(-down, down + 1)]  # type: ignore[misc]


def runs(colours: list[RGB], wanted: RGB) -> int:
    """Return how often a colour begins along a line of pixels."""
    return sum(now == wanted != before for before, now in zip([None, *colours], colours, strict=False))


def test_the_latest_outline_has_its_seats_colour_pattern_and_label() -> None:
    forms = set()
    for colour in SEATS:
        one = replace(EMPTY, outlines=(replace(SQUARE, colour=colour, latest=True),))
        form = changed(drawn(EMPTY), drawn(one))
        assert is_within(form.getbbox(), Layout(EMPTY).board)
        assert DARK.look(colour).face in {shade for _, shade in drawn(one).getcolors(1 << 20) or []}
        forms.add(form.tobytes())
    assert len(forms) == 6
    labelled = [replace(EMPTY, outlines=(replace(SQUARE, label=label, latest=True),)) for label in ("9", "10")]
    assert changed_box(*labelled) is not None


def test_the_latest_outline_runs_exactly_from_dot_to_dot() -> None:
    scene = replace(EMPTY, outlines=(replace(SQUARE, latest=True),))
    (left, top), (right, bottom) = (Layout(scene).middle(corner) or (0, 0) for corner in ("b5", "e2"))
    colour = DARK.look(SQUARE.colour).face
    box = changed(drawn(EMPTY), drawn(scene)).getbbox() or (0, 0, 0, 0)
    assert (box[0] + box[2] - 1, box[1] + box[3] - 1) == pytest.approx((left + right, top + bottom), abs=2)
    assert colour in across(drawn(scene), scene, "b5", 0.01)


def test_earlier_outlines_keep_the_colour_of_who_drew_them() -> None:
    for colour in SEATS:
        earlier = drawn(replace(EMPTY, outlines=(replace(SQUARE, colour=colour),)))
        assert line_of(colour) in across(earlier, EMPTY, "c5", 0.2)


def test_earlier_outlines_fade_with_age() -> None:
    others = tuple(Outline(("a1", "b1", "b2", "a2"), Colour.SEAT1, "") for _ in range(9))
    for later, age in ((2, 2), (3, 1), (6, 1), (7, 0), (9, 0)):
        scene = replace(EMPTY, outlines=(SQUARE, *others[:later]))
        assert line_of(SQUARE.colour, age) in across(drawn(scene), scene, "c5", 0.2), later


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
def test_the_oldest_outline_is_readable_on_the_field(theme: Theme) -> None:
    for colour in SEATS:
        shades = [contrast(line_of(colour, age, theme), theme.field) for age in range(len(AGES))]
        assert shades[0] >= 3, colour
        assert shades == sorted(shades), colour


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
def test_a_finished_board_is_of_glass_with_the_smallest_panes_on_top(theme: Theme) -> None:
    small = Outline(("c3", "d3", "d4", "c4"), Colour.SEAT1, "")
    for outlines in ((small, SQUARE), (SQUARE, small)):
        over = replace(EMPTY, outlines=outlines).ended(set())
        picture, colours = drawn(over, theme.name), palette(theme)
        for (first, second), colour in ((("b2", "c3"), SQUARE.colour), (("c3", "d4"), small.colour)):
            panes = {colours.colours[colours.index(glass(theme, colour, strength))] for strength in (0, 1)}
            assert picture.getpixel(_between(over, first, second)) in panes, (outlines, colour)


def test_whose_a_pane_is_shows_without_colours_too() -> None:
    lines = set()
    for colour in SEATS:
        picture = drawn(replace(EMPTY, outlines=(replace(SQUARE, colour=colour),)).ended(set()))
        face = Image.new("RGB", picture.size, DARK.look(colour).face)
        lines.add(changed(picture, face).tobytes())
    assert len(lines) == len(SEATS)


def test_the_area_of_the_latest_outline_alone_is_filled() -> None:
    later = replace(EMPTY, outlines=(SQUARE, Outline(("c3", "d3", "d4", "c4"), Colour.SEAT1, "", latest=True)))
    picture = drawn(later)
    assert picture.getpixel(_between(later, "b2", "c3")) == DARK.field
    assert picture.getpixel(_between(later, "c3", "d4")) != DARK.field


def _between(scene: Scene, first: str, second: str) -> tuple[int, int]:
    (left, top), (right, bottom) = Layout(scene).middle(first) or (0, 0), Layout(scene).middle(second) or (0, 0)
    return (left + right) // 2, (top + bottom) // 2


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (("c5", "f5", "f6", "c6"), "on the other side of the same line"),
        (("c4", "d4", "d5", "c5"), "on the same side of the same line"),
        (("d4", "c4", "c5", "d5"), "on the same side, drawn the other way round"),
    ],
)
def test_sides_on_one_line_run_side_by_side(second: tuple[str, ...], why: str) -> None:
    scene = replace(EMPTY, outlines=(SQUARE, Outline(second, Colour.SEAT2, "")))
    assert runs(across(drawn(scene), scene, "c5", 0.2), line_of(Colour.SEAT2)) == 2, why


def test_many_sides_on_one_line_keep_apart() -> None:
    nested = tuple(Outline((f"b{low}", f"e{low}", "e6", "b6"), Colour.SEAT1, "") for low in (2, 3, 4))
    scene = replace(EMPTY, outlines=nested)
    assert runs(across(drawn(scene), scene, "c6", 0.4), line_of(Colour.SEAT1)) == 3


def test_an_outline_drawn_after_another_leaves_it_as_it_was() -> None:
    tilted = Outline(("b1", "f5", "e6", "a2"), Colour.SEAT4, "")
    first = replace(EMPTY, outlines=(SQUARE,))
    both = replace(EMPTY, outlines=(SQUARE, tilted))
    after = drawn(both)
    assert [place for place in _line_pixels(first) if after.getpixel(place) == DARK.field] == []


def _line_pixels(scene: Scene) -> list[tuple[int, int]]:
    picture, line = drawn(scene), line_of(SQUARE.colour)
    left, top, right, bottom = Layout(scene).board
    found = [(x, y) for x in range(left, right, 3) for y in range(top, bottom, 3) if picture.getpixel((x, y)) == line]
    assert found
    return found


def test_free_dots_stand_out_and_used_ones_whisper() -> None:
    free = Scene(files=3, ranks=3, ground=Ground.DOTS)
    used = replace(free, marks=((Mark.USED, "b2"),))
    middle = Layout(free).middle("b2") or (0, 0)
    assert drawn(free).getpixel(middle) == DARK.text
    assert drawn(used).getpixel(middle) == QUIET
    reach = {name: _reach(picture, middle) for name, picture in (("free", drawn(free)), ("used", drawn(used)))}
    assert reach["free"] > 1.5 * reach["used"]


def _reach(picture: Image.Image, middle: tuple[int, int]) -> int:
    """Return how far a dot reaches along its diagonal."""
    return next(at for at in range(1, 99) if picture.getpixel((middle[0] + at, middle[1] + at)) == DARK.field)


def test_a_board_with_twenty_five_outlines_looks_as_it_was_approved(looks_like: LooksLike) -> None:
    scene = crowded("10x10-tilted")
    assert len(scene.outlines) == 25
    looks_like(image.png(scene, width=450), "rectangles-full-dark")
    looks_like(image.png(scene.ended({0}), width=450), "rectangles-glass-dark")


@pytest.mark.parametrize("theme", THEMES)
def test_the_last_outline_of_each_seat_still_shows_when_the_game_is_over(theme: str) -> None:
    def square(left: str, right: str, colour: Colour, *, latest: bool = False) -> Outline:
        return Outline((f"{left}2", f"{right}2", f"{right}5", f"{left}5"), colour, "", latest)

    first, other, second = (
        square("b", "e", Colour.SEAT1),
        square("c", "f", Colour.SEAT2),
        square("c", "f", Colour.SEAT1),
    )
    scene = replace(EMPTY, outlines=(first, other, replace(second, latest=True)))
    picture, look = drawn(scene.ended({0}), theme), THEMES[theme]
    halo = look.last.on(look.field)

    def has_halo(outline: Outline) -> bool:
        x, y = Layout(scene).middle(outline.corners[0]) or (0, 0)
        reach = range(-14, 15)
        return halo in {picture.getpixel((x + Layout(scene).cell // 3, y + at)) for at in reach}

    # A side of the first lies alone at its left end.
    assert [has_halo(first), has_halo(other), has_halo(second)] == [False, True, True]
    assert halo not in {colour for _, colour in drawn(scene, theme).getcolors(1 << 24) or ()}


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["10x10", "10x10-tilted"])
def test_the_latest_outline_cuts_no_label_of_another(variant: str) -> None:
    scene = crowded(variant)
    for latest in range(0, len(scene.outlines), 8):
        quiet_ones = [replace(one, latest=False) for one in scene.outlines]
        quiet_ones[latest] = replace(quiet_ones[latest], label="")
        before = lettered(drawn(replace(scene, outlines=tuple(quiet_ones))))
        quiet_ones[latest] = replace(quiet_ones[latest], latest=True)
        assert lettered(drawn(replace(scene, outlines=tuple(quiet_ones)))) == before


def lettered(picture: Image.Image) -> int:
    """Return how many pixels have the colour that the labels of earlier outlines are written in."""
    colours = {colour: count for count, colour in picture.getcolors(1 << 24) or []}
    return colours[DARK.muted]


def test_a_line_joins_two_dots_in_its_seats_colour_and_an_end_off_the_board_leaves_it_out() -> None:
    line, off = Line(("a1", "b1"), Colour.SEAT1), Line(("a1", "z9"), Colour.SEAT1)
    shown = [image.draw(replace(EMPTY, lines=lines)) for lines in ((), (line,), (replace(line, latest=True),), (off,))]
    layout = Layout(EMPTY)
    (left, middle), (right, _) = layout.middle("a1") or (0, 0), layout.middle("b1") or (0, 0)
    face = palette(DARK).index(DARK.look(Colour.SEAT1).face)
    column = [[picture.getpixel(((left + right) // 2, y)) for y in range(picture.height)] for picture in shown]
    thick = [pixels.count(face) for pixels in column]
    assert thick[0] == 0 < thick[1] < thick[2]
    assert column[1][middle] == face
    assert shown[3].tobytes() == shown[0].tobytes()
