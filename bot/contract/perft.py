"""Comparing the compact state of a game with its rules: moves and ends, and the ways to play on for some plies."""

from __future__ import annotations

from bot.games.game import Move, Position, SequentialPosition
from bot.games.search import SearchState


def perft(position: Position, depth: int) -> int:
    """Return how many ways there are to play ``depth`` plies. The last ply is counted without being played."""
    moves = listed(position).values()
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


def listed(position: Position) -> dict[str, Move]:
    """Return the legal moves by their texts; claims that a player is asked about first only where there is no other."""
    every = {str(move): move for move in position.legal_moves()}
    return {text: move for text, move in every.items() if position.question(move) is None} or every


def agree(state: SearchState, position: Position) -> int:
    """Check that a state and a position agree, and list the same moves; return the number of moves."""
    assert isinstance(position, SequentialPosition)
    result = position.result
    assert (state.winners(), state.seat) == (result.winners if result else None, position.side)
    tokens, moves = state.tokens(), listed(position)
    assert sorted(str(state.move(token)) for token in tokens) == sorted(moves)
    assert len(set(tokens)) == len(tokens)
    assert {state.token(move) for move in moves.values()} == set(tokens)
    return len(tokens)
