"""The scenes of Yonmoque."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from renderers.scene import Colour, Mark, Path, Scene
from tests.games.yonmoque.positions import board, game

YONMOQUE = GAMES["yonmoque"]
BEFORE = board("..b.b ..ww. bw... ..b.. .....", hands="2,3")
MOVE = BEFORE.parse("c2-c3")


def marked(scene: Scene, mark: Mark) -> set[str]:
    return {square for found, square in scene.marks if found is mark}


def test_squares_are_blue_white_or_split_and_white_sees_them_from_the_other_side() -> None:
    scene = YONMOQUE.scene(game(""), seat=0)
    assert [scene.tiles.count(colour) for colour in (Colour.BLUE, Colour.WHITE, Colour.SPLIT)] == [8, 12, 5]
    assert scene.tiles[:5] == (Colour.SPLIT, Colour.WHITE, Colour.BLUE, Colour.WHITE, Colour.SPLIT)
    assert (scene.turned, YONMOQUE.scene(game(""), seat=1).turned) == (False, True)


def test_a_move_marks_where_it_began_where_it_ended_and_what_it_flipped() -> None:
    scene = YONMOQUE.scene(BEFORE.play(MOVE), MOVE, before=BEFORE)
    assert marked(scene, Mark.LEFT) == {"c2"}
    assert marked(scene, Mark.ENTERED) == {"c3"}
    assert marked(scene, Mark.CHANGED) == {"b3", "c4", "d4"}
    assert marked(YONMOQUE.scene(BEFORE.play(MOVE), MOVE), Mark.CHANGED) == set(), "that needs the position before"
    put = BEFORE.parse("a1")
    assert YONMOQUE.scene(BEFORE.play(put), put, before=BEFORE).marks == ((Mark.ENTERED, "a1"),)


def test_a_turn_that_is_complete_is_shown_as_it_would_be_played() -> None:
    scene = YONMOQUE.scene(BEFORE, chosen=("c2", "-c3"))
    assert [piece.square for piece in scene.pieces if piece.colour is Colour.WHITE] == []
    assert marked(scene, Mark.CHANGED) == {"b3", "c4", "d4"}
    assert scene.paths == (Path(("c2", "c3")),)
    assert [tray.to_move for tray in scene.trays] == [True, False]
    put = YONMOQUE.scene(BEFORE, chosen=("a1",))
    assert ("a1", Colour.BLUE) in [(piece.square, piece.colour) for piece in put.pieces]
    assert put.paths == ()
    assert len(YONMOQUE.scene(BEFORE, chosen=("c2",)).pieces) == len(YONMOQUE.scene(BEFORE).pieces)


def test_the_four_that_won_is_marked() -> None:
    def winning(picture: str, move: str) -> set[str]:
        before = board(picture)
        played = before.parse(move)
        return marked(YONMOQUE.scene(before.play(played), played, before=before), Mark.WINNING)

    assert winning("..... ..... bbb.. ...b. .....", "d2-d3") == {"a3", "b3", "c3", "d3"}
    assert winning("..... ..... bb.bb ..... .....", "c3") == set()
    assert winning("..... ..... ..b.. ..... w....", "c3-d3") == set()


def test_trays_hold_what_is_left_in_hand() -> None:
    blue, white = YONMOQUE.scene(BEFORE).trays
    assert (blue.count, blue.capacity, blue.to_move) == (2, 6, True)
    assert (white.count, white.capacity, white.to_move) == (3, 6, False)


def test_words_say_the_colour_a_piece_stands_on() -> None:
    assert YONMOQUE.pieces_in_words(BEFORE) == (
        "Blue: 2 in hand, on blue a3, c5; on white c2; on neutral e5",
        "White: 3 in hand, on blue d4; on white b3, c4",
    )


@pytest.mark.parametrize(
    ("picture", "move", "caption"),
    [
        ("..... ..... ..b.. ..... w....", "c3-d3", "White to move. Last move: c3-d3."),
        ("..... ..... bbb.. ...b. .....", "d2-d3", "Blue wins: four in a row. Last move: d2-d3."),
        ("..... ..... bb.bb ..... .....", "c3", "White wins: five in a row. Last move: c3."),
    ],
)
def test_the_caption_says_who_is_to_move_or_who_has_won(picture: str, move: str, caption: str) -> None:
    before = board(picture)
    played = before.parse(move)
    assert YONMOQUE.scene(before.play(played), played).caption == caption
