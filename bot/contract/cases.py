"""The cases of the contract's suite: every game in every variant, and positions reached by random play.

All is seeded and bounded: a game with hundreds of moves, or with set-ups too many to list, passes in reasonable time.
Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random

from bot.games import GAMES
from bot.games.game import Game, Move, Position, Variant

LISTABLE = 3000
"""A position with more legal moves than this is not listed, but sampled."""
LONGEST = 2500
"""No game goes on for more plies than this, however it is played."""
SAMPLES = 14
"""Positions looked at in a playout."""


@dataclass(frozen=True)
class Case:
    """A game, a variant of it and a number of players."""

    game: Game
    variant: Variant
    players: int

    def __str__(self) -> str:
        return f"{self.game.key}-{self.variant.key}-{self.players}"

    def start(self) -> Position:
        return self.game.start(players=self.players, **self.variant.options)


@dataclass(frozen=True)
class Ply:
    """A position, and the move that led to it from the one before; neither for the first position."""

    position: Position
    move: Move | None = None
    before: Position | None = None


def cases(games: Iterable[Game]) -> list[Case]:
    """Return every variant of these games with the fewest and the most players it is for."""
    return [
        Case(game, variant, players)
        for game in games
        for variant in game.variants
        for players in sorted({variant.players[0], variant.players[-1]})
    ]


CASES = cases(GAMES.values())


def legal(position: Position, limit: int = LISTABLE) -> tuple[list[Move], bool]:
    """Return at most ``limit`` legal moves, and whether they are all there are."""
    moves = list(islice(position.legal_moves(), limit + 1))
    return moves[:limit], len(moves) <= limit


def pick(position: Position, random: Random) -> Move:
    """Return a move at random: a shortcut where the game offers some and the moves are too many to list."""
    moves, complete = legal(position)
    if not complete:
        offered = [step.move for step in position.shortcuts(random) if step.move is not None]
        return random.choice(offered or moves)
    return random.choice(moves)


@cache
def playout(case: Case, seed: int) -> tuple[Ply, ...]:
    """Return a game played at random, from the first position to the last, cut off after ``LONGEST`` plies."""
    random = Random(seed)
    plies = [Ply(case.start())]
    while plies[-1].position.to_move is not None and len(plies) <= LONGEST:
        before = plies[-1].position
        move = pick(before, random)
        plies.append(Ply(before.play(move), move, before))
    return tuple(plies)


def has_state(case: Case) -> bool:
    """Return whether computer players search a compact state of the game's own, from its first plies on."""
    return any(case.game.search_state(ply.position) for ply in playout(case, 1)[:4] if ply.position.result is None)


@cache
def samples(case: Case) -> tuple[Ply, ...]:
    """Return plies of a random game: the first three, the last two and others evenly from between."""
    plies = playout(case, 1)
    stride = max(1, len(plies) // (SAMPLES - 5))
    chosen = sorted({*range(len(plies))[:3], *range(0, len(plies), stride), *range(len(plies))[-2:]})
    return tuple(plies[index] for index in chosen)


def texts(case: Case, count: int = 8) -> list[str]:
    """Return canonical texts of moves of a game, from all over a random playout."""
    return [str(ply.move) for ply in samples(case) if ply.move is not None][:count]
