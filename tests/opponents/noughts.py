"""Noughts and crosses: a toy game nobody wrote a search state for, with one of its own for searches to be tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.games.game import Move, Position, Result
from bot.games.search import Method, SearchState, Token

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class Mark:
    """A mark on one of nine squares."""

    square: int

    def __str__(self) -> str:
        return "abc"[self.square % 3] + str(self.square // 3 + 1)


@dataclass(frozen=True)
class Noughts(Position):
    """Nine squares, each ``x``, ``o`` or a dot; ``x`` begins."""

    squares: str = "." * 9

    @property
    def side(self) -> int:
        return self.squares.count("x") - self.squares.count("o")

    @property
    def to_move(self) -> frozenset[int]:
        return frozenset() if self.result else frozenset({self.side})

    @property
    def result(self) -> Result | None:
        for row in ROWS:
            owners = {self.squares[square] for square in row}
            if len(owners) == 1 and owners != {"."}:
                return Result(frozenset({"xo".index(owners.pop())}), "three in a row")
        return None if "." in self.squares else Result(frozenset({0, 1}), "the board is full")

    def legal_moves(self) -> Sequence[Mark]:
        return () if self.result else [Mark(square) for square in range(9) if self.squares[square] == "."]

    def parse(self, text: str) -> Mark:
        return next(move for move in self.legal_moves() if str(move) == text)

    def play(self, move: Move) -> Noughts:
        assert isinstance(move, Mark)
        return Noughts(self.squares[: move.square] + "xo"[self.side] + self.squares[move.square + 1 :])

    def encode(self) -> str:
        return self.squares


class NoughtsState(SearchState):
    """A stack of positions, with an evaluation that knows nothing but the middle."""

    def __init__(self, position: Noughts, method: Method = Method.ALPHA_BETA) -> None:
        self._path = [position]
        self.seat = position.side
        self.method = method

    def tokens(self) -> list[Token]:
        return [move.square for move in self._path[-1].legal_moves()]

    def make(self, token: Token) -> None:
        self._path.append(self._path[-1].play(Mark(token)))
        self.seat = 1 - self.seat

    def unmake(self) -> None:
        self._path.pop()
        self.seat = 1 - self.seat

    def winners(self) -> frozenset[int] | None:
        result = self._path[-1].result
        return result.winners if result else None

    def key(self) -> str:
        return self._path[-1].squares

    def move(self, token: Token) -> Mark:
        return Mark(token)

    def token(self, move: Move) -> int:
        assert isinstance(move, Mark)
        return move.square

    def evaluate(self) -> int:
        middle = self._path[-1].squares[4]
        return 0 if middle == "." else 50 if middle == "xo"[self.seat] else -50


def value(position: Noughts) -> int:
    """Return 1, 0 or -1: what the seat to move gets when both play as well as can be."""
    if position.result:
        return 0 if len(position.result.winners) > 1 else 1 if position.side in position.result.winners else -1
    return max(-value(position.play(move)) for move in position.legal_moves())
