"""Comparing the compact state of a game with its rules along whole games, and at every node of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.contract.perft import agree
from bot.games.game import Game, Move, Position, Result
from bot.games.search import SearchState, Token


def state_of(game: Game, position: Position) -> Any:
    """Return the compact state of a position, which must have one."""
    state = game.search_state(position)
    assert state is not None
    return state


def follow(game: Game, position: Position, player: Callable[[Any], Move]) -> Result:
    """Play a game with both, compare them at every ply and while it is undone; return its result."""
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
