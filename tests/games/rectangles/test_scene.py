"""The scenes of positions of Rectangles of Distinction."""

from __future__ import annotations

import pytest

from renderers.scene import Colour, Ground, Mark, Scene
from tests.games.rectangles.play import RECTANGLES, played, start


def marked(scene: Scene, mark: Mark) -> set[str]:
    return {dot for kind, dot in scene.marks if kind is mark}


def test_the_board_is_made_of_dots_and_used_corners_are_crossed_for_every_seat() -> None:
    scene = RECTANGLES.scene(start(dots=8))
    assert (scene.ground, scene.files, scene.ranks, scene.pieces) == (Ground.DOTS, 8, 8, ())
    position = played(start(4), "b2-d3")
    assert marked(RECTANGLES.scene(position), Mark.USED) == {"b2", "d2", "d3", "b3"}
    assert len({RECTANGLES.scene(position, seat=seat) for seat in range(4)}) == 1


def test_each_rectangle_stands_in_its_players_colour_with_its_area() -> None:
    scene = RECTANGLES.scene(played(start(3), "b2-d3", "a1-c4", "c5-f6", "e2-f3"))
    assert [(outline.colour, outline.label) for outline in scene.outlines] == [
        (Colour.SEAT1, "2"),
        (Colour.SEAT2, "6"),
        (Colour.SEAT3, "3"),
        (Colour.SEAT1, "1"),
    ]
    assert scene.outlines[0].corners == ("b2", "d2", "d3", "b3")


@pytest.mark.parametrize(
    ("typed", "latest", "caption"),
    [
        ("a1-c4", [1], "Player 1 to move. Last move: a1-c4."),
        ("stuck", [], "Player 1 wins: Player 2 said stuck. Last move: stuck."),
    ],
)
def test_the_rectangle_of_the_last_turn_is_the_latest(typed: str, latest: list[int], caption: str) -> None:
    position = played(start(), "b2-d3")
    move = position.parse(typed)
    scene = RECTANGLES.scene(position.play(move), move)
    assert [at for at, outline in enumerate(scene.outlines) if outline.latest] == latest
    assert scene.caption == caption


def test_a_rectangle_in_the_making_is_drawn_as_soon_as_its_corners_say_which() -> None:
    position = played(start(tilted=True), "a1-f6")
    drawn = [RECTANGLES.scene(position, chosen=chosen).outlines[1:] for chosen in (("b1",), ("b1", "-d2"))]
    assert [len(outlines) for outlines in drawn] == [0, 1]
    assert drawn[1][0].latest, "what is being drawn must stand out"
    (tilted,) = RECTANGLES.scene(position, chosen=("b1", "-d2", "-c4")).outlines[1:]
    assert (tilted.corners, tilted.colour, tilted.label) == (("b1", "d2", "c4", "a3"), Colour.SEAT2, "5")
    assert not RECTANGLES.scene(position, chosen=("b1", "-d2", "-f2")).outlines[1:]


def test_the_notes_say_which_areas_are_used_and_which_are_free_although_none_may_be_left() -> None:
    assert RECTANGLES.scene(start()).notes == (
        "Areas used: none",
        "Areas free: 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 25",
    )
    assert RECTANGLES.scene(played(start(), "b2-d3", "a1-c4")).notes == (
        "Areas used: 2, 6",
        "Areas free: 1, 3, 4, 5, 8, 9, 10, 12, 15, 16, 20, 25",
    )
    assert RECTANGLES.scene(start(tilted=True)).notes[1].endswith("12, 13, 15, 16, 17, 20, 25")
    over = played(start(2, 4), "b2-c3", "b1-d4", "a2-d3")
    assert RECTANGLES.scene(over).notes[1] == "Areas free: 2, 4, 9"


def test_the_strip_says_which_areas_are_used_and_by_whom() -> None:
    strip = RECTANGLES.scene(played(start(), "b2-d3", "a1-c4")).strip
    assert " ".join(slot.label for slot in strip) == "1 2 3 4 5 6 8 9 10 12 15 16 20 25"
    assert {slot.label: slot.used_by for slot in strip if slot.used_by} == {"2": Colour.SEAT1, "6": Colour.SEAT2}


def test_every_player_has_a_tray_that_says_whose_turn_it_is_and_who_is_out() -> None:
    trays = RECTANGLES.scene(played(start(4), "b2-d3").drop(3)).trays
    assert [tray.name for tray in trays] == ["Player 1", "Player 2", "Player 3", "Player 4"]
    assert [tray.to_move for tray in trays] == [False, True, False, False]
    assert [tray.label for tray in trays] == ["", "", "", "out"]
    assert trays[1].colour is Colour.SEAT2


def test_choices_are_marked_while_a_rectangle_is_looked_for() -> None:
    scene = RECTANGLES.scene(start(), chosen=("a1", "-c4"), targets=("b2", "d5"))
    assert marked(scene, Mark.CHOSEN) == {"a1", "c4"}
    assert marked(scene, Mark.TARGET) == {"b2", "d5"}
    assert RECTANGLES.scene(start(), chosen=("stuck",)).marks == ()


def test_the_words_say_who_drew_what_and_which_dots_are_free() -> None:
    position = played(start(3, 6, True), "b1-d2-c4").drop(2)
    words = RECTANGLES.pieces_in_words(position)
    assert words[:3] == ("Player 1: b1-d2-c4 (area 5)", "Player 2: nothing drawn", "Player 3: has left the game")
    assert words[3].startswith("Free dots: a1 c1 d1 e1 f1; a2 b2 c2 e2 f2; b3 c3")
