"""Scenes in letters: boards for code blocks and the words that stand in for pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from renderers import text
from renderers.scene import Colour, Ground, Line, Mark, Scene, Shape, Tray
from renderers.scripts.bidi import isolated
from tests.renderers.scenes import FIVE, gyges, rectangles, yonmoque

each_scene = pytest.mark.parametrize("scene", FIVE.values(), ids=FIVE.keys())
words = st.text(max_size=400)


@each_scene
def test_a_board_reads_as_it_was_approved(scene: Scene, snapshot: SnapshotAssertion) -> None:
    assert text.board(scene) == snapshot


@each_scene
def test_a_description_reads_as_it_was_approved(scene: Scene, snapshot: SnapshotAssertion) -> None:
    assert text.description(scene) == snapshot


def rows(scene: Scene) -> list[str]:
    return text.board(scene).splitlines()[: scene.ranks + 1]


def test_a_board_is_seen_from_the_side_that_looks_at_it() -> None:
    upright, turned = rows(yonmoque()), rows(replace(yonmoque(), turned=True))
    assert (upright[0][0], turned[0][0]) == ("5", "1")
    assert upright[-1].split() == turned[-1].split()[::-1] == list("abcde")
    assert upright[4].split()[1] == turned[0].split()[-1] == "W"


@pytest.mark.parametrize("ground", [Ground.TILES, Ground.DOTS])
def test_every_mark_changes_the_board_in_letters(ground: Ground) -> None:
    scene = Scene(3, 3, ground)
    for mark in Mark:
        assert text.board(replace(scene, marks=((mark, "b2"),))) != text.board(scene), mark


def test_marks_are_explained_below_the_board() -> None:
    scene = replace(yonmoque(), marks=((Mark.CHOSEN, "a1"), (Mark.TARGET, "a2"), (Mark.CAPTURED, "a3")))
    for meaning in ("() chosen", "<> may be chosen", "{} taken here"):
        assert meaning in text.board(scene)


MARKED = (
    (Mark.LEFT, "a3"),
    (Mark.ENTERED, "b2"),
    (Mark.CHANGED, "b2"),
    (Mark.CHANGED, "c2"),
    (Mark.CAPTURED, "c1"),
    (Mark.WINNING, "c2"),
    (Mark.CHOSEN, "a1"),
    (Mark.TARGET, "a2"),
    (Mark.TARGET, "c3"),
)


def test_marked_squares_are_told_before_the_pieces_and_those_of_the_last_move_by_the_caption_alone() -> None:
    scene = Scene(3, 3, Ground.TILES, marks=MARKED, title="Game", caption="Last move: a3-b2.", words=("Pieces",))
    marked = "Chosen: a1. Won on c2. Changed sides: b2, c2. Taken: c1. May be chosen: a2, c3."
    assert text.description(scene) == f"Game. Last move: a3-b2. {marked} Pieces."


def test_a_board_in_letters_tells_the_marks_that_screen_readers_may_leave_out() -> None:
    lines = text.board(Scene(3, 3, Ground.TILES, marks=MARKED)).splitlines()
    assert {"Chosen: a1", "Changed sides: b2, c2", "Taken: c1"} <= set(lines)
    assert not any(line.startswith("May be chosen") for line in lines)


def test_empty_squares_have_signs_that_screen_readers_read() -> None:
    """A colon, a bracket or a hyphen would be left out by most, and the squares behind it would seem to move up."""
    colours = (Colour.BLUE, Colour.RED, Colour.SPLIT, Colour.BLACK, Colour.WHITE, Colour.GOLD)
    signs = rows(Scene(6, 1, Ground.TILES, tiles=colours))[0].split()[1:]
    assert len(signs) == len(colours)
    assert set(signs) <= set("+=/#.")


def test_squares_to_choose_from_go_first_where_not_everything_fits() -> None:
    targets = tuple((Mark.TARGET, f"{file}{rank}") for file in "abcdefghij" for rank in range(1, 11))
    scene = Scene(10, 10, Ground.DOTS, marks=((Mark.CHOSEN, "a1"), *targets), words=("word " * 150, "The end"))
    said = text.description(scene)
    assert said.startswith("Chosen: a1. word")
    assert said.endswith("The end.")


def test_a_marked_goal_and_the_piece_in_it_are_shown() -> None:
    scene = gyges()
    reached = replace(scene.pieces[0], square="N", symbol="2")
    board = text.board(replace(scene, marks=((Mark.ENTERED, "N"),), pieces=(reached,)))
    assert board.splitlines()[0].strip() == "[N 2]: South wins here"


def test_a_status_line_is_said_before_the_rest() -> None:
    scene = replace(yonmoque(), status="Move 12 of 40 · Blue: b5-d3")
    assert text.description(scene).startswith("Yonmoque. Move 12 of 40 · Blue: b5-d3. White to move.")
    assert "Move 12 of 40 · Blue: b5-d3" in text.board(scene).splitlines()


def test_a_tray_is_said_in_words() -> None:
    tray = Tray(1, "Bob", Colour.WHITE, Shape.DISC, 2, 6, "12", to_move=True)
    assert "Bob (white, to move): 2 of 6 pieces, 12" in text.board(Scene(3, 3, Ground.TILES, trays=(tray,)))


def test_a_name_cannot_turn_the_direction_of_a_line() -> None:
    tray = Tray(0, "\u202eecilA\u2066 \n`Bob`", Colour.BLUE)
    scene = Scene(3, 3, Ground.TILES, trays=(tray,))
    assert "ecilA 'Bob' (blue)" in text.board(scene).splitlines()
    assert "ecilA `Bob` (blue)." in text.description(scene)


def test_a_name_from_right_to_left_keeps_the_words_and_numbers_beside_it_in_order() -> None:
    tray = Tray(0, "Red", Colour.RED, shape=Shape.DISC, capacity=6, count=4, player="דוד", to_move=True)
    named = f"Red · {isolated('דוד')} (to move): 4 of 6 pieces"
    scene = replace(yonmoque(), trays=(tray,))
    assert f"\n{named}\n" in f"{text.board(scene)}\n"
    assert f"{named}." in text.description(scene)
    assert isolated("דוד")[0] not in text.board(replace(scene, trays=(replace(tray, player="Zoë"),)))


def test_what_is_most_important_comes_first_where_not_everything_fits() -> None:
    scene = replace(rectangles(), notes=tuple(f"note {number} " + "x" * 60 for number in range(50)))
    said = text.board(scene)
    assert len(said) <= text.BOARD_LIMIT
    assert scene.caption in said
    assert "note 0" in said
    assert "note 49" not in said


def test_a_description_too_long_ends_with_a_whole_sentence() -> None:
    scene = replace(yonmoque(), words=tuple(f"Sentence number {number} says something" for number in range(99)))
    said = text.description(scene)
    assert 900 < len(said) <= text.DESCRIPTION_LIMIT
    assert said.endswith("says something.")


def test_one_endless_sentence_ends_between_words() -> None:
    said = text.description(replace(yonmoque(), title="", caption="word " * 999))
    assert len(said) <= text.DESCRIPTION_LIMIT
    assert said.endswith("word…")


@given(name=words, caption=words, note=words, title=words)
def test_any_words_keep_within_the_limits_and_inside_a_code_block(
    name: str, caption: str, note: str, title: str
) -> None:
    trays = (Tray(0, name, Colour.BLUE, label=note), Tray(1, name, Colour.WHITE))
    scene = Scene(3, 3, Ground.TILES, trays=trays, caption=caption, notes=(note,), title=title, words=(note, caption))
    board, description = text.board(scene), text.description(scene)
    assert len(board) <= text.BOARD_LIMIT
    assert "`" not in board
    assert len(description) <= text.DESCRIPTION_LIMIT
    assert not {"\n", "\u202e", "\u2066"} & set(description)


def test_the_words_say_who_has_won_and_that_nobody_is_to_move() -> None:
    for say in (text.board, text.description):
        won = say(yonmoque().ended({1}))
        assert "Bob (white, won)" in won
        assert "(blue)" in won
        assert "(white, draw)" in say(yonmoque().ended({0, 1}))


def test_lines_between_squares_are_said_with_their_ends() -> None:
    scene = Scene(2, 2, Ground.DOTS, lines=(Line(("a1", "b1"), Colour.SEAT1), Line(("b1", "b2"), Colour.SEAT2)))
    assert text.description(scene) == "Lines: a1-b1, b1-b2."
    assert "Lines: a1-b1, b1-b2" in text.board(scene).splitlines()
    assert text.square_words(scene)["b1"] == "line to a1, line to b2"
