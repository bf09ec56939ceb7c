"""The five levels of computer players: how far each looks, and what it overlooks. Knows no game and no search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.games.search import Method, SearchState


@dataclass(frozen=True, slots=True)
class Level:
    """What tells a level from the others.

    ``nodes`` is the budget of a search on a small board and ``depth`` the most plies it looks ahead; ``unguided`` is
    the budget where there is no evaluation to go by. A move within ``margin`` rating points of the best may be taken
    instead of it. ``notices`` is the chance that it notices a move
    of the opponent, or its own win in one, at all, ``wanders`` the chance that it takes any move that does not lose at
    once, as far as it notices; ``takes_wins`` and ``prevents_losses`` make it certain of those in
    one move, whatever it overlooks otherwise.
    """

    nodes: int
    unguided: int
    depth: int
    margin: int
    notices: float = 1.0
    wanders: float = 0.0
    takes_wins: bool = True
    prevents_losses: bool = True

    def budget(self, state: SearchState) -> int:
        """Return the nodes this level may look at in a game whose nodes cost what those of ``state`` do."""
        nodes = self.nodes if state.method is Method.ALPHA_BETA else self.unguided
        return max(1, round(nodes / state.cost))


LEVELS: Final = range(1, 6)
"""The levels there are, from a friendly beginner to the strongest."""

TABLE: Final[Mapping[int, Level]] = MappingProxyType(
    {
        1: Level(400, 16, depth=1, margin=120, notices=0.86, wanders=0.9, takes_wins=False, prevents_losses=False),
        2: Level(1_000, 16, depth=2, margin=60, notices=0.75, prevents_losses=False),
        3: Level(3_000, 90, depth=3, margin=30),
        4: Level(15_000, 700, depth=64, margin=15),
        5: Level(90_000, 120_000, depth=64, margin=8),
    }
)
"""The levels by number. All figures of strength and of time are of these."""
