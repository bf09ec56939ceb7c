"""The scenes of Redtangle: tiles, pieces, marks, the move under construction, and the words for all of it."""

from __future__ import annotations

from bot.games.game import Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.setup import SetUpPosition
from renderers import text
from renderers.scene import Colour, Mark, Path, Scene, Shape
from tests.games.redtangle.boards import position

PIECES = "a4 w4, b4 b4, d4 b1W, e5 b1S, a1 w2E, h8 b2E"


def scene_after(pieces: str, move: str, side: str = "w") -> Scene:
    before = position(pieces, side)
    played = before.parse(move)
    return REDTANGLE.scene(before.play(played), played, before=before)


def test_the_piece_that_entered_the_rectangle_has_the_star_of_a_win() -> None:
    assert marked(scene_after("c6 w4, a8 b4", "c6-c7"), Mark.WINNING) == ["c7"]
    assert marked(scene_after("c5 w4, a8 b4", "c5-c6"), Mark.WINNING) == []


def building(found: Position, *chosen: str) -> Scene:
    targets = [step.square for step in found.steps(chosen) if step.square]
    return REDTANGLE.scene(found, chosen=chosen, targets=targets)


def marked(scene: Scene, mark: Mark) -> list[str]:
    return [square for shown, square in scene.marks if shown is mark]


def standing(scene: Scene) -> dict[str, str]:
    return {piece.square: piece.symbol for piece in scene.pieces}


def test_the_board_is_gold_with_two_red_rectangles_framed_in_the_colours_of_their_owners() -> None:
    scene = REDTANGLE.scene(position(PIECES), seat=0)
    assert (scene.files, scene.ranks, scene.turned, scene.notes) == (8, 8, False, ())
    red = {scene.square_name(at % 8, at // 8) for at, tile in enumerate(scene.tiles) if tile is Colour.RED}
    assert red == {f"{file}{rank}" for file in "cdef" for rank in "1278"}
    assert set(scene.tiles) == {Colour.RED, Colour.GOLD}
    white, black = scene.regions
    assert (white.colour, white.label, sorted(white.squares)[0]) == (Colour.WHITE, "White's rectangle", "c1")
    assert (black.colour, black.label, sorted(black.squares)[0]) == (Colour.BLACK, "Black's rectangle", "c7")
    assert not white.tinted


def test_black_sees_the_board_from_the_other_side_and_is_told_where_north_is() -> None:
    scene = REDTANGLE.scene(position("a1 w2E, h8 b3N"), seat=1)
    assert (scene.turned, scene.notes) == (True, ("Seen from Black's side: in typed moves, N points down.",))
    assert scene.words == (
        "White, with the sides that are white: a1 left up",
        "Black, with the sides that are black: h8 down left up",
    )


def test_a_piece_shows_its_four_sides_and_its_owner() -> None:
    drawn = {piece.square: piece for piece in REDTANGLE.scene(position(PIECES)).pieces}
    black, white = Colour.BLACK, Colour.WHITE
    assert {piece.shape for piece in drawn.values()} == {Shape.QUARTERS}
    assert (drawn["a1"].colour, drawn["a1"].sides) == (white, (black, white, white, black))
    assert (drawn["h8"].colour, drawn["h8"].sides) == (black, (white, black, black, white))
    assert (drawn["d4"].colour, drawn["d4"].sides) == (black, (white, white, white, black))
    assert (drawn["b4"].colour, drawn["b4"].sides) == (black, (black,) * 4)


def test_letters_tell_owner_kind_and_rotation_apart_in_two_characters() -> None:
    shown = standing(REDTANGLE.scene(position("a1 w2E, b1 w0, c1 w4, a8 b2E, b8 b0, g8 b4")))
    assert shown == {"a1": "2E", "b1": "0A", "c1": "4A", "a8": "2e", "b8": "0a", "g8": "4a"}


def test_the_text_board_explains_how_its_pieces_are_written() -> None:
    board = text.board(REDTANGLE.scene(position("a1 w2E, b8 b0")))
    assert "w2E" in board
    assert "b0a" in board
    for part in (
        "w or b for its owner",
        "number of sides in that colour",
        "N is up for White",
        "A if all sides are alike",
    ):
        assert part in board


def test_steps_and_turns_are_marked_where_they_began_and_where_the_piece_lies_then() -> None:
    scene = scene_after(PIECES, "a1-b2")
    assert (scene.marks, scene.paths) == (((Mark.LEFT, "a1"), (Mark.ENTERED, "b2")), ())
    assert scene_after(PIECES, "a1@N").marks == ((Mark.ENTERED, "a1"), (Mark.TURNED, "a1"))
    assert scene_after(PIECES, "a1-b2@N").marks == ((Mark.LEFT, "a1"), (Mark.ENTERED, "b2"), (Mark.TURNED, "b2"))


def test_jumps_are_marked_with_their_stops_their_captures_and_their_path() -> None:
    scene = scene_after(PIECES, "a4xc4xe4xe6")
    assert marked(scene, Mark.LEFT) == ["a4"]
    assert marked(scene, Mark.PASSED) == ["c4", "e4"]
    assert marked(scene, Mark.CAPTURED) == ["b4", "d4", "e5"]
    assert marked(scene, Mark.ENTERED) == ["e6"]
    assert scene.paths == (Path(("a4", "c4", "e4", "e6")),)


def test_a_jump_off_the_board_ends_at_the_edge() -> None:
    scene = scene_after("f4 w4, g4 b4, h4 b1W, a1 w2E, h8 b2E", "f4xE")
    assert marked(scene, Mark.CAPTURED) == ["g4", "h4"]
    assert marked(scene, Mark.ENTERED) == []
    assert scene.paths == (Path(("f4", "h4")),)
    assert set(standing(scene)) == {"a1", "h8"}


def test_a_chain_that_comes_back_is_marked_once_a_square() -> None:
    scene = scene_after("c3 w4, d3 b1W, e4 b1S, d5 b2E, c4 b2N, a1 w2N, h8 b2N", "c3xe3xe5xc5xc3")
    assert len(set(scene.marks)) == len(scene.marks)
    assert {(Mark.LEFT, "c3"), (Mark.ENTERED, "c3")} <= set(scene.marks)


def test_a_chosen_step_is_shown_with_the_piece_as_it_will_lie() -> None:
    found = position(PIECES)
    stepped, turned = building(found, "a1", "-b2"), building(found, "a1", "-b2", "@N")
    assert marked(turned, Mark.CHOSEN) == ["a1", "b2"]
    assert standing(stepped) | {"b2": "2N"} == standing(turned)
    assert standing(stepped)["b2"] == "2E"
    assert set(marked(building(found, "a4"), Mark.TARGET)) == {"a3", "b3", "a5", "b5", "c4"}
    assert "a1" not in standing(stepped)
    assert standing(building(found, "a1", "@S"))["a1"] == "2S"


def test_a_chosen_jump_is_shown_with_jumped_pieces_still_standing() -> None:
    scene = building(position(PIECES), "a4", "xc4", "xe4")
    assert marked(scene, Mark.CHOSEN) == ["a4", "c4", "e4"]
    assert marked(scene, Mark.CAPTURED) == ["b4", "d4"]
    assert marked(scene, Mark.TARGET) == ["e6"]
    assert scene.paths == (Path(("a4", "c4", "e4")),)
    assert set(standing(scene)) == {"e4", "b4", "d4", "e5", "a1", "h8"}


def test_a_set_up_under_construction_shows_the_pieces_placed_so_far() -> None:
    start = REDTANGLE.start()
    assert standing(building(start, "2N", ",0")) == {"c1": "2N", "d1": "0A"}
    assert marked(building(start, "2N", ",0"), Mark.CHOSEN) == ["c1", "d1"]
    assert marked(building(start, "2N", ",0"), Mark.TARGET) == ["e1"]
    assert standing(building(start, "nonsense")) == {}


def test_trays_count_the_pieces_left() -> None:
    trays = REDTANGLE.scene(position(PIECES)).trays
    assert [(tray.name, tray.label, tray.to_move) for tray in trays] == [
        ("White", "2 pieces", True),
        ("Black", "4 pieces", False),
    ]
    assert [tray.label for tray in scene_after("d4 w4, d5 b4, d8 b0", "d4xd6").trays] == ["1 piece", "1 piece"]
    assert [tray.label for tray in REDTANGLE.scene(REDTANGLE.start()).trays] == ["to be set up"] * 2


def test_the_caption_says_who_is_to_move_or_how_it_ended() -> None:
    assert REDTANGLE.scene(REDTANGLE.start()).caption == "White to arrange eight pieces."
    assert REDTANGLE.scene(position(PIECES, "b")).caption == "Black to move."
    assert scene_after(PIECES, "a1-b2").caption == "Black to move. Last move: a1-b2."
    ready = REDTANGLE.start().ready_made()
    assert REDTANGLE.scene(REDTANGLE.start().play(ready), last=ready).caption == "Black to arrange eight pieces."
    won = scene_after("c6 w4, a1 w2E, h8 b2E", "c6-c7")
    assert won.caption == "White wins: a white piece entered Black's red rectangle. Last move: c6-c7."
    assert REDTANGLE.scene(position("a1 w2N, h8 b2N")).caption == (
        "Draw: stalemate, neither of the two last pieces can force a win."
    )


def test_the_position_is_said_in_words() -> None:
    placed = position("a1 w2E, b3 w0, b4 w4, h8 b3N")
    assert REDTANGLE.pieces_in_words(placed) == (
        "White, with the sides that are white: a1 right down, b3 none, b4 all",
        "Black, with the sides that are black: h8 up right down",
    )
    assert REDTANGLE.scene(placed, seat=0).words == REDTANGLE.pieces_in_words(placed)
    start = REDTANGLE.start()
    assert isinstance(start, SetUpPosition)
    assert REDTANGLE.pieces_in_words(start)[0] == "White: no pieces on the board"
