"""Scenes as pictures: what is drawn, where, and that it costs little."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from renderers import image, text
from renderers.pixels import (
    board,
    border,
    cells,
    dots,
    lettering,
    lines,
    outlines,
    palette,
    trays,
)
from renderers.pixels.layout import Layout
from renderers.pixels.theme import THEMES
from renderers.scene import Colour, Ground, Mark, Path, Piece, Scene, Shape, Slot, Tray
from renderers.scripts.bidi import isolated
from tests.renderers.conftest import LooksLike
from tests.renderers.drawing import changed, changed_box, drawn, is_within, plain, square_box
from tests.renderers.scenes import FIVE, gyges, rectangles, redo, redtangle, yonmoque

each_scene = pytest.mark.parametrize("scene", FIVE.values(), ids=FIVE.keys())
each_theme = pytest.mark.parametrize("theme", THEMES)
each_ground = pytest.mark.parametrize("ground", Ground)


@each_scene
def test_a_scene_looks_as_it_was_approved(scene: Scene, looks_like: LooksLike, request: pytest.FixtureRequest) -> None:
    looks_like(image.png(scene, width=450), f"{request.node.callspec.id}-dark")


@pytest.mark.parametrize(
    ("name", "theme"),
    [("yonmoque", "high-contrast"), ("redo", "light"), ("rectangles", "light"), ("rectangles", "medium")],
)
def test_the_other_themes_look_as_they_were_approved(name: str, theme: str, looks_like: LooksLike) -> None:
    looks_like(image.png(FIVE[name], theme=theme, width=450), f"{name}-{theme}")


def test_a_move_under_construction_looks_as_it_was_approved(looks_like: LooksLike) -> None:
    marks = ((Mark.CHOSEN, "b4"), (Mark.TARGET, "a3"), (Mark.TARGET, "b5"), (Mark.TARGET, "d3"), (Mark.CAPTURED, "c5"))
    looks_like(image.png(replace(yonmoque(), marks=marks, turned=True), width=450), "yonmoque-choosing")


@each_scene
@each_theme
def test_a_picture_takes_at_most_45_kilobytes(scene: Scene, theme: str) -> None:
    assert len(image.png(scene, theme=theme)) <= 55_000


@each_scene
def test_a_picture_is_a_png_with_a_palette_as_wide_as_asked(scene: Scene) -> None:
    for width in (200, 400, 900, 1300):
        picture = Image.open(BytesIO(image.png(scene, width=width)))
        assert (picture.format, picture.mode, picture.width) == ("PNG", "P", width)
        assert 0.8 * width < picture.height < 1.5 * width


@each_scene
@each_theme
def test_the_outermost_pixels_stay_empty(scene: Scene, theme: str) -> None:
    for turned in (False, True):
        picture = drawn(replace(scene, turned=turned), theme)
        background = picture.getpixel((0, 0))
        for edge in (
            (0, 0, picture.width, 6),
            (0, 0, 6, picture.height),
            (picture.width - 6, 0, picture.width, picture.height),
            (0, picture.height - 6, picture.width, picture.height),
        ):
            assert picture.crop(edge).getcolors() == [((edge[2] - edge[0]) * (edge[3] - edge[1]), background)]


@each_ground
def test_the_first_seat_sees_a1_lower_left_and_the_far_side_sees_it_upper_right(ground: Ground) -> None:
    empty = plain(ground)
    with_piece = plain(ground, pieces=(Piece("a1", Shape.DISC, Colour.RED, "r"),))
    left, top, right, bottom = Layout(empty).board
    cell = Layout(empty).cell
    assert is_within(changed_box(empty, with_piece), (left, bottom - cell, left + cell, bottom))
    turned = replace(empty, turned=True), replace(with_piece, turned=True)
    assert is_within(changed_box(*turned), (right - cell, top, right, top + cell))


def test_half_a_turn_turns_split_tiles_and_the_sides_of_pieces() -> None:
    sides = (Colour.BLACK, Colour.WHITE, Colour.WHITE, Colour.WHITE)
    piece = Piece("b2", Shape.QUARTERS, Colour.WHITE, "w", 3, sides)
    for scene in (plain(tiles=(Colour.SPLIT,) * 9), plain(pieces=(piece,))):
        box = square_box(scene, "b2")
        middle = box[0] + box[2] >> 1, box[1] + box[3] >> 1
        above, below = (middle[0], box[1] + 60), (middle[0], box[3] - 60)
        if not scene.pieces:
            above, below = (box[0] + 20, box[1] + 20), (box[2] - 20, box[3] - 20)
        upright, turned = drawn(scene), drawn(replace(scene, turned=True))
        assert upright.getpixel(above) == turned.getpixel(below) != upright.getpixel(below) == turned.getpixel(above)


@each_ground
@pytest.mark.parametrize("occupied", [False, True])
def test_every_mark_has_a_form_of_its_own_within_its_square(ground: Ground, occupied: bool) -> None:
    pieces = (Piece("b2", Shape.DISC, Colour.WHITE, "w"),) if occupied else ()
    scene = plain(ground, pieces=pieces)
    forms = {}
    for mark in Mark:
        marked = replace(scene, marks=((mark, "b2"),))
        form = changed(drawn(scene), drawn(marked))
        assert is_within(form.getbbox(), square_box(scene, "b2")), mark
        forms[mark] = form.tobytes()
    assert len(set(forms.values())) == len(Mark)


def test_a_path_between_two_pieces_side_by_side_shows_its_direction() -> None:
    pieces = tuple(Piece(square, Shape.RINGS, Colour.WOOD, "1", 1) for square in ("a2", "b2"))
    there, back = (plain(Ground.CELLS, pieces=pieces, paths=(Path(way),)) for way in (("a2", "b2"), ("b2", "a2")))
    left, _, right, _ = changed_box(there, back) or (0, 0, 0, 0)
    assert right - left > Layout(there).cell // 5


def test_every_mark_changes_a_goal() -> None:
    for mark in Mark:
        scene = gyges()
        marked = replace(scene, marks=(*scene.marks, (mark, "N")))
        assert is_within(changed_box(scene, marked), Layout(scene).goals["N"]), mark


def test_a_path_leads_through_its_squares_and_into_a_goal() -> None:
    scene = replace(gyges(), paths=(), pieces=())
    layout = Layout(scene)
    line = THEMES["dark"].last.dark
    led = drawn(replace(scene, paths=(Path(("a1", "a3", "c3", "c6", "N")),)))
    for square in ("a1", "a2", "a3", "b3", "c3", "c4", "c5", "c6"):
        middle = layout.middle(square)
        assert middle is not None
        assert led.getpixel(middle) == line, square
    bar = layout.goals["N"]
    assert led.getpixel((layout.middle("c6")[0], bar[3] - 6)) == line  # type: ignore[index]


def test_a_path_passes_below_a_piece() -> None:
    piece = (Piece("b2", Shape.DISC, Colour.RED, "r"),)
    scene, led = plain(pieces=piece), plain(pieces=piece, paths=(Path(("a1", "c3")),))
    middle = Layout(scene).middle("b2")
    assert middle is not None
    around = (middle[0] - 60, middle[1] - 60, middle[0] + 60, middle[1] + 60)
    assert drawn(scene).crop(around).tobytes() == drawn(led).crop(around).tobytes()
    assert changed_box(scene, led) is not None


@each_theme
def test_the_last_move_looks_alike_on_white_on_blue_and_on_split_tiles(theme: str) -> None:
    lines = set()
    for tile in (Colour.BLUE, Colour.WHITE, Colour.SPLIT):
        picture = drawn(plain(tiles=(tile,) * 9, marks=((Mark.ENTERED, "b2"),)), theme)
        left, top, right, bottom = square_box(plain(), "b2")
        lines.add(picture.getpixel((left + round(0.053 * (right - left)), (top + bottom) // 2)))
    assert lines == {THEMES[theme].last.dark}


def test_a_white_disc_has_a_wider_rim_on_white_and_on_split_tiles_than_on_blue_ones() -> None:
    wide = {}
    for tile in (Colour.BLUE, Colour.WHITE, Colour.SPLIT):
        scene = plain(tiles=(tile,) * 9, pieces=(Piece("b2", Shape.DISC, Colour.WHITE, "w"),))
        left, top, right, bottom = square_box(scene, "b2")
        picture, rim = drawn(scene), THEMES["dark"].look(Colour.WHITE).rim
        row = [picture.getpixel((x, (top + bottom) // 2)) for x in range(left, (left + right) // 2)]
        wide[tile] = sum(max(abs(a - b) for a, b in zip(shade, rim, strict=True)) < 40 for shade in row)  # type: ignore[arg-type]
    assert min(wide[Colour.WHITE], wide[Colour.SPLIT]) >= 1.7 * wide[Colour.BLUE] > 0


def test_home_sides_have_their_seats_colours_and_turn_with_the_board() -> None:
    for turned, order in ((False, [Colour.RED, Colour.WHITE]), (True, [Colour.WHITE, Colour.RED])):
        scene = replace(redo(), turned=turned)
        layout, picture = Layout(scene), drawn(scene)
        assert [colour for colour, _ in layout.homes] == order
        for colour, (left, top, right, bottom) in layout.homes:
            shown = picture.getpixel(((left + right) // 2, (top + bottom) // 2))
            assert shown == pytest.approx(THEMES["dark"].look(colour).face, abs=3)


@each_theme
def test_a_share_is_a_bar_of_that_length_in_its_tray(theme: str) -> None:
    def with_share(share: float) -> Scene:
        return replace(redo(), trays=tuple(replace(tray, share=share) for tray in redo().trays))

    none, whole = drawn(with_share(0), theme), drawn(with_share(1), theme)
    for tray, place in Layout(redo()).trays:
        full = changed(none, whole).crop(place).getbbox() or (0, 0, 0, 0)
        half = changed(none, drawn(with_share(0.5), theme)).crop(place).getbbox() or (0, 0, 0, 0)
        assert full[2] - full[0] > 200, tray
        assert half[2] - half[0] == pytest.approx((full[2] - full[0]) / 2, abs=6)


def test_pointers_beside_ranks_change_sides_when_the_board_is_turned() -> None:
    scene = replace(gyges(), trays=(), marks=(), paths=(), pieces=(), coordinates=False)
    left, top, right, bottom = Layout(scene).board
    for turned, on_right in ((False, True), (True, False)):
        picture = drawn(replace(scene, turned=turned))
        sides = {True: (right + 8, top, 900, bottom), False: (0, top, left - 8, bottom)}
        colours = {side: len(picture.crop(box).getcolors(1 << 20) or []) for side, box in sides.items()}
        assert colours[not on_right] == 1 < colours[on_right]


def test_the_seat_below_the_board_is_the_one_that_looks_at_it() -> None:
    scene = yonmoque()
    for turned, near, far in ((False, 0, 1), (True, 1, 0)):
        places = {tray.seat: place for tray, place in Layout(replace(scene, turned=turned)).trays}
        board_top = Layout(replace(scene, turned=turned)).board[1]
        assert places[far][1] < board_top < places[near][1]


def test_more_than_two_seats_stand_in_one_row_above_the_board() -> None:
    for count in (3, 4, 5, 6):
        scene = replace(
            rectangles(), trays=tuple(Tray(seat, "A" * 30, Colour.SEAT1, label="12") for seat in range(count))
        )
        places = [place for _, place in Layout(scene).trays]
        assert len({place[1] for place in places}) == 1
        assert all(place[2] <= following[0] for place, following in pairwise(places))
        assert places[-1][2] <= 900
        assert places[0][3] < Layout(scene).board[1]
        image.png(scene)


def test_whose_turn_it_is_shows_in_the_tray_alone() -> None:
    scene = yonmoque()
    waiting = replace(scene, trays=tuple(replace(tray, to_move=False) for tray in scene.trays))
    place = next(place for tray, place in Layout(scene).trays if tray.to_move)
    assert is_within(changed_box(waiting, scene), place)


@pytest.mark.parametrize("count", [0, 1, 6, 14, 40, 500])
def test_any_number_of_pieces_fits_into_a_tray(count: int) -> None:
    tray = Tray(0, "Alice", Colour.BLUE, Shape.DISC, count, label="12 points")
    full, empty = plain(trays=(tray,)), plain(trays=(replace(tray, count=0),))
    if count:
        assert is_within(changed_box(empty, full), Layout(full).trays[0][1])


@pytest.mark.parametrize(
    "name", ["", "😀😀😀", "אבגד", "مرحبا", "日本語", "W" * 500, "a\nb\tc", "Z̸̛̘a̷l̵g̶o̴" * 9, "\u202eecilA"]
)
@pytest.mark.parametrize("seats", [2, 5])
def test_any_name_stays_within_its_tray(name: str, seats: int) -> None:
    named = plain(trays=tuple(Tray(seat, name, Colour.BLUE, label=name) for seat in range(seats)))
    other = replace(named, trays=(replace(named.trays[0], name="Alice", label=""), *named.trays[1:]))
    place = Layout(named).trays[[tray.seat for tray, _ in Layout(named).trays].index(0)][1]
    box = changed_box(named, other)
    assert box is None or is_within(box, place)


def test_a_name_of_which_nothing_can_be_seen_is_told_by_its_colour_or_seat() -> None:
    assert trays.name_of(Tray(0, "\u200b", Colour.BLUE)) == "Blue"
    assert trays.name_of(Tray(2, "", Colour.SEAT3)) == "Player 3"
    assert trays.name_of(Tray(1, "日本 Bob 😀", Colour.WHITE)) == "日本 Bob 😀"


def test_a_name_that_runs_left_leaves_what_stands_before_it_in_place() -> None:
    assert trays.written_name("Red", "דוד!", (31,), 500) == (31, (f"Red · {isolated('דוד!')}",))


def test_notes_are_tidied_as_names_are() -> None:
    assert [text for text, _, _ in Layout(replace(FIVE["redo"], notes=("x\u202ey  z",))).notes] == ["xy z"]


def test_notes_are_wrapped_below_everything() -> None:
    scene = yonmoque()
    long = replace(scene, notes=("Free areas: " + ", ".join(map(str, range(1, 99))), "Used: 4"))
    before, after = Layout(scene), Layout(long)
    assert len(after.notes) > 3
    assert after.height > before.height
    assert all(top >= max(place[3] for _, place in after.trays) for _, _, top in after.notes)
    assert all(
        left + lettering.text_width(line, after.note_size, lettering.Weight.MEDIUM) < 900
        for line, left, _ in after.notes
    )


def test_a_strip_stands_in_place_of_the_notes_and_strikes_out_what_is_used() -> None:
    scene = rectangles()
    layout, first = Layout(scene), scene.strip[0]
    assert layout.notes == []
    assert [slot for slot, _ in layout.strip] == list(scene.strip)
    used = replace(scene, strip=(replace(first, used_by=Colour.SEAT1), *scene.strip[1:]))
    assert is_within(changed_box(scene, used), layout.strip[0][1])
    words = [text.board(replace(scene, strip=strip)) for strip in (scene.strip, ())]
    assert words[0] == words[1], "the text board has the notes"


@pytest.mark.parametrize("width", [200, 400, 900])
@pytest.mark.parametrize("count", [1, 14, 24, 25, 46, 60])
def test_any_number_of_slots_stand_side_by_side_in_the_picture(count: int, width: int) -> None:
    layout = Layout(replace(rectangles(), strip=tuple(Slot(str(at)) for at in range(count))), width)
    places = [place for _, place in layout.strip]
    rows = {top for _, top, _, _ in places}
    assert len(rows) == -(-count // 24)
    for one, following in pairwise(places):
        assert one[2] <= following[0] or one[3] <= following[1]
    for left, top, right, bottom in places:
        assert 0 <= left < right <= width
        assert layout.board[3] < top < bottom <= layout.height


@each_scene
def test_a_status_line_stands_above_everything_else(scene: Scene) -> None:
    stated = replace(scene, status="Move 12 of 40 · Blue: b5-d3")
    before, after = drawn(scene), drawn(stated)
    added = after.height - before.height
    edge = Layout(scene).px(20)
    assert added > 0
    assert changed(after.crop((0, added + edge, *after.size)), before.crop((0, edge, *before.size))).getbbox() is None
    assert len(after.crop((0, 0, 900, added + edge)).getcolors() or []) > 1


@pytest.mark.parametrize("status", ["x" * 400, "日本語", "\u202e", "a\nb"])
def test_any_status_line_keeps_to_its_place(status: str) -> None:
    scene = replace(yonmoque(), status="Start")
    before, after = drawn(scene), drawn(replace(scene, status=status))
    assert is_within(changed(before, after).getbbox(), (20, 20, 880, 80))


def test_what_is_on_no_square_is_left_out() -> None:
    scene = plain()
    strange = plain(
        pieces=(Piece("z9", Shape.DISC, Colour.RED, "r"), Piece("", Shape.DISC, Colour.RED, "r")),
        marks=((Mark.ENTERED, "d4"), (Mark.TARGET, "N")),
        paths=(Path(("x", "a9")), Path(())),
        outlines=rectangles().outlines,
    )
    assert image.png(scene) == image.png(strange)
    dots_only = plain(Ground.DOTS)
    assert image.png(dots_only) == image.png(replace(dots_only, outlines=rectangles().outlines[:1]))


def test_pictures_do_not_depend_on_what_was_drawn_before_or_at_the_same_time() -> None:
    wanted = [(scene, theme, width) for scene in FIVE.values() for theme in THEMES for width in (300, 640)]
    for cache in (
        cells.cell,
        cells.figure,
        dots.dot,
        outlines.field,
        lettering.text_image,
        lines.line_masks,
        lines.arrow_masks,
    ):
        cache.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda order: image.png(*order), wanted))
    assert together == [image.png(*order) for order in wanted]


def test_every_cache_is_bounded() -> None:
    for module in (board, border, cells, dots, lettering, lines, outlines, palette, trays):
        for name, member in vars(module).items():
            if hasattr(member, "cache_parameters"):
                assert member.cache_parameters()["maxsize"] is not None, f"{module.__name__}.{name}"


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="no theme 'pink'"):
        image.png(redo(), theme="pink")
    for width in (0, 199, 2401):
        with pytest.raises(ValueError, match="pixels wide"):
            image.png(redtangle(), width=width)
    with pytest.raises(ValueError, match="at least one file"):
        image.png(replace(redo(), files=0))
