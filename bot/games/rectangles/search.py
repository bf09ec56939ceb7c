"""A compact state of Rectangles of Distinction for computer players: the rectangles still possible, as one integer.

With two players nothing else matters: the player who draws the last one wins. It follows ``rules`` move for move, but
never lists the claim to be stuck, so computer players never make it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from types import MappingProxyType
from typing import Final

from bot.games.game import Move
from bot.games.rectangles.board import Turn, board
from bot.games.rectangles.rules import RectanglesPosition
from bot.games.search import Method, SearchState, Token

_SOLVABLE: Final = 240
"""With two players and at most so many rectangles left, the solver is worth a try."""
_CHEAP: Final = 300
"""With more rectangles left than this, a node costs more in proportion."""


@cache
def _conflicts(dots: int, tilted: bool) -> tuple[int, ...]:
    """Return for each rectangle of a board the ones it leaves possible, as bits by place in the board's list."""
    rectangles = board(dots, tilted).rectangles
    claiming: dict[int, int] = {}
    for place, turn in enumerate(rectangles):
        for claim in _bits(turn.claims):
            claiming[claim] = claiming.get(claim, 0) | 1 << place
    every = (1 << len(rectangles)) - 1
    return tuple(every & ~reduce(or_, (claiming[claim] for claim in _bits(turn.claims))) for turn in rectangles)


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@cache
def _places(dots: int, tilted: bool) -> dict[Turn, int]:
    return {turn: place for place, turn in enumerate(board(dots, tilted).rectangles)}


WINNING: Final = MappingProxyType({False: (), True: ("b1-e6", "a2-f5")})
"""All first moves that win with two players on 6 dots a side, by whether rectangles may be tilted. Every answer to them
was solved, which takes too long for a turn. One ply later every position is solved in at most some hundred thousand
nodes, two plies later in some thousands."""


class RectanglesState(SearchState):
    """A position of Rectangles in place. A token is the place of a rectangle in its board's list."""

    def __init__(self, position: RectanglesPosition) -> None:
        self.seat = position.side
        self._rectangles = position.board.rectangles
        self._leaves = _conflicts(position.dots, position.tilted)
        self._places = _places(position.dots, position.tilted)
        self._in = tuple(seat for seat in range(position.players) if seat not in position.gone)
        self.cost = max(1.0, len(position.possible) / _CHEAP)
        self._possible = sum(1 << self._places[turn] for turn in position.possible)
        self._next = {seat: position.next_seat(seat) for seat in self._in}
        self._before = {after: seat for seat, after in self._next.items()}
        self._undo: list[int] = []
        known = position.dots == 6 and position.players == len(self._in) == 2 and not position.taken
        self._known = tuple(position.parse(text) for text in WINNING[position.tilted]) if known else None
        few = len(position.possible) <= _SOLVABLE
        self.method = Method.SOLVER if few and len(self._in) == 2 else Method.MONTE_CARLO

    def tokens(self) -> list[Token]:
        possible = self._possible
        tokens: list[Token] = []
        while possible:  # Written out, unlike ``_bits``: a search spends most of its time here.
            lowest = possible & -possible
            tokens.append(lowest.bit_length() - 1)
            possible ^= lowest
        return tokens

    def make(self, token: Token) -> None:
        self._undo.append(self._possible)
        self._possible &= self._leaves[token]
        self.seat = self._next[self.seat]

    def unmake(self) -> None:
        self._possible = self._undo.pop()
        self.seat = self._before[self.seat]

    def winners(self) -> frozenset[int] | None:
        return None if self._possible else frozenset({self._before[self.seat]})

    def key(self) -> tuple[int, int]:
        return self._possible, self.seat

    def move(self, token: Token) -> Turn:
        return self._rectangles[token]

    def token(self, move: Move) -> int | None:
        assert isinstance(move, Turn)
        return self._places.get(move)

    def known_wins(self) -> tuple[Token, ...] | None:
        if self._known is None or self._undo:
            return None
        return tuple(self._places[turn] for turn in self._known)

    def win_in_one(self) -> Token | None:
        possible, leaves = self._possible, self._leaves
        return next((token for token in self.tokens() if not possible & leaves[token]), None)
