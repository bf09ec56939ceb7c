"""A baseline to measure the levels against: plain alpha-beta of fixed depth that counts lines and mobility.

No computer player uses it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from bot.games.game import Baseline, Move, Position
from bot.games.yonmoque.board import BLUE, FOURS, WHITE
from bot.games.yonmoque.rules import YonmoquePosition

_DEPTH: Final = 4
_WON: Final = 100_000
_LINE: Final = (0, 1, 5, 25, 25)
"""The worth of four squares in a row without an enemy, by the number of own pieces on them."""


def by_alpha_beta(position: Position, random: Random) -> Move:
    """Return the best move four plies deep, the first of equals in a random order."""
    if not isinstance(position, YonmoquePosition):
        raise TypeError("this player knows Yonmoque only")
    moves = list(position.legal_moves())
    random.shuffle(moves)
    best, chosen = -2 * _WON, moves[0]
    for move in moves:
        value = -_value(position.play(move), _DEPTH - 1, -2 * _WON, -best)
        if value > best:
            best, chosen = value, move
    return chosen


ALPHA_BETA: Final = Baseline(f"alpha-beta {_DEPTH}", by_alpha_beta, 0.8)


def _value(position: YonmoquePosition, depth: int, alpha: int, beta: int) -> int:
    if position.outcome is not None:
        winners = position.outcome.winners
        return 0 if len(winners) > 1 else (_WON + depth) * (1 if position.side in winners else -1)
    if depth == 0:
        blue, white = position.pieces
        lines = 0
        for four in FOURS:
            ours, theirs = (blue & four).bit_count(), (white & four).bit_count()
            lines += _LINE[ours] if not theirs else -_LINE[theirs] if not ours else 0
        mobility = _mobility(position, BLUE) - _mobility(position, WHITE)
        return (lines + mobility) * (1 if position.side == BLUE else -1)
    for move in position.legal_moves():
        alpha = max(alpha, -_value(position.play(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def _mobility(position: YonmoquePosition, seat: int) -> int:
    hands = (0, 0)
    return len(YonmoquePosition(position.pieces, hands, seat).legal_moves())
