"""How a finished game looks: who has won, a draw, a piece in a goal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers.pixels.layout import Layout
from renderers.scene import Path, Scene
from tests.renderers.drawing import Box, changed, changed_box, drawn, is_within, square_box
from tests.renderers.scenes import gyges, rectangles, yonmoque


def tray_box(scene: Scene, seat: int) -> Box:
    return next(place for tray, place in Layout(scene).trays if tray.seat == seat)


@pytest.mark.parametrize("scene", [yonmoque(), rectangles()], ids=["wide trays", "small trays"])
def test_who_has_won_shows_in_that_tray_alone_and_not_as_whose_turn_it_is(scene: Scene) -> None:
    over = scene.ended(set())
    assert is_within(changed_box(over, scene.ended({1})), tray_box(scene, 1))
    turns = replace(over, trays=tuple(replace(tray, to_move=tray.seat == 1) for tray in over.trays))
    assert is_within(changed_box(turns, scene.ended({1})), tray_box(scene, 1))


def test_a_draw_shows_in_every_tray_and_not_as_a_win() -> None:
    scene = yonmoque()
    differs = changed(drawn(scene.ended({0, 1})), drawn(scene.ended({1})))
    assert all(differs.crop(tray_box(scene, seat)).getbbox() for seat in (0, 1))


@pytest.mark.parametrize("square", ["a6", "f6"])
def test_a_piece_lies_in_the_goal_where_it_entered(square: str) -> None:
    empty = replace(gyges(), pieces=(), paths=(), marks=())
    entered = replace(empty, pieces=(replace(gyges().pieces[0], square="N"),), paths=(Path((square, "N")),))
    bar = Layout(empty).goals["N"]
    left, _, right, _ = square_box(empty, square)
    found = changed(drawn(empty), drawn(entered)).crop(bar).getbbox()
    assert is_within(found, (left - bar[0], 0, right - bar[0], bar[3] - bar[1]))


def test_the_word_for_a_win_has_room_where_six_share_the_width() -> None:
    trays = tuple(replace(rectangles().trays[0], seat=seat, label="", to_move=False) for seat in range(6))
    over = replace(rectangles(), trays=trays)
    left, top, right, _ = tray_box(over, 5)
    sign_begins = right - 44
    between = (left + 44, top + 10, sign_begins, top + 40)
    word = changed(drawn(over), drawn(over.ended({5}))).crop(between).getbbox()
    assert word is not None
    assert word[2] - word[0] > 40
