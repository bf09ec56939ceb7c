"""A search state for tic-tac-toe, the toy game without one, to test searches with."""

from __future__ import annotations

from tavoliere_tic_tac_toe import EMPTY, SQUARES, TIC_TAC_TOE, Put, TicTacToePosition

from bot.games.game import Move
from bot.games.search import EvaluatedState, Method, Token


def noughts(cells: str = EMPTY * 9) -> TicTacToePosition:
    """Return a position by its nine cells, rank by rank from the lowest."""
    return TIC_TAC_TOE.decode("/".join(cells[begin : begin + 3] for begin in (6, 3, 0)))


class NoughtsState(EvaluatedState):
    """A stack of positions, with an evaluation that knows nothing but the middle."""

    def __init__(self, position: TicTacToePosition, method: Method = Method.ALPHA_BETA) -> None:
        self._path = [position]
        self.seat = position.side
        self.method = method

    def tokens(self) -> list[Token]:
        return [SQUARES.index(move.square) for move in self._path[-1].legal_moves()]

    def make(self, token: Token) -> None:
        self._path.append(self._path[-1].play(Put(SQUARES[token])))
        self.seat = 1 - self.seat

    def unmake(self) -> None:
        self._path.pop()
        self.seat = 1 - self.seat

    def winners(self) -> frozenset[int] | None:
        result = self._path[-1].result
        return result.winners if result else None

    def key(self) -> str:
        return self._path[-1].cells

    def move(self, token: Token) -> Put:
        return Put(SQUARES[token])

    def token(self, move: Move) -> int:
        return SQUARES.index(str(move))

    def evaluate(self) -> int:
        middle = self._path[-1].cells[4]
        return 0 if middle == "." else 50 if middle == "xo"[self.seat] else -50


def value(position: TicTacToePosition) -> int:
    """Return 1, 0 or -1: the result for the seat to move under best play."""
    if position.result:
        return 0 if len(position.result.winners) > 1 else 1 if position.side in position.result.winners else -1
    return max(-value(position.play(move)) for move in position.legal_moves())
