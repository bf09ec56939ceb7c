"""A state to search for any game at all, made of nothing but the contract: so the newest game has an opponent at once.

It is slow, because every move made is a move of the rules layer.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Final

from bot.games.game import Move, Position
from bot.games.search import Method, SearchState, Token

_LISTED: Final = 1_500
"""A position with more moves than this is not listed, but sampled."""
_SHORTCUTS: Final = 12
"""How often the shortcuts of such a position are drawn."""


class ContractState(SearchState):
    """A position of any game in place: a stack of positions of the rules layer. Tokens are moves."""

    method = Method.MONTE_CARLO
    cost = 60.0

    def __init__(self, position: Position) -> None:
        self._path = [position]
        self._enter()

    def _enter(self) -> None:
        self.seat = min(self._path[-1].to_move, default=-1)

    def tokens(self) -> list[Token]:
        position = self._path[-1]
        moves: list[Token] = list(islice(position.legal_moves(), _LISTED + 1))
        return moves if len(moves) <= _LISTED else _sample(position) or moves[:_LISTED]

    def make(self, token: Token) -> None:
        self._path.append(self._path[-1].play(token))
        self._enter()

    def unmake(self) -> None:
        self._path.pop()
        self._enter()

    def winners(self) -> frozenset[int] | None:
        result = self._path[-1].result
        return None if result is None else result.winners

    def key(self) -> Position:
        return self._path[-1]

    def move(self, token: Token) -> Move:
        move: Move = token
        return move

    def token(self, move: Move) -> Token:
        return move


def _sample(position: Position) -> list[Token]:
    """Return different moves out of too many to list: those the game itself offers in one click."""
    random = Random(position.encode())
    drawn = [step.move for _ in range(_SHORTCUTS) for step in position.shortcuts(random) if step.move is not None]
    return list(dict.fromkeys(drawn))
