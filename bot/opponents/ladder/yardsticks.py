"""Players to measure computer players by: one at random, a careful one, and novices. Players of the bot use none of it.

The careful player shares nothing with the bot but the rules. Novices also use the compact states, for speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Final

from bot.games import game_of
from bot.games.game import Move, Position
from bot.games.search import SearchState, Token
from bot.opponents.thinking import state_of

Player = Callable[[Position, Random], Move]

_LISTED: Final = 3_000
"""Moves listed, at most; of more, a player takes those the game offers."""


def at_random(position: Position, random: Random) -> Move:
    """Return a random legal move, all equally likely; if there are too many to list, one that the game offers."""
    return random.choice(_moves(position, random))


def carefully(position: Position, random: Random) -> Move:
    """Return a move that wins at once, else any that neither loses at once nor lets the next seat win, else any."""
    moves = _moves(position, random)
    random.shuffle(moves)
    for move in moves:
        if _wins(position, move):
            return move
    return next((move for move in moves if not _loses(position, move, random)), moves[0])


def as_novice(position: Position, random: Random, sees: float) -> Move:
    """Return a move that wins at once, else the most obvious one that is not seen to lose at once, else any.

    ``sees`` is the chance to see, of each move, that the next seat could win at once. Its set-ups are the bot's, which
    people are offered ready-made.
    """
    game = game_of(position)
    opening = game.opening(position, random) if game else None
    if opening is not None:
        return opening
    state = state_of(position)
    win = state.win_in_one()
    if win is not None:
        return state.move(win)
    tokens = state.tokens()
    random.shuffle(tokens)
    tokens.sort(key=state.obvious, reverse=True)
    safe = (token for token in tokens if random.random() >= sees or not _lets_win(state, token))
    return state.move(next(safe, tokens[0]))


YARDSTICKS: Final[Mapping[str, Player]] = MappingProxyType(
    {
        "random": at_random,
        "careful": carefully,
        "blind novice": lambda position, random: as_novice(position, random, 0.0),
        "novice": lambda position, random: as_novice(position, random, 0.7),
        "watchful novice": lambda position, random: as_novice(position, random, 1.0),
    }
)
"""By name. A novice sees seven of ten threats to win in one, a blind one none, and a watchful one all."""


def _moves(position: Position, random: Random) -> list[Move]:
    moves = list(islice(position.legal_moves(), _LISTED + 1))
    if len(moves) <= _LISTED:
        return moves
    return [step.move for step in position.shortcuts(random) if step.move is not None] or moves


def _wins(position: Position, move: Move) -> bool:
    result = position.play(move).result
    return result is not None and result.winners == {position.to_move}


def _loses(position: Position, move: Move, random: Random) -> bool:
    """Tell whether ``move`` loses at once, or lets the next seat win at once."""
    after = position.play(move)
    if after.result is not None:
        return position.to_move not in after.result.winners
    return any(_wins(after, reply) for reply in _moves(after, random))


def _lets_win(state: SearchState, token: Token) -> bool:
    """Tell whether a move loses at once, or lets the next seat win at once."""
    seat = state.seat
    state.make(token)
    winners = state.winners()
    lets = state.win_in_one() is not None if winners is None else seat not in winners
    state.unmake()
    return lets
