"""The ending of one piece against one, checked against plain search over states and against the moves themselves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.games.redtangle import endgame
from bot.games.redtangle.generation import board_after, moves_on
from bot.games.redtangle.moves import Pass
from bot.games.redtangle.pieces import BLACK, PIECE_TEXTS, PIECES, RECTANGLES, SQUARE_NUMBERS, WHITE, Piece
from bot.games.redtangle.rules import ending
from tests.games.redtangle import reference
from tests.games.redtangle.boards import position

WHITES = [piece for piece in PIECES if piece.owner == WHITE]
BLACKS = [piece for piece in PIECES if piece.owner == BLACK]


def verdict(state: reference.State) -> str | None:
    white, white_piece, black, black_piece, mover = state
    winner = endgame.winner(
        PIECE_TEXTS[WHITE, white_piece.text()],
        SQUARE_NUMBERS[reference.name(white)],
        PIECE_TEXTS[BLACK, black_piece.text()],
        SQUARE_NUMBERS[reference.name(black)],
        ("white", "black").index(mover),
    )
    return None if winner is None else ("white", "black")[winner]


@pytest.mark.parametrize(
    ("white", "black"), [("0", "0"), ("0", "4"), ("4", "4"), pytest.param("1N", "0", marks=pytest.mark.slow)]
)
def test_every_state_of_a_pair_agrees_with_plain_search(white: str, black: str) -> None:
    decided = reference.solve(white, black)
    wrong = [state for state in reference.states(white, black) if verdict(state) != decided.get(state)]
    assert wrong == []


def random_states(seed: int, count: int) -> Iterator[tuple[bytes, int]]:
    random = Random(seed)
    for _ in range(count):
        board = bytearray(64)
        white = random.choice([square for square in range(64) if square not in RECTANGLES[BLACK]])
        black = random.choice([square for square in range(64) if square not in RECTANGLES[WHITE] and square != white])
        board[white], board[black] = random.choice(WHITES).code, random.choice(BLACKS).code
        yield bytes(board), random.choice((WHITE, BLACK))


def winner(board: bytes, mover: int) -> int | None:
    """Return who can force a win, also where the game is over; a draw on the board is None."""
    codes = [code for code in board if code]
    result = ending(board, mover, 0, 1)
    if result and len(codes) < 2:
        return min(result.winners) if len(result.winners) == 1 else None
    pieces = {PIECES[code - 1].owner: (PIECES[code - 1], square) for square, code in enumerate(board) if code}
    for seat in (WHITE, BLACK):
        if pieces[seat][1] in RECTANGLES[1 - seat]:
            return seat
    return endgame.winner(*pieces[WHITE], *pieces[BLACK], mover)


def test_a_state_is_worth_what_its_best_move_leads_to_for_every_pair() -> None:
    seen = {None: 0, WHITE: 0, BLACK: 0}
    for board, mover in random_states(1, 1500):
        results = [
            winner(board_after(board, move), 1 - mover) for move in moves_on(board, mover) if not isinstance(move, Pass)
        ]
        best = mover if mover in results else None if None in results else 1 - mover
        assert winner(board, mover) == best
        seen[best] += 1
    assert min(seen.values()) > 100


def test_no_state_is_without_a_move() -> None:
    for kinds in ((0, 0), (0, 4), (4, 0), (4, 4)):
        white, black = Piece(WHITE, kinds[0], None), Piece(BLACK, kinds[1], None)
        for one in set(range(64)) - RECTANGLES[BLACK]:
            for other in set(range(64)) - RECTANGLES[WHITE] - {one}:
                board = bytearray(64)
                board[one], board[other] = white.code, black.code
                assert moves_on(bytes(board), WHITE)
                assert moves_on(bytes(board), BLACK)


def test_a_race_in_which_nothing_can_be_jumped_is_never_drawn() -> None:
    for white, black in ((0, 4), (4, 0)):
        last = endgame.solve(white, black).rounds[-1]
        for mover in (WHITE, BLACK):
            assert (last.won[mover][0][0] | last.lost[mover][0][0]).bit_count() == 64 * 64 - 2 * 8 * 64 + 8 * 8 - 48


def test_the_tables_of_all_pairs_of_kinds_together_are_small() -> None:
    rounds = [known for white in range(5) for black in range(5) for known in endgame.solve(white, black).rounds]
    sets = [states for known in rounds for side in (known.won, known.lost) for a in side for b in a for states in b]
    assert sum(states.bit_length() // 8 + 1 for states in sets) < 3_000_000


def test_a_position_with_two_pieces_asks_the_table() -> None:
    assert position("d5 w4, d7 b0").result is None
    assert (
        endgame.winner(Piece(WHITE, 4, None), SQUARE_NUMBERS["d6"], Piece(BLACK, 4, None), SQUARE_NUMBERS["h8"], 0) == 0
    )
