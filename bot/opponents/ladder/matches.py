"""The games of the ladder: players, pairings and scores, on several cores. Players of the bot use none of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from random import Random
from types import MappingProxyType
from typing import Final

from bot.games import GAMES
from bot.opponents.ladder.yardsticks import YARDSTICKS, Player
from bot.opponents.levels import LEVELS, levels_of
from bot.opponents.player import choose

STEP: Final = (0.6, 0.9)
"""The range for the share of each level against the one below: a step that a person can climb."""
AGAINST_RANDOM: Final = 0.6
"""The least share of the lowest level against random moves: where games are short, *careful* takes less than 90%."""
AGAINST_NOVICE: Final[Mapping[int, tuple[float, float]]] = MappingProxyType(
    {1: (0.15, 0.5), 2: (0.35, 0.7), 3: (0.55, 0.9)}
)
"""The ranges for the shares of the lowest levels against a novice."""

_LONGEST: Final = 2_500
"""A game of more plies is a draw."""


def _level(number: int) -> Player:
    return lambda position, random: choose(position, number, random.getrandbits(32))


PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {f"level {number}": _level(number) for number in LEVELS}
    | dict(YARDSTICKS)
    | {baseline.name: baseline.choose for game in GAMES.values() for baseline in game.baselines}
)


@dataclass(frozen=True, slots=True)
class LadderPairing:
    """Two players of ``PLAYERS`` in one variant, and the promise that the first one's share is surely in a range.

    The interval of the share lies between ``floor`` and ``ceiling`` if the promise is kept.
    """

    game: str
    variant: str
    first: str
    second: str
    floor: float
    ceiling: float = 1.0


@dataclass(frozen=True, slots=True)
class LadderRound:
    """One game of a pairing. The first player takes the second seat in games with odd numbers."""

    pairing: LadderPairing
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
            if position.to_move is None:
                break
            position = position.play(players[position.to_move](position, random))
        winners = position.result.winners if position.result else frozenset({0, 1})
        return 0.5 if len(winners) > 1 else float(seat in winners)


@dataclass(frozen=True, slots=True)
class LadderStanding:
    """The result of a pairing: ``points`` of the first player in so many ``games``."""

    pairing: LadderPairing
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
        """Whether the whole interval is in the promised range."""
        low, high = self.interval
        return self.pairing.floor <= low and high <= self.pairing.ceiling


def pairings(game: str, variant: str) -> list[LadderPairing]:
    """Return the promises of the levels in a variant for two players, as pairings."""
    levels = levels_of(GAMES[game])
    strongest = f"level {levels[-1]}"
    two = [
        ("level 1", "random", AGAINST_RANDOM, 1.0),
        *((f"level {level}", "novice", *range_) for level, range_ in AGAINST_NOVICE.items() if level in levels),
        *((f"level {n}", f"level {n - 1}", *STEP) for n in levels[1:]),
        (strongest, "careful", GAMES[game].careful_share, 1.0),
        *((strongest, baseline.name, baseline.share, 1.0) for baseline in GAMES[game].baselines),
    ]
    return [LadderPairing(game, variant, *rest) for rest in two]


def play_games(rounds: Sequence[LadderRound], jobs: int) -> Iterator[tuple[LadderRound, float]]:
    """Play games in ``jobs`` processes, and yield each with its score, in order."""
    if jobs == 1:
        yield from map(_played, rounds)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_played, rounds)


def _played(ladder_round: LadderRound) -> tuple[LadderRound, float]:
    return ladder_round, ladder_round.score()
