"""The position before the first turn (``RULES.md``, "Board", "Pieces" and "Set-up")."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from bot.games.game import IllegalMove, Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.pieces import PIECES, Piece
from bot.games.redtangle.rules import RedtanglePosition
from bot.games.redtangle.setup import SetUpPosition, default_arrangement, random_arrangement
from tests.games.redtangle.boards import pieces_on

LINE = "0,1N,1E,2S,2W,2N,3E,4"


def set_up(white: str = LINE, black: str = LINE) -> RedtanglePosition:
    position: Position = REDTANGLE.start()
    for text in (white, black):
        position = position.play(position.parse(text))
    assert isinstance(position, RedtanglePosition)
    return position


def test_each_player_has_pieces_with_0_1_1_2_2_2_3_and_4_own_sides() -> None:
    kinds = Counter(text[:2] for text in pieces_on(set_up()).values())
    assert kinds == {f"{owner}{kind}": count for owner in "wb" for kind, count in enumerate((1, 2, 3, 1, 1))}


def test_own_sides_lie_next_to_each_other_clockwise_from_the_first() -> None:
    shown = {piece.text: "".join("NESW"[side] for side in range(4) if side in piece.own_sides) for piece in PIECES}
    assert shown["2E"] == "ES"
    assert shown["3W"] == "NEW"
    assert shown["1S"] == "S"
    assert shown["2W"] == "NW"
    assert shown["0"] == ""
    assert shown["4"] == "NESW"


def test_the_other_sides_have_the_opponents_colour() -> None:
    assert [Piece(0, 2, 1).colour_of_side(side) for side in range(4)] == [1, 0, 0, 1]
    assert [Piece(1, 2, 1).colour_of_side(side) for side in range(4)] == [0, 1, 1, 0]


def test_a_piece_without_own_sides_and_one_with_four_have_no_direction() -> None:
    assert [piece.text for piece in PIECES if piece.first is None] == ["0", "4", "0", "4"]


def test_white_is_listed_from_c1_to_f1_and_then_from_c2_to_f2() -> None:
    placed = pieces_on(set_up())
    squares = ["c1", "d1", "e1", "f1", "c2", "d2", "e2", "f2"]
    assert [placed[square] for square in squares] == [f"w{text}" for text in LINE.split(",")]


def test_black_is_listed_from_c8_to_f8_and_then_from_c7_to_f7() -> None:
    placed = pieces_on(set_up())
    squares = ["c8", "d8", "e8", "f8", "c7", "d7", "e7", "f7"]
    assert [placed[square] for square in squares] == [f"b{text}" for text in LINE.split(",")]


def test_north_is_up_the_board_for_black_too() -> None:
    white = pieces_on(set_up())["d1"]
    black = pieces_on(set_up())["d8"]
    assert (white, black) == ("w1N", "b1N")


def test_white_sets_up_first_then_black_and_white_makes_the_first_move() -> None:
    position: Position = REDTANGLE.start()
    seats = [position.to_move]
    for _ in range(2):
        position = position.play(position.parse(LINE))
        seats.append(position.to_move)
    assert seats == [0, 1, 0]


def test_the_first_move_of_play_can_be_made_from_any_set_up() -> None:
    assert "c2-c3" in set(map(str, set_up().legal_moves()))


def test_any_rotation_may_be_chosen_for_every_piece() -> None:
    for first in "NESW":
        text = f"0,1{first},1{first},2{first},2{first},2{first},3{first},4"
        assert str(REDTANGLE.start().parse(text)) == text


def test_a_set_up_is_understood_whatever_its_case_spaces_and_separators() -> None:
    start = REDTANGLE.start()
    for typed in ("0, 1n, 1e, 2s, 2w, 2n, 3e, 4", "0 1N 1E 2S 2W 2N 3E 4", "01n1e2s2w2n3e4", " 0;1N;1E;2S;2W;2N;3E;4 "):
        assert str(start.parse(typed)) == LINE


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("0,1N,1E,2S,2W,2N,3E", "missing: 4"),
        ("0,1N,1E,2S,2W,2N,3E,3E", "too many: 3; missing: 4"),
        ("0,1N,1E,2S,2W,2N,3E,4,4", "too many: 4"),
        ("0,1N,1E,2S,2W,2N,3,4", "a 3 needs the direction of its first own side"),
        ("0N,1N,1E,2S,2W,2N,3E,4", "a 0 looks the same from every side"),
        ("0,1N,1E,2S,2W,2N,3E,5", "there is no piece 5"),
        ("0,1NE,1E,2S,2W,2N,3E,4", "a 1 needs the direction"),
        ("c2-c3", "a set-up is a list of eight pieces"),
        ("", "a set-up is a list of eight pieces"),
        ("pass", "a set-up is a list of eight pieces"),
        ("0," * 100, "too long"),
    ],
)
def test_a_wrong_set_up_is_refused_with_its_reason(typed: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        REDTANGLE.start().parse(typed)


def test_set_ups_are_generated_one_after_the_other_and_never_twice() -> None:
    first = list(islice(REDTANGLE.start().legal_moves(), 20_000))
    assert len(set(first)) == len(set(map(str, first))) == 20_000


def test_completions_begin_with_what_is_typed() -> None:
    start = REDTANGLE.start()
    found = start.completions("4,0, 2e", 25)
    assert len(set(found)) == 25
    assert all(text.startswith("4,0,2E") for text in found)
    assert {str(start.parse(text)) for text in found} == set(found)


def test_completions_of_an_almost_complete_set_up_are_all_there_are() -> None:
    assert REDTANGLE.start().completions("0,1N,1E,2S,2W,2N,4,", 25) == [
        f"0,1N,1E,2S,2W,2N,4,3{side}" for side in "NESW"
    ]


@pytest.mark.parametrize("typed", ["0,0", "5", "c2", "4N", "0,1N,1E,2S,2W,2N,3E,4,", "1" * 1000])
def test_nothing_completes_what_begins_no_set_up(typed: str) -> None:
    assert REDTANGLE.start().completions(typed, 25) == []


def test_the_builder_asks_for_a_piece_on_each_square_in_turn_and_then_how_it_lies() -> None:
    position: Position = REDTANGLE.start()
    prefix: tuple[str, ...] = ()
    squares: list[str | None] = []
    for text in LINE.split(","):
        squares += {step.square for step in position.steps(prefix)}
        for part in filter(None, (text[:1], text[1:])):
            steps = {step.key.lstrip(","): step for step in position.steps(prefix)}
            assert len(steps) <= 5
            step = steps[part]
            prefix = (*prefix, step.key)
    assert squares == ["c1", "d1", "e1", "f1", "c2", "d2", "e2", "f2"]
    assert str(step.move) == "".join(prefix) == LINE
    assert position.steps(prefix) == ()


def test_the_builder_offers_only_pieces_that_are_left() -> None:
    keys = [step.key for step in REDTANGLE.start().steps(("0", ",1", "N", ",1", "N", ",4"))]
    assert keys == [",2", ",3"]


def test_the_builder_says_in_words_which_piece_it_is_and_how_it_lies() -> None:
    start = REDTANGLE.start()
    assert [step.caption for step in start.steps()] == [
        *("no white side", "one white side", "two white sides", "three white sides", "all white"),
    ]
    assert start.prompt(("2",)) == "Which way round is the piece on c1?"
    lying = {step.key: step for step in start.steps(("2",))}
    assert (lying["E"].caption, lying["E"].label) == (
        *("white faces right and down", "c1: the 2, white faces right and down"),
    )
    black = start.play(start.parse(LINE))
    assert {step.key: step.caption for step in black.steps(("2",))}["E"] == "black faces left and up"


def test_choices_of_buttons_posted_before_there_were_two_steps_still_lead_on() -> None:
    start = REDTANGLE.start()
    assert start.steps(("0", ",1N")) == start.steps(("0", ",1", "N"))
    assert start.prompt(("0", ",1N")) == "Which piece on e1?"


@pytest.mark.parametrize("prefix", [("c2",), ("0", ",0"), ("0", "nonsense"), ("5",)])
def test_the_builder_knows_no_way_on_from_nonsense(prefix: tuple[str, ...]) -> None:
    assert REDTANGLE.start().steps(prefix) == ()


def test_a_default_and_a_random_arrangement_are_one_click_away() -> None:
    position: Position = REDTANGLE.start()
    for _ in range(2):
        shortcuts = position.shortcuts(Random(7))
        assert [step.label for step in shortcuts] == ["Ready-made set-up", "Random set-up"]
        for step in shortcuts:
            assert position.parse(step.key) == step.move
        position = position.play(shortcuts[0].move)
    assert position.shortcuts(Random(7)) == ()


def test_blacks_default_arrangement_is_whites_turned_by_half() -> None:
    assert str(default_arrangement(0)) == "0,2N,2W,4,1N,3E,2W,1S"
    assert str(default_arrangement(1)) == "4,2E,2S,0,1N,2E,3W,1S"


def test_random_arrangements_differ_and_repeat_with_their_seed() -> None:
    drawn = {str(random_arrangement(1, Random(seed))) for seed in range(50)}
    assert len(drawn) == 50
    assert random_arrangement(1, Random(3)) == random_arrangement(1, Random(3))


def test_a_set_up_is_never_forced() -> None:
    start: Position = REDTANGLE.start()
    assert start.forced_move() is None


def test_set_ups_can_be_written_and_read_again() -> None:
    start = REDTANGLE.start()
    half = start.play(start.parse(LINE))
    for position in (start, half):
        assert REDTANGLE.decode(position.encode()) == position
    assert isinstance(half, SetUpPosition)
    assert half.encode() == "8/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up"


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/8/8/8/8 b set-up",
        "8/8/8/8/8/8/8/7w0 w set-up",
        "8/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 w set-up",
        "8/8/8/8/8/2w2W5/3w2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up",
        "b08/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up",
        "b07/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up",
        "8/8/8/8/8/8/8/8 w setup",
        "8/8/8/8/8/8/8/8 w",
    ],
)
def test_what_is_no_set_up_is_not_decoded(text: str) -> None:
    with pytest.raises(ValueError, match=r"Redtangle|set-up|White|Black|rank|squares"):
        REDTANGLE.decode(text)
