"""The scenes of positions of Redo."""

from __future__ import annotations

from bot.games.game import Position
from renderers.scene import Colour, Mark, Path, Scene, Shape, Side
from tests.games.redo.boards import REDO, at, played

MIDDLE = "7/7/2Rr3/3r3/1wwWr2/2w4/3w3/6w"


def scene_after(position: Position, text: str, seat: int = 0) -> Scene:
    move = position.parse(text)
    return REDO.scene(position.play(move), move, seat, before=position)


def marked(scene: Scene, mark: Mark) -> set[str]:
    return {square for kind, square in scene.marks if kind is mark}


def test_discs_and_towers_differ_in_shape_and_stand_in_their_owners_colour() -> None:
    pieces = {piece.square: piece for piece in REDO.scene(at(MIDDLE)).pieces}
    assert len(pieces) == 10
    assert (pieces["c4"].shape, pieces["c4"].colour, pieces["c4"].symbol) == (Shape.DISC, Colour.WHITE, "w")
    assert (pieces["d4"].shape, pieces["d4"].colour, pieces["d4"].symbol) == (Shape.TOWER, Colour.WHITE, "wt")
    assert (pieces["d6"].shape, pieces["d6"].colour, pieces["d6"].symbol) == (Shape.DISC, Colour.RED, "r")
    assert (pieces["c6"].shape, pieces["c6"].colour, pieces["c6"].symbol) == (Shape.TOWER, Colour.RED, "rt")


def test_the_board_has_seven_files_and_eight_ranks_of_tiles_and_red_sees_it_from_the_other_side() -> None:
    scene = REDO.scene(REDO.start(), seat=0)
    assert (scene.files, scene.ranks, len(scene.tiles), scene.turned) == (7, 8, 56, False)
    assert set(scene.homes) == {(Side.BOTTOM, Colour.WHITE), (Side.TOP, Colour.RED)}
    assert REDO.scene(REDO.start(), seat=1).turned


def test_the_trays_show_the_score_the_direction_and_whose_turn_it_is() -> None:
    trays = REDO.scene(at(MIDDLE)).trays
    assert [(one.name, one.colour, one.label, one.heading, one.to_move, one.share) for one in trays] == [
        ("White", Colour.WHITE, "6 pieces", Side.TOP, True, 0.6),
        ("Red", Colour.RED, "4 pieces", Side.BOTTOM, False, 0.4),
    ]
    assert REDO.scene(at("7/7/7/3r3/7/3W3/7/7")).trays[0].label == "1 piece"


def test_converted_pieces_are_marked() -> None:
    scene = scene_after(at(MIDDLE), "b4-b5")
    assert marked(scene, Mark.CHANGED) == {"c6"}
    assert marked(scene, Mark.LEFT) == {"b4"}
    assert marked(scene, Mark.ENTERED) == {"b5"}
    assert marked(scene_after(at(MIDDLE), "d4xf4"), Mark.CHANGED) == {"e4"}


def test_without_the_position_before_only_the_way_of_the_piece_is_marked_and_of_a_pass_nothing() -> None:
    position = at(MIDDLE)
    move = position.parse("b4-b5")
    assert REDO.scene(position.play(move), move).marks == ((Mark.LEFT, "b4"), (Mark.ENTERED, "b5"))
    assert scene_after(at("w6/7/7/7/7/7/7/3R3"), "pass").marks == ()


def test_choices_are_marked_while_a_turn_is_built() -> None:
    scene = REDO.scene(at(MIDDLE), chosen=("c3", "-b4+"), targets=("a5", "b5"))
    assert marked(scene, Mark.CHOSEN) == {"c3", "b4"}
    assert marked(scene, Mark.TARGET) == {"a5", "b5"}
    assert REDO.scene(at("w6/7/7/7/7/7/7/3R3"), chosen=("pass",)).marks == ()


def test_a_turn_that_is_complete_is_shown_as_it_would_be_played() -> None:
    scene = REDO.scene(at("7/7/2rrr2/2r1r2/2rwr2/7/7/7"), chosen=("d4", "-d5"))
    white = {piece.square for piece in scene.pieces if piece.colour is Colour.WHITE}
    assert white == {"d5", "c5", "e5", "c6", "d6", "e6"}
    assert marked(scene, Mark.CHOSEN) == {"d4", "d5"}
    assert marked(scene, Mark.CHANGED) == {"c5", "e5", "c6", "d6", "e6"}
    assert scene.paths == (Path(("d4", "d5")),)
    assert [(tray.label, tray.to_move) for tray in scene.trays] == [("1 piece", True), ("7 pieces", False)]


def test_the_caption_says_whose_turn_it_is_or_who_has_won_and_why() -> None:
    assert REDO.scene(REDO.start()).caption == "White to move."
    assert scene_after(at(MIDDLE), "b4-b5").caption == "Red to move. Last move: b4-b5."
    won = scene_after(at("7/7/7/3r3/7/3W3/7/7"), "d3-d4")
    assert won.caption == "White wins: Red has no piece left, 2 to 0. Last move: d3-d4."
    assert not any(tray.to_move for tray in won.trays)
    draw = scene_after(at("7/7/7/4r2/2w4/7/7/7"), "c4-b5")
    assert draw.caption == "Draw: no conversion is possible any more, 1 to 1. Last move: c4-b5."


def test_the_words_say_where_everything_stands() -> None:
    assert REDO.pieces_in_words(at(MIDDLE)) == (
        "White: 5 discs on g1, d2, c3, b4, c4; 1 tower on d4",
        "Red: 3 discs on e4, d5, d6; 1 tower on c6",
    )
    assert REDO.scene(at(MIDDLE)).words == tuple(REDO.pieces_in_words(at(MIDDLE)))
    over = played(at("7/7/7/3r3/7/3W3/7/7"), "d3-d4")
    assert REDO.pieces_in_words(over)[1] == "Red: no pieces on the board"
