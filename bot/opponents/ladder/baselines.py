"""Players the levels are measured against: they need nothing but the contract, and share nothing with the levels."""

from __future__ import annotations

from itertools import islice
from random import Random

from bot.games.game import Move, Position

_LISTED = 3_000
"""Moves looked at, at most, where there are too many to list."""


def at_random(position: Position, random: Random) -> Move:
    """Return any legal move, all being equally likely; where they are too many to list, one that the game offers."""
    return random.choice(_moves(position, random))


def carefully(position: Position, random: Random) -> Move:
    """Return a move that wins at once, else any that neither loses at once nor lets the next seat win, else any."""
    moves = _moves(position, random)
    random.shuffle(moves)
    for move in moves:
        if _wins(position, move):
            return move
    return next((move for move in moves if not _loses(position, move, random)), moves[0])


def _moves(position: Position, random: Random) -> list[Move]:
    moves = list(islice(position.legal_moves(), _LISTED + 1))
    if len(moves) <= _LISTED:
        return moves
    return [step.move for step in position.shortcuts(random) if step.move is not None] or moves


def _wins(position: Position, move: Move) -> bool:
    result = position.play(move).result
    return result is not None and result.winners == position.to_move


def _loses(position: Position, move: Move, random: Random) -> bool:
    """Tell whether ``move`` loses at once, or lets the next seat win at once."""
    after = position.play(move)
    if after.result is not None:
        return not position.to_move & after.result.winners
    return any(_wins(after, reply) for reply in _moves(after, random))
