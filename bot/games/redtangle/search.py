"""Redtangle for computer players: a compact state, its evaluation, and set-ups that are hard to jump.

The state follows ``rules`` move for move and knows nothing of how it is searched.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random
from typing import Final

from bot.games.game import Move
from bot.games.redtangle import endgame
from bot.games.redtangle.generation import PREY, board_after, jumps_from
from bot.games.redtangle.moves import (
    PASS_MOVE,
    RAYS,
    Arrangement,
    Jump,
    Pass,
    PlayMove,
    Turn,
    Walk,
    may_step,
    neighbours,
)
from bot.games.redtangle.pieces import BLACK, FIRST_BLACK_CODE, PIECES, RECTANGLES, SET_UP_SQUARES, WHITE, Piece
from bot.games.redtangle.rules import QUIET_LIMIT, REPETITIONS, RedtanglePosition, ending, fingerprint
from bot.games.redtangle.setup import random_arrangement
from bot.games.search import LIMIT, EvaluatedState, Level, Token

_DRAW: Final = frozenset({WHITE, BLACK})
_WINS: Final = (frozenset({WHITE}), frozenset({BLACK}))

_PASS: Final = -1

# Weights of the evaluation in rating points, chosen by hand. The ladder measures how strong play is with them
# (``python -m bot.opponents ladder``).
_TO_WIN: Final = LIMIT - 1
"""A position that can be won by force. The search has to prove it."""
_PIECE: Final = 130
_NEARER: Final = 12
_AT_THE_GATE: Final = 60
_TO_MOVE: Final = 15

_DRAWN: Final = 60
"""Arrangements to choose from: few enough that games differ, and enough that none is weak."""
_FRONT: Final = 4
"""Index of the first piece of the second rank, which stands in front."""


_LEVELS: Final = (
    Level(400, depth=1, margin=740, notices=0.31, takes_wins=0.36, prevents_losses=0.15),
    Level(400, depth=1, margin=640, notices=0.38, takes_wins=0.54, prevents_losses=0.34),
    Level(400, depth=1, margin=660, notices=0.32, takes_wins=0.32),
    Level(1_000, depth=2, margin=25),
    Level(5_500, margin=12),
    Level(18_000, margin=13),
    Level(90_000, margin=8, knows_proofs=True),
)


def _entries(seat: int) -> tuple[tuple[int, int], ...]:
    """Return the straight steps into the opponent's rectangle: from where and to where."""
    goal = RECTANGLES[1 - seat]
    outside = [square for square in range(64) if square not in goal]
    return tuple((square, ray[0]) for square in outside for ray in RAYS[square] if ray and ray[0] in goal)


def _distances(seat: int) -> tuple[int, ...]:
    """Return the fewest steps from every square to the opponent's rectangle."""
    goal = RECTANGLES[1 - seat]
    return tuple(
        min(max(abs(square % 8 - other % 8), abs(square // 8 - other // 8)) for other in goal) for square in range(64)
    )


_ENTRIES: Final = (_entries(WHITE), _entries(BLACK))
_DISTANCES: Final = (_distances(WHITE), _distances(BLACK))
_CODES: Final = (range(1, FIRST_BLACK_CODE), range(FIRST_BLACK_CODE, len(PIECES) + 1))
"""The codes of each seat's pieces."""
_OWN: Final = tuple(bytes(code if code in codes else 0 for code in range(256)) for codes in _CODES)
"""By seat: the table for ``bytes.translate`` that leaves its own pieces alone on the board."""
_WORTH: Final = (
    (0,) * 64,
    *(
        tuple((1 - 2 * piece.owner) * (_PIECE - _NEARER * _DISTANCES[piece.owner][square]) for square in range(64))
        for piece in PIECES
    ),
)
"""By code and square: the worth of a piece to White."""


def _step(origin: int, target: int, code: int) -> int:
    return (code << 6 | target) << 6 | origin


@cache
def _steps(code: int, square: int) -> tuple[tuple[int, bool, tuple[int, ...]], ...]:
    """Return the squares a piece can step to, whether that leads nearer to the other rectangle, and the tokens."""
    piece = PIECES[code - 1]
    away = _DISTANCES[piece.owner]
    lying = (code, *(other.code for other in piece.rotations if other != piece))
    return tuple(
        (target, away[target] < away[square], tuple(_step(square, target, turned) for turned in lying))
        for target in neighbours(square)
        if may_step(piece.owner, square, target)
    )


@cache
def _turns(code: int, square: int) -> tuple[int, ...]:
    piece = PIECES[code - 1]
    return tuple(_step(square, square, other.code) for other in piece.rotations if other != piece)


class RedtangleState(EvaluatedState):
    """A position of Redtangle's play in place.

    The token of a jump is the move itself. The token of a step or a turn is an integer: the code of the piece after the
    move, its target and its origin, six bits each.
    """

    cost = 0.6
    levels = _LEVELS

    def __init__(self, position: RedtanglePosition) -> None:
        self.seat = position.side
        self._board = position.board
        self._worth = _worth(position.board)
        self._left = _pieces_on(position.board)
        self._quiet = position.quiet
        self._seen = dict(position.seen)
        self._stood: Counter[bytes] = Counter()
        """Where the pieces of the seat to move have stood since the last capture, and how often."""
        for past, times in position.seen.items():
            self._stood[past[:64].translate(_OWN[self.seat])] += times
        self._winners = None if position.outcome is None else position.outcome.winners
        self._undo: list[tuple[bytes, int, int, int, dict[bytes, int]]] = []

    def tokens(self) -> list[Token]:
        if self._winners is not None:
            return []
        board = self._board
        nearer: list[Token] = []
        others: list[Token] = []
        turns: list[Token] = []
        for square, code in self._own():
            for target, is_nearer, steps in _steps(code, square):
                if not board[target]:
                    (nearer if is_nearer else others).extend(steps)
            turns += _turns(code, square)
        return [*sorted(self._jumps(), key=_gain, reverse=True), *nearer, *others, *turns] or [_PASS]

    def _own(self) -> list[tuple[int, int]]:
        codes = _CODES[self.seat]
        return [(square, code) for square, code in enumerate(self._board) if code in codes]

    def _jumps(self) -> list[Jump]:
        board = self._board
        jumps: list[Jump] = []
        for square, code in self._own():
            for ray, prey in zip(RAYS[square], PREY[code], strict=True):
                if ray and board[ray[0]] in prey:
                    jumps += jumps_from(board, square)
                    break
        return jumps

    def make(self, token: Token) -> None:
        board, seat = self._board, self.seat
        self._undo.append((board, self._worth, self._left, self._quiet, self._seen))
        self.seat = 1 - seat
        if isinstance(token, Jump):
            self._board = board_after(board, token)
            self._worth = _worth(self._board)
            self._left = _pieces_on(self._board)
            self._quiet = 0
            self._seen = {}
        else:
            self._quiet += 1
            if token != _PASS:
                origin, target, code = token & 63, token >> 6 & 63, token >> 12
                after = bytearray(self._board)
                self._worth += _WORTH[code][target] - _WORTH[after[origin]][origin]
                after[origin] = 0
                after[target] = code
                self._board = bytes(after)
        now = self.key()
        self._seen[now] = self._seen.get(now, 0) + 1
        times = self._seen[now]
        if self._left > 2 and token != _PASS and not isinstance(token, Jump):
            if (token >> 6 & 63) in RECTANGLES[self.seat]:
                self._winners = _WINS[1 - self.seat]
            else:
                self._winners = _DRAW if times >= REPETITIONS or self._quiet >= QUIET_LIMIT else None
        else:
            result = ending(self._board, self.seat, self._quiet, times)
            self._winners = None if result is None else result.winners

    def unmake(self) -> None:
        self._seen[self.key()] -= 1
        self._board, self._worth, self._left, self._quiet, self._seen = self._undo.pop()
        self.seat = 1 - self.seat
        self._winners = None

    def winners(self) -> frozenset[int] | None:
        return self._winners

    def key(self) -> bytes:
        return fingerprint(self._board, self.seat)

    def move(self, token: Token) -> PlayMove:
        if isinstance(token, Jump):
            return token
        if token == _PASS:
            return PASS_MOVE
        origin, target, code = token & 63, token >> 6 & 63, token >> 12
        first = PIECES[code - 1].first
        if origin == target:
            assert first is not None  # A piece that looks the same from every side cannot be turned.
            return Turn(origin, first)
        return Walk(origin, target, None if code == self._board[origin] else first)

    def token(self, move: Move) -> Token:
        match move:
            case Walk(origin, target, first):
                return _step(origin, target, self._turned(origin, first))
            case Turn(square, first):
                return _step(square, square, self._turned(square, first))
            case Pass():
                return _PASS
        return move

    def _turned(self, square: int, first: int | None) -> int:
        code = self._board[square]
        return code if first is None else PIECES[code - 1].turned(first).code

    def win_in_one(self) -> Token | None:
        board, seat = self._board, self.seat
        codes = _CODES[seat]
        for origin, target in _ENTRIES[seat]:
            if board[origin] in codes and not board[target]:
                return _step(origin, target, board[origin])
        for jump in self._jumps():
            result = ending(board_after(board, jump), 1 - seat, 0, 1)
            if result is not None and result.winners == _WINS[seat]:
                return jump
        return None

    def forcing(self) -> list[Token]:
        """Return one winning move if there is any, else the jumps that take more than they cost."""
        win = self.win_in_one()
        if win is not None:
            return [win]
        return sorted((jump for jump in self._jumps() if _gain(jump) > 0), key=_gain, reverse=True)

    def evaluate(self) -> int:
        """Weigh pieces, their distance to the other rectangle, and steps into it. One against one is solved."""
        if self._left == 2:
            (first_square, first), (second_square, second) = (
                (square, PIECES[code - 1]) for square, code in enumerate(self._board) if code
            )
            if first.owner == BLACK:
                first_square, first, second_square, second = second_square, second, first_square, first
            verdict = endgame.verdict(first, first_square, second, second_square, self.seat)
            if verdict is None:
                return 0
            worth = _TO_WIN - verdict.rounds
            return worth if verdict.winner == self.seat else -worth
        seat = self.seat
        if self._open_entries(seat):
            return _TO_WIN
        worth = self._worth if seat == WHITE else -self._worth
        return worth + _TO_MOVE - _AT_THE_GATE * self._open_entries(1 - seat)

    def obvious(self, token: Token) -> int:
        """Return what the board is worth after a move: pieces count, and steps forward."""
        self.make(token)
        worth = self._worth
        self.unmake()
        return worth if self.seat == WHITE else -worth

    def captures(self) -> list[tuple[Token, int]]:
        """Return the jumps that take more than they cost."""
        return [(jump, _gain(jump)) for jump in self._jumps() if _gain(jump) > 0]

    def retraces(self, token: Token) -> int:
        own = _OWN[self.seat]
        self.make(token)
        board = self._board
        self.unmake()
        return self._stood[board.translate(own)]

    def _open_entries(self, seat: int) -> int:
        board, codes = self._board, _CODES[seat]
        return sum([not board[target] and board[origin] in codes for origin, target in _ENTRIES[seat]])


def _worth(board: bytes) -> int:
    return sum([_WORTH[code][square] for square, code in enumerate(board) if code])


def _pieces_on(board: bytes) -> int:
    return len(board) - board.count(0)


def _gain(jump: Jump) -> int:
    """Return how many pieces a jump takes, less the jumper if it leaves the board."""
    return len(jump.captured) - (jump.off is not None)


def solid_arrangement(seat: int, random: Random) -> Arrangement:
    """Return the most solid of many arrangements; another ``random`` draws others."""
    return max((random_arrangement(seat, random) for _ in range(_DRAWN)), key=lambda drawn: _solidity(drawn, seat))


def _solidity(arrangement: Arrangement, seat: int) -> int:
    """Return how little of an arrangement a jump could take, as a number to compare.

    A jumper shows one colour to all pieces it jumps, so it cannot take two neighbours that show it different ones. A
    piece that looks the same from every side cannot turn away, and stands better in the back.
    """
    squares = SET_UP_SQUARES[seat]
    standing = list(zip(squares, arrangement.pieces, strict=True))
    apart = sum(_differ(piece, other, abs(here - there)) for (here, piece), (there, other) in combinations(standing, 2))
    return apart - sum(piece.first is None for piece in arrangement.pieces[_FRONT:])


def _differ(first: Piece, second: Piece, distance: int) -> int:
    """Return from how many sides two neighbours show different colours to a jumper that would go over both."""
    sides = {1: (1, 3), 8: (0 if first.owner == WHITE else 2,)}.get(distance, ())
    return sum(first.colour_of_side(side) != second.colour_of_side(side) for side in sides)
