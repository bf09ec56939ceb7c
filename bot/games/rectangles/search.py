"""A compact state of Rectangles of Distinction for computer players: the rectangles still possible, as one integer.

With two players nothing else matters: the player who draws the last one wins. It follows ``rules`` move for move, but
lists the claim to be stuck only where nothing else is left, so computer players make it only if it is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from types import MappingProxyType
from typing import Final

from bot.games.game import Move
from bot.games.rectangles.board import STUCK, Turn, board
from bot.games.rectangles.rules import RectanglesPosition
from bot.games.search import Level, Method, SearchState, Token

_STUCK: Final = -1
"""The token of the claim to be stuck, where only a player ends the game and no rectangle is left."""
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


_LOWEST: Final = (
    Level(0, margin=60, takes_wins=0.44, prevents_losses=0.16),
    Level(0, margin=45, takes_wins=0.85, prevents_losses=0.75),
)
_STRONGEST: Final = Level(120_000, knows_proofs=True)
_SMALL: Final = 6
"""Up to so many dots a side games are short, and a little search soon sees their end."""
_ON_SMALL: Final = (*_LOWEST, Level(1), Level(14), Level(70), Level(280), Level(900), _STRONGEST)
_ON_LARGE: Final = (*_LOWEST, Level(4), Level(25), Level(200), Level(3_000), Level(12_000), _STRONGEST)
WINNING: Final = MappingProxyType({False: (), True: ("b1-e6", "a2-f5")})
"""All first moves that win with two players on 6 dots a side, by whether rectangles may be tilted. Every answer to them
was solved, which takes too long for a turn. One ply later every position is solved in at most some hundred thousand
nodes, two plies later in some thousands."""


class RectanglesState(SearchState):
    """A position of Rectangles in place. A token is the place of a rectangle in its board's list."""

    def __init__(self, position: RectanglesPosition) -> None:
        self.seat = position.side
        self.levels = _ON_SMALL if position.dots <= _SMALL else _ON_LARGE
        self._rectangles = position.board.rectangles
        self._area = (position.dots - 1) ** 2
        self._leaves = _conflicts(position.dots, position.tilted)
        self._places = _places(position.dots, position.tilted)
        self._in = tuple(seat for seat in range(position.players) if seat not in position.gone)
        self.cost = max(1.0, len(position.possible) / _CHEAP)
        self._possible = sum(1 << self._places[turn] for turn in position.possible)
        self._next = {seat: position.next_seat(seat) for seat in self._in}
        self._before = {after: seat for seat, after in self._next.items()}
        self._undo: list[int] = []
        self._by_players = position.by_players
        self._over = False
        studied = position.dots == 6 and position.players == len(self._in) == 2 and not position.taken
        self._known = tuple(position.parse(text) for text in WINNING[position.tilted]) if studied else None
        few = len(position.possible) <= _SOLVABLE
        self.method = Method.SOLVER if few and len(self._in) == 2 else Method.MONTE_CARLO

    def tokens(self) -> list[Token]:
        possible = self._possible
        if not possible:
            return [_STUCK] if self._by_players and not self._over else []
        tokens: list[Token] = []
        while possible:  # Written out, unlike ``_bits``: a search spends most of its time here.
            lowest = possible & -possible
            tokens.append(lowest.bit_length() - 1)
            possible ^= lowest
        return tokens

    def make(self, token: Token) -> None:
        if token == _STUCK:
            self._over = True
            return
        self._undo.append(self._possible)
        self._possible &= self._leaves[token]
        self.seat = self._next[self.seat]

    def unmake(self) -> None:
        if self._over:
            self._over = False
            return
        self._possible = self._undo.pop()
        self.seat = self._before[self.seat]

    def winners(self) -> frozenset[int] | None:
        goes_on = self._possible or (self._by_players and not self._over)
        return None if goes_on else frozenset({self._before[self.seat]})

    def key(self) -> tuple[int, int, bool]:
        return self._possible, self.seat, self._over

    def move(self, token: Token) -> Turn:
        return STUCK if token == _STUCK else self._rectangles[token]

    def token(self, move: Move) -> int | None:
        assert isinstance(move, Turn)
        if move == STUCK and self._by_players and not self._possible:
            return _STUCK
        return self._places.get(move)

    def obvious(self, token: Token) -> int:
        """Return the area of a rectangle in hundredths of the board."""
        return 0 if token == _STUCK else 100 * self._rectangles[token].area // self._area

    def known_wins(self) -> tuple[Token, ...] | None:
        if self._known is None or self._undo:
            return None
        return tuple(self._places[turn] for turn in self._known)

    def win_in_one(self) -> Token | None:
        possible, leaves = self._possible, self._leaves
        if self._by_players:
            return None
        return next((token for token in self.tokens() if not possible & leaves[token]), None)
