"""Laws that hold in every position of Redo."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from bot.games.game import Position
from tests.games.redo.boards import REDO, at, legal, piece_at
from tests.games.redo.reference import FILES

OTHER_WAY = str.maketrans("abcdefg12345678", "gfedcba87654321")
MIRROR = str.maketrans("abcdefg", "gfedcba")
COLOURS = str.maketrans("wrWR", "rwRW")

SIGNS = "111111111111wwrrWR"


def ranks_of(squares: bytes) -> list[str]:
    """Return eight ranks of one sign a square, ``1`` for an empty one, from the eighth down."""
    signs = "".join(SIGNS[square % len(SIGNS)] for square in squares)
    return [signs[at : at + 7] for at in range(0, 56, 7)]


# Drawn as bytes, all at once: square by square the drawing would cost more than what is tested.
boards = st.binary(min_size=56, max_size=56).map(ranks_of)


def position_of(board: list[str], side: str) -> Position:
    text = "/".join(board)
    signs = [sign for sign in text if sign.isalpha()]
    assume(len(signs) + sum(sign.isupper() for sign in signs) <= 28)
    for gap in range(7, 1, -1):
        text = text.replace("1" * gap, str(gap))
    return at(text, side)


def pieces(position: Position) -> str:
    return "".join(sign for sign in position.encode().split(" ")[0] if sign.isalpha())


every_position = given(board=boards, side=st.sampled_from("wr"), choice=st.integers(min_value=0))


@every_position
def test_a_turn_keeps_the_number_of_pieces_except_that_a_promotion_takes_one(
    board: list[str], side: str, choice: int
) -> None:
    before = position_of(board, side)
    moves = list(before.legal_moves())
    assume(moves)
    move = moves[choice % len(moves)]
    after = before.play(move)
    assert len(pieces(after)) == len(pieces(before)) - str(move).endswith("+")
    towers = sum(sign.isupper() for sign in pieces(after)) - sum(sign.isupper() for sign in pieces(before))
    assert towers == str(move).endswith("+")


@every_position
def test_a_turn_never_takes_a_piece_from_the_one_who_makes_it(board: list[str], side: str, choice: int) -> None:
    before = position_of(board, side)
    moves = list(before.legal_moves())
    assume(moves)
    move = moves[choice % len(moves)]
    own = sum(sign.lower() == side for sign in pieces(before))
    assert sum(sign.lower() == side for sign in pieces(before.play(move))) >= own - str(move).endswith("+")


@every_position
def test_no_enemy_is_left_on_the_five_squares_after_a_turn_that_is_no_promotion(
    board: list[str], side: str, choice: int
) -> None:
    before = position_of(board, side)
    moves = [text for text in sorted(legal(before)) if text[-1].isdigit()]
    assume(moves)
    text = moves[choice % len(moves)]
    after = before.play(before.parse(text))
    file, rank, ahead = FILES.index(text[3]), int(text[4]), 1 if side == "w" else -1
    for across, up in ((-1, 0), (1, 0), (-1, ahead), (0, ahead), (1, ahead)):
        if 0 <= file + across < 7 and 1 <= rank + up <= 8:
            assert piece_at(after, f"{FILES[file + across]}{rank + up}").lower() in (side, ".")


@every_position
def test_the_board_is_the_same_game_in_a_mirror(board: list[str], side: str, choice: int) -> None:
    position = position_of(board, side)
    mirrored = position_of([rank[::-1] for rank in board], side)
    assert {text.translate(MIRROR) if text != "pass" else text for text in legal(position)} == legal(mirrored)
    assert (position.result is None) == (mirrored.result is None)


@every_position
def test_red_plays_whites_game_from_the_other_side(board: list[str], side: str, choice: int) -> None:
    position = position_of(board, side)
    turned = position_of([rank[::-1].translate(COLOURS) for rank in reversed(board)], side.translate(COLOURS))
    assert {text.translate(OTHER_WAY) if text != "pass" else text for text in legal(position)} == legal(turned)
    winners = None if position.result is None else {1 - seat for seat in position.result.winners}
    assert winners == (None if turned.result is None else turned.result.winners)


@every_position
def test_a_pass_stands_beside_promotions_alone(board: list[str], side: str, choice: int) -> None:
    position = position_of(board, side)
    texts = legal(position)
    assume(texts)
    assert ("pass" in texts) == all(text.endswith("+") or text == "pass" for text in texts)


@every_position
def test_a_position_is_restored_from_its_text_after_any_turn(board: list[str], side: str, choice: int) -> None:
    position = position_of(board, side)
    moves = list(position.legal_moves())
    assume(moves)
    after = position.play(moves[choice % len(moves)])
    assert REDO.decode(after.encode()) == after
