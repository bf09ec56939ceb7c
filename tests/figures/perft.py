"""Counting positions

Perft: the number of positions after so many plies, counted with repetitions, from the first position of a random game
in which the moves can be listed. The last ply is counted, not played. The check figures of the rules stand in
`bot/games/*/RULES.md`, and each game's tests count them; this page shows the speed of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from bot.contract.cases import CASES, Case
from bot.games.game import Position
from tests.figures import table
from tests.support.ongoing import ongoing

LONGEST = 4.0
"""Seconds a count is expected to take, at most; one ply more takes as many times as long as there are moves."""


@dataclass(frozen=True, slots=True)
class Count:
    """The positions after so many plies, and how long it took to count them."""

    plies: int
    positions: int
    seconds: float

    @property
    def rate(self) -> float:
        """Positions a second."""
        return self.positions / self.seconds


def measure() -> list[str]:
    """Count in every game and variant for two players."""
    rows = [_row(case) for case in CASES if case.players == 2]
    return table(("Game, variant, players", "plies", "positions", "seconds", "positions a second"), rows)


def _row(case: Case) -> tuple[object, ...]:
    position = ongoing(case)[0]
    wide = len(list(position.legal_moves()))
    count, following = _timed(position, 1), _timed(position, 2)
    # A small board is full before a count takes long.
    while following.positions > count.positions:
        count = following
        if count.seconds * wide > LONGEST:
            break
        following = _timed(position, count.plies + 1)
    return str(case), count.plies, f"{count.positions:,}", f"{count.seconds:.2f}", f"{count.rate:,.0f}"


def _timed(position: Position, plies: int) -> Count:
    begun = perf_counter()
    positions = _perft(position, plies)
    return Count(plies, positions, perf_counter() - begun)


def _perft(position: Position, plies: int) -> int:
    moves = list(position.legal_moves())
    return len(moves) if plies == 1 else sum(_perft(position.play(move), plies - 1) for move in moves)
