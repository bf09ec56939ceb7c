"""``RULES.md``, "Notation": what is written, what is understood, and why a text is refused."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.game import IllegalMove
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.moves import PASS_MOVE, Arrangement, Jump, Turn, Walk
from bot.games.redtangle.pieces import PIECE_TEXTS, SQUARES
from bot.games.redtangle.rules import RedtanglePosition
from tests.games.redtangle.boards import OUT_OF_THE_WAY, after, position
from tests.games.redtangle.strategies import positions


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Walk(10, 18), "c2-c3"),
        (Walk(10, 18, 1), "c2-c3@E"),
        (Turn(10, 1), "c2@E"),
        (Jump((18, 34, 36)), "c3xc5xe5"),
        (Jump((49,), 0), "b7xN"),
        (Jump((16, 18), 1), "a3xc3xE"),
        (PASS_MOVE, "pass"),
        (Arrangement((PIECE_TEXTS[0, "2E"], PIECE_TEXTS[0, "0"])), "2E,0"),
    ],
)
def test_every_move_is_written_in_its_own_way(move: object, text: str) -> None:
    assert str(move) == text


@pytest.mark.parametrize("typed", ["D4-D5@w", " d4 – d5 @ W ", "d4—d5@W", "d4−d5@w"])
def test_case_spaces_and_dashes_do_not_matter(typed: str) -> None:
    assert str(position(f"d4 w2E, {OUT_OF_THE_WAY}").parse(typed)) == "d4-d5@W"


@pytest.mark.parametrize("typed", ["D4XD6", "d4×d6", "d4 x d6"])
def test_jumps_are_understood_however_the_cross_is_typed(typed: str) -> None:
    assert str(position("d4 w4, d5 b4, a1 w0, h8 b0").parse(typed)) == "d4xd6"


def test_a_direction_off_the_board_is_told_from_a_file() -> None:
    found = position("f4 w4, g4 b4, h4 b1W, a1 w0, h8 b0")
    assert str(found.parse("F4XE")) == "f4xE"
    with pytest.raises(IllegalMove, match="e4 is next to f4"):
        found.parse("f4xe4")


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "d4",
        "d4-",
        "d4x",
        "xd4",
        "d4xx",
        "d4--d5",
        "d4-d5-d6",
        "d4@",
        "d4@X",
        "d4xNxN",
        "d4=d5",
        "hello",
        "１２",
    ],
)
def test_what_is_no_move_in_form_is_answered_with_examples(typed: str) -> None:
    with pytest.raises(IllegalMove, match="a move is a step such as c2-c3"):
        position(f"d4 w2E, {OUT_OF_THE_WAY}").parse(typed)


@pytest.mark.parametrize("typed", ["i4-i5", "d9-d8", "d0@N", "d4xd10", "z99xN"])
def test_a_square_off_the_board_is_named(typed: str) -> None:
    with pytest.raises(IllegalMove, match="there is no square"):
        position(f"d4 w2E, {OUT_OF_THE_WAY}").parse(typed)


def test_an_endless_text_is_refused_at_once() -> None:
    with pytest.raises(IllegalMove, match="too long"):
        position(f"d4 w2E, {OUT_OF_THE_WAY}").parse("d4" + "xd6xd4" * 100_000)


@given(positions(), st.text(max_size=40) | st.text("abcdefgh12345678x-@nesw", max_size=12))
def test_no_text_is_answered_with_anything_but_a_legal_move_or_a_reason(found: RedtanglePosition, typed: str) -> None:
    try:
        move = found.parse(typed)
    except IllegalMove:
        return
    assert move in found.legal_moves()


@given(positions())
def test_every_legal_move_is_understood_as_itself(found: RedtanglePosition) -> None:
    moves = found.legal_moves()
    assert [found.parse(str(move)) for move in moves] == list(moves)
    assert len(set(map(str, moves))) == len(moves)


def well_formed(found: RedtanglePosition) -> list[str]:
    """Return every text of a step, a turn and a jump of any piece, and of one jump more after every legal chain."""
    ways = [*(f"x{square}" for square in SQUARES), *(f"x{side}" for side in "NESW")]
    pieces = [square for square in SQUARES if found.board[SQUARES.index(square)]]
    legs = pieces + [text for text in map(str, found.legal_moves()) if "x" in text and text[-1].isdigit()]
    return [
        *(f"{here}-{there}{turn}" for here, there in product(pieces, SQUARES) for turn in ("", "@E", "@S")),
        *(f"{here}@{side}" for here in pieces for side in "NESW"),
        *(begin + way for begin in legs for way in ways),
        "pass",
    ]


@given(positions().filter(lambda found: found.result is None))
def test_a_move_that_is_not_legal_is_refused_and_no_other(found: RedtanglePosition) -> None:
    legal = set(map(str, found.legal_moves()))
    for text in well_formed(found):
        try:
            understood = str(found.parse(text))
        except IllegalMove:
            assert text not in legal
        else:
            assert understood in legal
            assert text in (understood, f"{understood}@E", f"{understood}@S")


def test_a_position_is_written_with_its_counters() -> None:
    found = position("a1 w1N, a8 w4, h8 b1N, h1 b4")
    assert found.encode() == "w46b1N/8/8/8/8/8/8/w1N6b4 w 0 -"
    on = after(found, "a1-a2", "h8-h7", "a2-a1", "h7-h8", "a1-a2")
    assert on.encode() == (
        "w46b1N/8/8/8/8/8/w1N7/7b4 b 5 "
        "w46b1N/8/8/8/8/8/8/w1N6b4:w:2,w46b1N/8/8/8/8/8/w1N7/7b4:b:1,"
        "w47/7b1N/8/8/8/8/8/w1N6b4:b:1,w47/7b1N/8/8/8/8/w1N7/7b4:w:1"
    )


@given(positions())
def test_a_position_can_be_written_and_read_again(found: RedtanglePosition) -> None:
    again = REDTANGLE.decode(found.encode())
    assert again == found
    assert hash(again) == hash(found)
    assert again.result == found.result
    assert list(again.legal_moves()) == list(found.legal_moves())


def test_positions_differ_when_one_of_them_has_been_there_before() -> None:
    found = position("a1 w1N, a8 w4, h8 b1N, h1 b4", quiet=4)
    came_back = after(position("a1 w1N, a8 w4, h8 b1N, h1 b4"), "a1-a2", "h8-h7", "a2-a1", "h7-h8")
    assert found.board == came_back.board
    assert found.quiet == came_back.quiet
    assert found != came_back


def test_the_order_in_which_earlier_positions_came_does_not_matter() -> None:
    start = position("a1 w1N, a8 w4, h8 b1N, h1 b4")
    one = after(start, "a1-a2", "h8-h7", "a2-a1", "h7-h8", "a1-b1", "h8-g8", "b1-a1", "g8-h8@E")
    two = after(start, "a1-b1", "h8-g8", "b1-a1", "g8-h8", "a1-a2", "h8-h7", "a2-a1", "h7-h8@E")
    assert one == two
    assert one.encode() == two.encode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "8/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/w07 x 0 -",
        "8/8/8/8/8/8/8/w07 w -1 -",
        "8/8/8/8/8/8/8/w07 w 121 -",
        "8/8/8/8/8/8/8/w07 w 01 -",
        "8/8/8/8/8/8/8/w07 w 0 ",
        "8/8/8/8/8/8/8/w07  w 0 -",
        "8/8/8/8/8/8/8/w07 w 0 - -",
        "8/8/8/8/8/8/w07 w 0 -",
        "8/8/8/8/8/8/8/w08 w 0 -",
        "8/8/8/8/8/8/8/w0N7 w 0 -",
        "8/8/8/8/8/8/8/w27 w 0 -",
        "8/8/8/8/8/8/8/w0w06 w 0 -",
        "8/8/8/8/8/8/8/w034 w 0 -",
        "2w05/8/8/8/8/8/8/8 w 0 -",
        "2w0w44/8/8/8/8/8/8/8 b 0 -",
        "8/8/8/8/8/8/8/w1N6b0 w 1 8/8/8/8/8/8/8/w1E6b0:b:3",
        "8/8/8/8/8/8/8/w1N6b0 w 1 8/8/8/8/8/8/8/w1E6b0",
        "b0w46b1N/8/8/8/8/8/8/w1N6b4 w 0 -",
    ],
)
def test_what_is_no_position_is_not_decoded(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        REDTANGLE.decode(text)


@given(st.text(max_size=60))
def test_decoding_nonsense_raises_nothing_but_value_errors(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        REDTANGLE.decode(text)
