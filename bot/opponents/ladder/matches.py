"""Games of the ladder: who plays whom, how a game went, and all of them on as many cores as there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from random import Random
from types import MappingProxyType
from typing import Final

from bot.games import GAMES
from bot.games.game import Move, Position
from bot.opponents.ladder.baselines import at_random, carefully
from bot.opponents.levels import LEVELS
from bot.opponents.player import choose

Player = Callable[[Position, Random], Move]

_LONGEST: Final = 2_500
"""A game that goes on for more plies is a draw."""


def _level(number: int) -> Player:
    return lambda position, random: choose(position, number, random.getrandbits(32))


PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {f"level {number}": _level(number) for number in LEVELS}
    | {"random": at_random, "careful": carefully}
    | {baseline.name: baseline.choose for game in GAMES.values() for baseline in game.baselines}
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of ``PLAYERS`` in one variant, and what the first must score: a share, by the end of its interval.

    ``at_most`` turns it round: the interval must stay below.
    """

    game: str
    variant: str
    first: str
    second: str
    promised: float
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One game of a pairing. In every other one the first player takes the second seat."""

    pairing: Pairing
    number: int

    def score(self) -> float:
        """Play it, and return the share of the first player: 1, a half for a draw, or 0."""
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
    """What came of a pairing: ``points`` of the first player in so many ``games``."""

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
        """Whether the promise is kept at the end of the interval that counts."""
        low, high = self.interval
        return high <= self.pairing.promised if self.pairing.at_most else low >= self.pairing.promised


def pairings(game: str, variant: str) -> list[Pairing]:
    """Return what the levels promise in a variant for two, as games to be played."""
    two = [
        ("level 1", "random", 0.85, False),
        ("level 1", "careful", 0.5, True),
        *((f"level {n}", f"level {n - 1}", 0.6, False) for n in LEVELS[1:]),
        ("level 5", "careful", GAMES[game].careful_share, False),
        *(("level 5", baseline.name, baseline.share, False) for baseline in GAMES[game].baselines),
    ]
    return [Pairing(game, variant, *rest) for rest in two]


def played(rounds: Sequence[Round], jobs: int) -> Iterator[tuple[Round, float]]:
    """Yield each game with its score as soon as it is over, played in ``jobs`` processes."""
    if jobs == 1:
        yield from map(_played, rounds)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_played, rounds)


def _played(one: Round) -> tuple[Round, float]:
    return one, one.score()
