"""``RULES.md``, "Win" and "Draw", passing, and what all games have in common about ends."""

from __future__ import annotations

import pytest

from bot.games.game import Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.rules import RedtanglePosition
from tests.games.redtangle.boards import after, position, texts

STUCK = "a1 w0, a2 b4, b1 b1W, b2 b1N"
"""White's 0 shows black all round, as do the sides that face it: nothing can be jumped, and no square is free."""
FOUR = "a1 w1N, a8 w4, h8 b1N, h1 b4"
SHUFFLE = "a1-a2 h8-h7 a2-a1 h7-h8 "
PASSES = "pass h8-g8 pass g8-h8 "
SWAP = "a1-a2 h8-g8 b1-a1 g8-g7 a2-b1 g7-h8 "
"""Two pieces that look alike change places."""
STALEMATE = "stalemate, neither of the two last pieces can force a win"
ENTERED = "a white piece entered Black's red rectangle"


@pytest.mark.parametrize(
    ("pieces", "side", "quiet", "moves", "winners", "reason"),
    [
        ("d4 w4, a1 w0, d5 b4", "w", 0, "d4xd6", {0}, "no black piece is left"),
        ("d4 w4, d5 b4, h8 b0", "b", 0, "d5xd3", {1}, "no white piece is left"),
        ("b7 w4, b8 b4, h8 b0", "w", 0, "b7xN", {1}, "no white piece is left"),
        ("b7 w4, a1 w0, b8 b4", "w", 0, "b7xN", {0}, "no black piece is left"),
        ("b6 w4, b7 b4, b8 b1S", "w", 0, "b6xN", {0, 1}, "no piece is left on either side"),
        ("d6 w0, h8 b4", "w", 0, "d6-d7", {0}, ENTERED),
        (FOUR, "w", 0, SHUFFLE * 2, {0, 1}, "third repetition"),
        ("a1 w1N, b1 w1N, h8 b1N, h1 b4", "w", 0, SWAP * 2, {0, 1}, "third repetition"),
        (f"{STUCK}, h8 b2N", "w", 0, PASSES * 2, {0, 1}, "third repetition"),
        (FOUR, "w", 118, "a1-a2 h8-h7", {0, 1}, "120 turns without a capture"),
        (f"{STUCK}, h8 b2N", "w", 119, "pass", {0, 1}, "120 turns without a capture"),
        ("c6 w4, a1 w1N, h1 b4, h8 b1N", "w", 119, "c6-c7", {0}, ENTERED),
        ("d4 w4, d5 b4", "w", 119, "d4xd6", {0}, "no black piece is left"),
        ("a1 w2N, h8 b2N", "w", 0, "", {0, 1}, STALEMATE),
        ("a1 w2N, g6 w4, g7 b4, g8 b1S, h8 b2N", "w", 0, "g6xN", {0, 1}, STALEMATE),
        ("d4 w0, d6 b0", "b", 0, "", {0, 1}, STALEMATE),
    ],
)
def test_a_game_ends(pieces: str, side: str, quiet: int, moves: str, winners: set[int], reason: str) -> None:
    found = after(position(pieces, side, quiet), *moves.split())
    assert found.result is not None
    assert (set(found.result.winners), found.result.reason) == (winners, reason)
    assert (found.to_move, list(found.legal_moves())) == (None, [])


@pytest.mark.parametrize(
    ("pieces", "quiet", "moves"),
    [
        pytest.param(FOUR, 0, SHUFFLE + "a1-a2 h8-h7 a2-a1@E h7-h8", id="lies differently"),
        pytest.param(f"{STUCK}, h8 b2N", 0, PASSES, id="other side to move"),
        pytest.param(FOUR, 118, "a1-a2", id="119 turns"),
        pytest.param("d4 w4, a1 w1N, d5 b4, h8 b1N", 119, "d4xd6", id="a capture begins the count anew"),
        pytest.param("d6 w0, h8 b4", 0, "", id="one can force a win"),
        pytest.param("d4 w0, d6 b0", 0, "", id="White's turn"),
        pytest.param("a1 w2N, a2 w1N, h8 b2N", 0, "", id="three pieces"),
    ],
)
def test_a_game_goes_on(pieces: str, quiet: int, moves: str) -> None:
    assert after(position(pieces, quiet=quiet), *moves.split()).result is None


def test_a_player_without_a_legal_move_passes() -> None:
    stuck = position(STUCK)
    assert texts(stuck) == {"pass"}
    assert str(stuck.forced_move()) == str(stuck.parse("Pass")) == "pass"
    assert position(STUCK.replace("w0", "w1S")).forced_move() is None


def test_positions_and_plies_are_counted_after_the_set_ups() -> None:
    begun: Position = REDTANGLE.start()
    for _ in range(2):
        begun = begun.play(begun.parse("0,1N,1E,2S,2W,2N,3E,4"))
    assert isinstance(begun, RedtanglePosition)
    assert begun.quiet == 0
    assert after(begun, *("c2-c3", "c7-c6", "c3-c2", "c6-c7") * 2).result is not None
