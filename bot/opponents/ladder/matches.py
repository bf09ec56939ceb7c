"""The games of the ladder: players, pairings and scores, on several cores. Players of the bot use none of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from multiprocessing import get_context
from random import Random
from types import MappingProxyType
from typing import Final

from bot.games import GAMES
from bot.games.game import Move, Position
from bot.opponents.levels import LEVELS
from bot.opponents.player import choose

Player = Callable[[Position, Random], Move]

_LONGEST: Final = 2_500
"""A game of more plies is a draw."""
_LISTED: Final = 3_000
"""Moves listed, at most; of more, a baseline takes those the game offers."""


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


def _level(number: int) -> Player:
    return lambda position, random: choose(position, number, random.getrandbits(32))


PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {f"level {number}": _level(number) for number in LEVELS}
    | {"random": at_random, "careful": carefully}
    | {baseline.name: baseline.choose for game in GAMES.values() for baseline in game.baselines}
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of ``PLAYERS`` in one variant, and the share the first must score at the low end of its interval.

    With ``at_most`` the high end of the interval must stay below that share instead.
    """

    game: str
    variant: str
    first: str
    second: str
    promised: float
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One game of a pairing. The first player takes the second seat in games with odd numbers."""

    pairing: Pairing
    number: int

    def score(self) -> float:
        """Play the game, and return the share of the first player: 1, a half for a draw, or 0."""
        pairing, seat = self.pairing, self.number % 2
        game = GAMES[pairing.game]
        random = Random(f"{pairing} {self.number}")
        seated = (pairing.first, pairing.second) if seat == 0 else (pairing.second, pairing.first)
        players = [PLAYERS[name] for name in seated]
        position = game.start(players=2, **game.variant(pairing.variant).options)
        for _ in range(_LONGEST):
            if position.result is not None:
                break
            (mover,) = position.to_move
            position = position.play(players[mover](position, random))
        winners = position.result.winners if position.result else frozenset({0, 1})
        return 0.5 if len(winners) > 1 else float(seat in winners)


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of a pairing: ``points`` of the first player in so many ``games``."""

    pairing: Pairing
    games: int
    points: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share of points (Wilson's), draws counted as half a win and half a loss."""
        if not self.games:
            return 0.0, 1.0
        z, n, share = 1.96, self.games, self.points / self.games
        middle, spread = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)

    @property
    def kept(self) -> bool:
        """Whether the end of the interval that counts keeps the promise."""
        low, high = self.interval
        return high <= self.pairing.promised if self.pairing.at_most else low >= self.pairing.promised


def pairings(game: str, variant: str) -> list[Pairing]:
    """Return the promises of the levels in a variant for two players, as pairings."""
    two = [
        ("level 1", "random", 0.85, False),
        ("level 1", "careful", 0.5, True),
        *((f"level {n}", f"level {n - 1}", 0.6, False) for n in LEVELS[1:]),
        ("level 5", "careful", GAMES[game].careful_share, False),
        *(("level 5", baseline.name, baseline.share, False) for baseline in GAMES[game].baselines),
    ]
    return [Pairing(game, variant, *rest) for rest in two]


def played(rounds: Sequence[Round], jobs: int) -> Iterator[tuple[Round, float]]:
    """Play games in ``jobs`` processes, and yield each with its score as soon as it is over."""
    if jobs == 1:
        yield from map(_played, rounds)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_played, rounds)


def _played(one: Round) -> tuple[Round, float]:
    return one, one.score()
