"""Layouts: everything has its place, whatever a scene holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.pixels.layout import Grid, Layout
from renderers.scene import Colour, Goal, Ground, Scene, Side, Tray
from tests.renderers.scenes import FIVE

grids = st.builds(Grid, st.integers(1, 10), st.integers(1, 10), st.integers(1, 200), st.booleans())


@given(grids, st.data())
def test_names_and_places_of_squares_belong_together(grid: Grid, data: st.DataObject) -> None:
    column, row = data.draw(st.integers(0, grid.files - 1)), data.draw(st.integers(0, grid.ranks - 1))
    assert grid.place(grid.name(column, row)) == (column, row)


@pytest.mark.parametrize("name", ["", "a", "1", "a0", "a4", "d1", "A1", "N", "a-1", "a1b", "11"])
def test_what_names_no_square_has_no_place(name: str) -> None:
    assert Grid(3, 3, 100, turned=False).place(name) is None


@given(
    files=st.integers(1, 12),
    ranks=st.integers(1, 12),
    width=st.sampled_from([200, 400, 900, 1500]),
    seats=st.integers(0, 6),
    goals=st.booleans(),
    coordinates=st.booleans(),
    notes=st.lists(st.just("a b c d e f g h i j k l m n o p" * 3), max_size=3),
    turned=st.booleans(),
)
def test_nothing_overlaps_and_nothing_leaves_the_picture(
    files: int, ranks: int, width: int, seats: int, goals: bool, coordinates: bool, notes: list[str], turned: bool
) -> None:
    scene = Scene(
        files,
        ranks,
        Ground.TILES,
        goals=(Goal("N", Side.TOP, "N"), Goal("S", Side.BOTTOM, "S")) if goals else (),
        trays=tuple(Tray(seat, "A", Colour.SEAT1) for seat in range(seats)),
        notes=tuple(notes),
        coordinates=coordinates,
        turned=turned,
    )
    layout = Layout(scene, width)
    boxes = [layout.board, *layout.goals.values(), *(place for _, place in layout.trays)]
    for box in boxes:
        assert 0 <= box[0] < box[2] <= width
        assert 0 <= box[1] < box[3] <= layout.height
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    assert all(top >= box[3] for _, _, top in layout.notes for box in boxes)


def test_all_games_share_their_margins() -> None:
    layouts = [Layout(scene) for scene in FIVE.values()]
    assert len({min(place[0] for _, place in layout.trays) for layout in layouts}) == 1
    assert len({layout.trays[0][1][1] for layout in layouts}) == 1
    for layout in layouts:
        board = layout.board
        assert abs(board[0] - (900 - board[2])) <= 1
        assert 590 <= board[3] - board[1] <= 830


def test_a_board_without_coordinates_takes_more_of_the_picture() -> None:
    scene = FIVE["yonmoque"]
    assert Layout(replace(scene, coordinates=False)).cell > Layout(scene).cell
