"""A compact state of Yonmoque for computer players: bits, integers as moves, and an evaluation.

It follows ``rules`` move for move and knows nothing of how it is searched.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import product
from operator import or_
from typing import Final

from bot.games.game import Move
from bot.games.search import EvaluatedState, Level, Token
from bot.games.yonmoque.board import (
    BLUE,
    BRACKETS,
    COLOURS,
    FIVES,
    FOURS,
    NEIGHBOURS,
    SQUARES,
    WAYS,
    WHITE,
    Turn,
    bits,
    members,
)
from bot.games.yonmoque.rules import YonmoquePosition, arrangement, can_move, split_arrangement

_AREA: Final = len(SQUARES)
_DRAW: Final = frozenset({BLUE, WHITE})
_WINS: Final = (frozenset({BLUE}), frozenset({WHITE}))

_TURNS: Final = (
    *(Turn(None, target) for target in SQUARES),
    *(Turn(origin, target) for origin in SQUARES for target in SQUARES),
)
"""By token: puts first, by square, then moves by origin and target."""
_MOVES: Final = tuple(
    tuple(
        (square, tuple((way, _AREA * (turn.origin + 1) + turn.target) for way, turn in ways if turn.origin is not None))
        for square, ways in WAYS[seat]
    )
    for seat in (BLUE, WHITE)
)
"""By seat and square: its bit and the moves from there, each as what must be empty and its token."""
_FROM_CENTRE: Final = tuple(sorted(SQUARES, key=lambda square: (square % 5 - 2) ** 2 + (square // 5 - 2) ** 2))
_FOURS_AT: Final = tuple(tuple(four for four in FOURS if four >> square & 1) for square in SQUARES)

# Weights of the evaluation in rating points, fitted to the results of games between such players.
_PIECE: Final = 60
_SLIDER: Final = 12
_CENTRE: Final = 10
_TO_MOVE: Final = 30
_WINDOW: Final = (0, 0, 14, 60, 60)
"""By the number of own pieces on four squares in a row that hold no enemy."""
_VARIETY: Final = (300, 160, 60, 60, 60, 60, 60)
"""By the number of pieces on the board, in the opening. Among first moves nothing is lost by a wide choice."""

_LEVELS: Final = (
    Level(400, depth=1, margin=740, notices=0.27, takes_wins=0.25, prevents_losses=0.08),
    Level(400, depth=1, margin=650, notices=0.36, takes_wins=0.5, prevents_losses=0.2),
    Level(400, depth=1, margin=1_500, notices=0.05, takes_wins=0.05),
    Level(600, depth=2, margin=400, notices=0.53),
    Level(1_500, depth=2, margin=60),
    Level(2_000, depth=3, margin=100, notices=0.75),
    Level(3_000, depth=3, margin=30),
    Level(6_500, depth=5, margin=24),
    Level(25_000, margin=15),
    Level(90_000, margin=8, knows_proofs=True),
)

_COLOURED: Final = tuple(bits(tuple(sq for sq in SQUARES if COLOURS[sq] == seat)) for seat in (BLUE, WHITE))
_MIDDLE: Final = bits(tuple(sq for sq in SQUARES if 1 <= sq % 5 <= 3 and 1 <= sq // 5 <= 3))


def _line_table(line: int) -> dict[int, int]:
    """Return the worth to Blue of all contents of a line, by their bits, blue above white."""
    windows = tuple(four for four in FOURS if four & line == four)
    table = {}
    for owners in product((None, BLUE, WHITE), repeat=line.bit_count()):
        pairs = tuple(zip(members(line), owners, strict=True))
        blue, white = (bits(tuple(square for square, owner in pairs if owner == seat)) for seat in (BLUE, WHITE))
        worth = 0
        for four in windows:
            ours, theirs = (blue & four).bit_count(), (white & four).bit_count()
            worth += _WINDOW[ours] if not theirs else -_WINDOW[theirs] if not ours else 0
        table[blue << _AREA | white] = worth
    return table


_LINES: Final = (*FIVES, *(four for four in FOURS if not any(four & five == four for five in FIVES)))
_WORTH: Final = tuple((line << _AREA | line, _line_table(line)) for line in _LINES)


class YonmoqueState(EvaluatedState):
    """A position of Yonmoque in place.

    A token is the square of a put, or for a move 25 times the square it starts from, plus 25, plus its target.
    """

    cost = 0.5
    levels = _LEVELS

    def __init__(self, position: YonmoquePosition) -> None:
        self.seat = position.side
        self._pieces = list(position.pieces)
        self._hands = list(position.hands)
        self._winners = None if position.outcome is None else position.outcome.winners
        self._stood = Counter(split_arrangement(packed)[0][self.seat] for packed in position.earlier)
        """Where the pieces of the seat to move have stood since the last put, and how often."""
        self._earlier: dict[int, int] = {}
        for packed in position.earlier:
            self._earlier[packed] = self._earlier.get(packed, 0) + 1
        self._undo: list[tuple[int, int, dict[int, int], int]] = []
        there = sum(pieces.bit_count() for pieces in position.pieces)
        if there < len(_VARIETY):
            self.variety = _VARIETY[there]

    def tokens(self) -> list[Token]:
        if self._winners is not None:
            return []
        seat = self.seat
        own = self._pieces[seat]
        occupied = own | self._pieces[1 - seat]
        tokens: list[Token] = []
        for square, ways in _MOVES[seat]:
            if own & square:
                tokens += [token for way, token in ways if not occupied & way]
        if self._hands[seat]:
            tokens += [square for square in _FROM_CENTRE if not occupied >> square & 1]
        return tokens

    def make(self, token: Token) -> None:
        seat, pieces = self.seat, self._pieces
        own, enemy = pieces[seat], pieces[1 - seat]
        self._undo.append((own, enemy, self._earlier, token))
        if token < _AREA:
            self._hands[seat] -= 1
            self._earlier = {}
            own |= 1 << token
            won = False
            target = token
        else:
            origin, target = token // _AREA - 1, token % _AREA
            packed = arrangement((pieces[BLUE], pieces[WHITE]), seat)
            self._earlier[packed] = self._earlier.get(packed, 0) + 1
            own ^= 1 << origin | 1 << target
            flipped = 0
            if enemy & NEIGHBOURS[target]:
                for run, end in BRACKETS[target]:
                    if own & end and enemy & run == run:
                        flipped |= run
            if flipped:
                own |= flipped
                enemy ^= flipped
                flipped |= 1 << target
                won = any(own & four == four and four & flipped for four in FOURS)
            else:
                won = any(own & four == four for four in _FOURS_AT[target])
        pieces[seat], pieces[1 - seat] = own, enemy
        self.seat = 1 - seat
        self._winners = self._judge(own, seat, won)

    def _judge(self, own: int, mover: int, won: bool) -> frozenset[int] | None:
        other = 1 - mover
        if own.bit_count() >= 5 and any(own & five == five for five in FIVES):
            return _WINS[other]
        if won:
            return _WINS[mover]
        pieces = self._pieces[BLUE], self._pieces[WHITE]
        if not self._hands[other] and not can_move(pieces, other):
            return _WINS[mover]
        if self._earlier and self._earlier.get(arrangement(pieces, other), 0) >= 2:
            return _DRAW
        return None

    def unmake(self) -> None:
        own, enemy, self._earlier, token = self._undo.pop()
        self.seat = seat = 1 - self.seat
        self._pieces[seat], self._pieces[1 - seat] = own, enemy
        self._winners = None
        if token < _AREA:
            self._hands[seat] += 1
        else:
            self._earlier[arrangement((self._pieces[BLUE], self._pieces[WHITE]), seat)] -= 1

    def winners(self) -> frozenset[int] | None:
        return self._winners

    def key(self) -> int:
        pieces, hands = self._pieces, self._hands
        return ((pieces[BLUE] << _AREA | pieces[WHITE]) << 3 | hands[BLUE]) << 4 | hands[WHITE] << 1 | self.seat

    def move(self, token: Token) -> Turn:
        return _TURNS[token]

    def token(self, move: Move) -> int:
        assert isinstance(move, Turn)
        return move.target if move.origin is None else _AREA * (move.origin + 1) + move.target

    def evaluate(self) -> int:
        blue, white = self._pieces
        board = blue << _AREA | white
        worth = sum([table[board & line] for line, table in _WORTH])
        worth += _PIECE * (blue.bit_count() - white.bit_count() + self._hands[BLUE] - self._hands[WHITE])
        worth += _SLIDER * ((blue & _COLOURED[BLUE]).bit_count() - (white & _COLOURED[WHITE]).bit_count())
        worth += _CENTRE * ((blue & _MIDDLE).bit_count() - (white & _MIDDLE).bit_count())
        return (worth if self.seat == BLUE else -worth) + _TO_MOVE

    def obvious(self, token: Token) -> int:
        """Return how many own pieces stand on the fullest line of four after a move."""
        seat = self.seat
        self.make(token)
        own = self._pieces[seat]
        self.unmake()
        return max((own & four).bit_count() for four in FOURS)

    def captures(self) -> list[tuple[Token, int]]:
        """Return the moves that flip pieces."""
        own, enemy = self._pieces[self.seat], self._pieces[1 - self.seat]
        captures: list[tuple[Token, int]] = []
        for token in self.tokens():
            if token >= _AREA and enemy & NEIGHBOURS[token % _AREA]:
                others = own ^ 1 << token // _AREA - 1
                runs = [run for run, end in BRACKETS[token % _AREA] if others & end and enemy & run == run]
                if runs:
                    captures.append((token, reduce(or_, runs).bit_count()))
        return captures

    def retraces(self, token: Token) -> int:
        seat = self.seat
        self.make(token)
        own = self._pieces[seat]
        self.unmake()
        return self._stood[own]
