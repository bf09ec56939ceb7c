"""``RULES.md``, "Notation": what is written, what is understood, and why a text is refused."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

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
        "d4xd6@E",
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


ROUND_THE_CORNER = "d2 w4, d3 b2S, d4 b1S, c5 b1E, b4 b2N, c3 b3W"
"""From d2 over d3 and d4, over c5 and over b4 to b3; there c3 and behind it d3, which has been jumped, lie ahead."""
FACED_BY_WHITE = "the side of c4 that faces your piece is white, like the side you jump with: it cannot be jumped"


@pytest.mark.parametrize(
    ("pieces", "typed", "reason"),
    [
        ("d4 w0", "d4-d5@N", "the 0 on d4 looks the same from every side"),
        ("d4 w4", "d4@N", "the 4 on d4 looks the same from every side"),
        ("d4 w4, d5 w2E", "d4-d5", "d5 is occupied"),
        ("d4 w4", "a1-a3", r"a3 is not next to a1.*a1xa3"),
        ("d4 w3W", "d4@W", "already lies as 3W"),
        ("e6 b2N", "e6-e5", "the piece on e6 is Black's: you play White"),
        ("d4 w3W", "b3-b4", "b3 is empty"),
        ("b6 w2N", "b6-c7", "cannot be entered diagonally"),
        ("b8 w2N", "b8-c7", "cannot be entered diagonally"),
        ("d4 w3W", "pass", "you may pass only if you have no other move"),
        ("d4 w4, e5 b4", "d4xf6", "jumps go in those directions"),
        ("a4 w4, c4 b4", "a4xd4", "b4 is empty"),
        ("a4 w4, b4 b4, d4 b1W", "a4xe4", "c4 is empty"),
        ("a4 w4, b4 b4, c4 b1W", "a4xe4", "d4 is empty"),
        ("a4 w4, b4 b4, c4 b1W", "a4xc4", "c4 is occupied"),
        ("a4 w4, b4 b4, c4 w1E", "a4xc4", "c4 is occupied"),
        ("a4 w4, b4 b4, c4 b0, d4 b1W", "a4xe4", f"^{FACED_BY_WHITE}$"),
        ("d4 w4, d5 b4", "d4xd6xd4", "d5 has already been jumped in this move: it stays and blocks until the move is"),
        (ROUND_THE_CORNER, "d2xd5xb5xb3xd3", "d3 is occupied"),
        (ROUND_THE_CORNER, "d2xd5xb5xb3xe3", "the piece on d3 has already been jumped in this move"),
        ("d4 w4, d5 w1N", "d4xd6", "the piece on d5 is your own: it cannot be jumped"),
        ("b6 w4, b7 b4", "b6xN", "b8 is empty"),
        ("a4 w4", "a4xW", "a4 is on that edge: there is no piece"),
        ("d5 w4, d6 b4, e7 b1W", "d5xd7xf7", "the move is over as soon as the piece stands on d7"),
        ("d5 w4, d6 b4, d8 b1S", "d5xd7xN", "the move is over as soon as the piece stands on d7"),
    ],
)
def test_a_refusal_says_why(pieces: str, typed: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        position(f"{pieces}, a1 w2N, h8 b2N").parse(typed)


def test_the_reason_of_the_end_is_told_to_whoever_tries_to_move_on() -> None:
    with pytest.raises(IllegalMove, match="the game is over: stalemate"):
        position("a1 w2N, h8 b2N").parse("a1-a2")


def test_an_endless_text_is_refused_at_once() -> None:
    with pytest.raises(IllegalMove, match="too long"):
        position(f"d4 w2E, {OUT_OF_THE_WAY}").parse("d4" + "xd6xd4" * 100_000)


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
