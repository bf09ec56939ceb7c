"""Counting the ways to play on for some plies, by the rules and through a search state."""

from __future__ import annotations

from bot.games.game import Position
from bot.games.search import SearchState


def perft(position: Position, depth: int) -> int:
    """Return how many ways there are to play ``depth`` plies. The last ply is counted without being played.

    Claims that only lose, about which a player is asked first, are left out.
    """
    moves = [move for move in position.legal_moves() if position.question(move) is None]
    return len(moves) if depth == 1 else sum(perft(position.play(move), depth - 1) for move in moves)


def perft_of_state(state: SearchState, depth: int) -> int:
    """Return how many positions there are after ``depth`` plies, with repetitions. The last is counted, not made."""
    tokens = state.tokens()
    if depth == 1:
        return len(tokens)
    count = 0
    for token in tokens:
        state.make(token)
        count += perft_of_state(state, depth - 1)
        state.unmake()
    return count
