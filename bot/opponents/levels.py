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

    ``nodes`` is the budget of a search on a small board and ``depth`` the most plies it looks ahead. A move within
    ``margin`` rating points of the best may be taken instead of it. ``wanders`` is the chance that it takes any move
    that does not lose at once, as far as it sees. The others are chances to see a move at all: ``notices`` any move
    while it looks ahead, ``takes_wins`` its own win in one, ``prevents_losses`` the opponent's. ``is_content`` tells
    whether it takes no more of a lead than keeps a game close, see ``SearchState.imbalance``, of so many moves as it
    ``considers``. With no more moves than that, it looks at ``leaves_chances`` positions for a move that loses in a way
    which is hard to find, and takes it, the likelier the harder that is. ``knows_proofs`` tells whether it knows what
    took long to find out about a position.
    """

    nodes: int
    depth: int = 64
    margin: int = 0
    notices: float = 1.0
    wanders: float = 0.0
    considers: int = 0
    takes_wins: float = 1.0
    prevents_losses: float = 1.0
    is_content: bool = False
    leaves_chances: int = 0
    knows_proofs: bool = False

    def budget(self, state: SearchState) -> int:
        """Return the nodes this level may look at in a game whose nodes cost what those of ``state`` do."""
        return max(1, round(self.nodes / state.cost))


LEVELS: Final = range(1, 6)
"""The levels there are, from a friendly beginner to the strongest."""
LONG_FROM: Final = 4
"""The lowest level that may think for seconds; those below take some tenths of one."""

GUIDED: Final[Mapping[int, Level]] = MappingProxyType(
    {
        1: Level(
            400,
            depth=1,
            margin=120,
            notices=0.86,
            wanders=0.9,
            considers=6,
            takes_wins=0.9,
            prevents_losses=0.5,
            is_content=True,
        ),
        2: Level(1_000, depth=2, margin=60, notices=0.85, prevents_losses=0.85),
        3: Level(3_000, depth=3, margin=30),
        4: Level(15_000, margin=20),
        5: Level(90_000, margin=8, knows_proofs=True),
    }
)
"""The levels by number, in games with an evaluation. All figures of strength and of time are of these tables."""
UNGUIDED: Final[Mapping[int, Level]] = MappingProxyType(
    {
        1: Level(1_000, considers=60, leaves_chances=4_000),
        2: Level(70, prevents_losses=0.85),
        3: Level(400),
        4: Level(3_000),
        5: Level(120_000, knows_proofs=True),
    }
)
"""The same where only the end of a game tells who is ahead. There somebody who looks at little plays hardly better than
at random, so the first level looks at more than the third, and makes up for it by the chances it leaves."""


def level_for(number: int, state: SearchState) -> Level:
    """Return the level of that number for a game that is searched as ``state`` is."""
    return (GUIDED if state.method is Method.ALPHA_BETA else UNGUIDED)[number]
