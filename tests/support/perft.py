"""Counting positions through a search state, to be compared with counting them by the rules."""

from __future__ import annotations

from bot.games.search import SearchState


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
