"""Comparing the compact state of a game with its rules: moves, ends and what follows, along games and along trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.games.game import Game, Move, Position, Result, SequentialPosition
from bot.games.search import SearchState, Token


def listed(position: Position) -> dict[str, Move]:
    """Return the legal moves by their texts, without those a player is asked about first: claims that only lose."""
    return {str(move): move for move in position.legal_moves() if position.question(move) is None}


def state_of(game: Game, position: Position) -> Any:
    """Return the compact state of a position, which must have one."""
    state = game.search_state(position)
    assert state is not None
    return state


def agree(state: SearchState, position: Position) -> int:
    """Check that a state and a position stand the same way, and that each names the other's moves; return how many."""
    assert isinstance(position, SequentialPosition)
    result = position.result
    assert (state.winners(), state.seat) == (result.winners if result else None, position.side)
    tokens, moves = state.tokens(), listed(position)
    assert sorted(str(state.move(token)) for token in tokens) == sorted(moves)
    assert len(set(tokens)) == len(tokens)
    assert {state.token(move) for move in moves.values()} == set(tokens)
    return len(tokens)


def follow(game: Game, position: Position, player: Callable[[Any], Move]) -> Result:
    """Play a game with both, compare them at every ply and again when all is taken back; return how it ended."""
    state, path = state_of(game, position), list[tuple[Position, int]]()
    while position.result is None:
        path.append((position, agree(state, position)))
        move = player(position)
        state.make(state.token(move))
        position = position.play(move)
    agree(state, position)
    for earlier, moves in reversed(path):
        state.unmake()
        fresh = state_of(game, earlier)
        assert (state.key(), state.winners(), state.evaluate()) == (fresh.key(), None, fresh.evaluate())
        assert len(state.tokens()) == moves
    return position.result


class Checked(SearchState):
    """Mixed into a game's state, compares it with the position of the rules at every node of a search."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)  # type: ignore[call-arg]
        self.path: list[Any] = [position]
        self.compared = 0

    def make(self, token: Token) -> None:
        move = self.move(token)
        super().make(token)  # type: ignore[safe-super]
        self.path.append(self.path[-1].play(move))
        agree(self, self.path[-1])
        self.compared += 1

    def unmake(self) -> None:
        super().unmake()  # type: ignore[safe-super]
        self.path.pop()
