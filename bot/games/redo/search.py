"""A compact state of Redo for computer players: bits, integers as moves, and an evaluation.

It follows ``rules`` move for move and knows nothing of how it is searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Final

from bot.games.game import Move
from bot.games.redo.board import (
    BOARD,
    CONVERTED,
    DISC_WAYS,
    PASSING,
    RED,
    SEATS,
    SQUARES,
    STRIDE,
    TOWER_WAYS,
    WHITE,
    Turn,
)
from bot.games.redo.dead import conversion_possible
from bot.games.redo.rules import PLY_LIMIT, QUIET_LIMIT, RedoPosition, arrangement, split_arrangement
from bot.games.search import EvaluatedState, Level, Token

_BOTH: Final = frozenset(SEATS)
_WINS: Final = tuple(frozenset({seat}) for seat in SEATS)
_NEAR: Final = 12
"""From so many plies before a limit on, its distance is part of the key."""

# Weights of the evaluation in rating points.
_PIECE: Final = 45
_TOWER: Final = 40
_ADVANCE: Final = 2
_HANGING: Final = 14
_TO_MOVE: Final = 20
_LATE: Final = 3
"""The growth of a lead's weight in each of the last hundred plies before the limit, in hundredths."""


_LEVELS: Final = (
    Level(400, depth=1, margin=52, notices=0.47),
    Level(400, depth=1, margin=46, notices=0.62),
    Level(800, depth=2, margin=66, notices=0.61),
    Level(1_000, depth=2, margin=43, notices=0.77),
    Level(1_500, depth=3, margin=34, notices=0.855),
    Level(2_600, depth=3, margin=30, notices=0.912),
    Level(4_200, depth=4, margin=28, notices=0.944),
    Level(7_300, depth=6, margin=23, notices=0.974),
    Level(11_000, margin=20),
    Level(90_000, margin=8, knows_proofs=True),
)


def _all_turns() -> tuple[Turn, ...]:
    """Return every turn once; a step of a disc and one of a tower between the same squares are one."""
    turns = [PASSING]
    for seat in SEATS:
        turns += [turn for _, ways in DISC_WAYS[seat] for _, _, *both in ways for turn in both]
    for _, steps, jumps in TOWER_WAYS:
        turns += [turn for _, turn in steps] + [turn for _, _, turn in jumps]
    return tuple(dict.fromkeys(turns))


_TURNS: Final = _all_turns()
"""By token; the pass is 0."""
_TOKENS: Final = {turn: token for token, turn in enumerate(_TURNS)}
_PASS: Final = 0
_DISC_MOVES: Final = tuple(
    {
        square: tuple((to, between, CONVERTED[seat][to], _TOKENS[step], _TOKENS[up]) for to, between, step, up in ways)
        for square, ways in DISC_WAYS[seat]
    }
    for seat in SEATS
)
"""By seat and square: (target, square between, squares converted, token of the step, token of the promotion)."""
_TOWER_MOVES: Final = {
    square: (
        tuple((target, _TOKENS[turn]) for target, turn in steps),
        tuple((over, target, _TOKENS[turn]) for over, target, turn in jumps),
    )
    for square, steps, jumps in TOWER_WAYS
}
_RANKS: Final = tuple(sum(SQUARES[7 * rank : 7 * rank + 7]) for rank in range(8))


class RedoState(EvaluatedState):
    """A position of Redo in place. A token is the index of a turn in ``_TURNS``."""

    cost = 2.0
    levels = _LEVELS

    def __init__(self, position: RedoPosition) -> None:
        self.seat = position.side
        self._pieces = list(position.pieces)
        self._towers = position.towers
        self._passes, self._quiet, self._plies = position.passes, position.quiet, position.plies
        self._winners = None if position.outcome is None else position.outcome.winners
        self._stood = Counter(split_arrangement(packed)[0][self.seat] for packed in position.earlier)
        """Where the pieces of the seat to move have stood since the last promotion, and how often."""
        self._earlier: dict[int, int] = {}
        for packed in position.earlier:
            self._earlier[packed] = self._earlier.get(packed, 0) + 1
        self._undo: list[tuple[int, int, int, int, int, dict[int, int], int]] = []

    def tokens(self) -> list[Token]:
        if self._winners is not None:
            return []
        seat, towers = self.seat, self._towers
        own, enemy = self._pieces[seat], self._pieces[1 - seat]
        occupied = own | enemy
        discs = rest = own & ~towers
        ways = _DISC_MOVES[seat]
        converting: list[Token] = []
        steps: list[Token] = []
        promotions: list[Token] = []
        while rest:
            square = rest & -rest
            rest ^= square
            for target, between, converted, step, promotion in ways[square]:
                if not occupied & (target | between):
                    (converting if converted & enemy else steps).append(step)
                elif discs & target and not occupied & between:
                    promotions.append(promotion)
        if own & towers:
            towers = own & towers
            enemy = self._pieces[1 - self.seat]
            discs, convert = enemy & ~self._towers, CONVERTED[self.seat]
            while towers:
                square = towers & -towers
                towers ^= square
                walks, jumps = _TOWER_MOVES[square]
                for target, token in walks:
                    if not occupied & target:
                        (converting if convert[target] & enemy else steps).append(token)
                for over, target, token in jumps:
                    if discs & over and not occupied & target:
                        converting.append(token)
        if converting or steps:
            return converting + promotions + steps
        # A pass stands beside promotions alone, or alone (``RULES.md``, "Pass").
        return [*promotions, _PASS]

    def make(self, token: Token) -> None:
        seat, pieces, towers = self.seat, self._pieces, self._towers
        own, enemy = pieces[seat], pieces[1 - seat]
        self._undo.append((own, enemy, towers, self._passes, self._quiet, self._earlier, token))
        turn = _TURNS[token]
        passes = quiet = 0
        if turn.promotes:
            own ^= turn.origin
            self._towers = towers | turn.target
            self._earlier = {}
        else:
            packed = arrangement((pieces[WHITE], pieces[RED]), towers, seat)
            self._earlier[packed] = self._earlier.get(packed, 0) + 1
            if token == _PASS:
                quiet, passes = self._quiet + 1, self._passes + 1
            else:
                converted = CONVERTED[seat][turn.target] & enemy | turn.jumped
                own = own ^ (turn.origin | turn.target) | converted
                enemy ^= converted
                if towers & turn.origin:
                    self._towers = towers ^ (turn.origin | turn.target)
                    quiet = 0 if converted else self._quiet + 1
        pieces[seat], pieces[1 - seat] = own, enemy
        self._passes, self._quiet = passes, quiet
        self._plies += 1
        self.seat = 1 - seat
        self._winners = self._scored() if self._over() else None

    def unmake(self) -> None:
        own, enemy, self._towers, self._passes, self._quiet, self._earlier, token = self._undo.pop()
        self.seat = seat = 1 - self.seat
        self._pieces[seat], self._pieces[1 - seat] = own, enemy
        self._plies -= 1
        self._winners = None
        if not _TURNS[token].promotes:
            self._earlier[arrangement((self._pieces[WHITE], self._pieces[RED]), self._towers, seat)] -= 1

    def _over(self) -> bool:
        white, red = self._pieces
        if self._passes >= 2 or not white or not red or self._quiet >= QUIET_LIMIT or self._plies >= PLY_LIMIT:
            return True
        if self._earlier.get(arrangement((white, red), self._towers, self.seat), 0) > 1:
            return True
        return not conversion_possible((white, red), self._towers)

    def _scored(self) -> frozenset[int]:
        lead = self._pieces[WHITE].bit_count() - self._pieces[RED].bit_count()
        return _WINS[WHITE if lead > 0 else RED] if lead else _BOTH

    def winners(self) -> frozenset[int] | None:
        return self._winners

    def key(self) -> Hashable:
        near = max(0, self._quiet - QUIET_LIMIT + _NEAR), max(0, self._plies - PLY_LIMIT + _NEAR), self._passes
        return self._pieces[WHITE], self._pieces[RED], self._towers, self.seat, near

    def move(self, token: Token) -> Turn:
        return _TURNS[token]

    def token(self, move: Move) -> int:
        assert isinstance(move, Turn)
        return _TOKENS[move]

    def forcing(self) -> list[Token]:
        """Return the moves that convert at least two pieces, or one by a jump."""
        gains = [(self.obvious(token), token) for token in self.tokens()]
        return [token for gain, token in sorted(gains, key=lambda entry: -entry[0]) if gain >= 2]

    def obvious(self, token: Token) -> int:
        """Return how many pieces a move converts."""
        return self._converted(token).bit_count()

    def captures(self) -> list[tuple[Token, int]]:
        """Return the moves that convert pieces. A tower is worth two."""
        taken = [(token, self._converted(token)) for token in self.tokens()]
        return [(token, pieces.bit_count() + (pieces & self._towers).bit_count()) for token, pieces in taken if pieces]

    def _converted(self, token: Token) -> int:
        """Return the pieces that a move converts, as a set of squares."""
        turn = _TURNS[token]
        if token == _PASS or turn.promotes:
            return 0
        return CONVERTED[self.seat][turn.target] & self._pieces[1 - self.seat] | turn.jumped

    def retraces(self, token: Token) -> int:
        seat = self.seat
        self.make(token)
        own = self._pieces[seat]
        self.unmake()
        return self._stood[own]

    def evaluate(self) -> int:
        white, red = self._pieces
        towers, free = self._towers, BOARD & ~(white | red)
        lead = white.bit_count() - red.bit_count()
        worth = _PIECE * lead
        worth += _TOWER * ((white & towers).bit_count() - (red & towers).bit_count())
        # A disc with a long way to go can still act; one at the end of its way cannot.
        worth -= _ADVANCE * sum(
            rank * (white & ~towers & squares).bit_count() - (7 - rank) * (red & ~towers & squares).bit_count()
            for rank, squares in enumerate(_RANKS)
        )
        worth += _HANGING * (self._hanging(RED, free) - self._hanging(WHITE, free))
        worth += worth * _LATE * max(0, self._plies - PLY_LIMIT + 100) // 100
        return (worth if self.seat == WHITE else -worth) + _TO_MOVE

    def _hanging(self, seat: int, free: int) -> int:
        """Return how many pieces of ``seat`` the other seat can convert by one step onto a free square."""
        enemy = self._pieces[1 - seat]
        discs, towers = enemy & ~self._towers, enemy & self._towers
        reach = _forward(1 - seat, discs) | _forward(WHITE, towers) | _forward(RED, towers) | _beside(towers)
        reach &= free
        return (self._pieces[seat] & (_forward(1 - seat, reach) | _beside(reach))).bit_count()


def _beside(squares: int) -> int:
    return (squares << 1 | squares >> 1) & BOARD


def _forward(seat: int, squares: int) -> int:
    wide = squares | squares << 1 | squares >> 1
    return (wide << STRIDE if seat == WHITE else wide >> STRIDE) & BOARD
