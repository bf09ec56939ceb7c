"""The five levels of computer players: how far each looks, and what it overlooks. Knows no game and no search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from bot.games.search import Method, SearchState


@dataclass(frozen=True, slots=True)
class Level:
    """How one level thinks and errs.

    ``nodes`` is the budget of a search on a small board and ``depth`` the most plies it looks ahead. It may take any
    move within ``margin`` rating points of the best. ``wanders`` is the chance to take any move that does not lose at
    once, as far as it sees; a game may have its own, see ``SearchState.wanders``.

    Three fields are chances to see a move at all: ``notices`` any move while it looks ahead, ``takes_wins`` its own win
    in one, ``prevents_losses`` the opponent's win in one.

    If a position has no more moves than a level ``considers``, it spends ``leaves_chances`` positions on the search for
    a swindle and takes it, the more likely the harder it is to punish. A level that ``knows_proofs`` uses the known
    wins of ``SearchState.known_wins``.
    """

    nodes: int
    depth: int = 64
    margin: int = 0
    notices: float = 1.0
    wanders: float = 0.0
    considers: int = 0
    takes_wins: float = 1.0
    prevents_losses: float = 1.0
    leaves_chances: int = 0
    knows_proofs: bool = False

    def budget(self, state: SearchState) -> int:
        """Return the nodes this level may look at in a game with the node cost of ``state``."""
        return max(1, round(self.nodes / state.cost))


LEVELS: Final = range(1, 6)
"""The levels there are, from a friendly beginner to the strongest."""
LONG_FROM: Final = 4
"""The lowest level that may think for seconds. Lower levels take some tenths of a second."""

WITH_EVALUATION: Final[Mapping[int, Level]] = MappingProxyType(
    {
        1: Level(
            400,
            depth=1,
            margin=120,
            notices=0.86,
            wanders=0.9,
            takes_wins=0.9,
            prevents_losses=0.5,
        ),
        2: Level(1_000, depth=2, margin=60, notices=0.85, wanders=0.75, prevents_losses=0.8),
        3: Level(3_000, depth=3, margin=30),
        4: Level(15_000, margin=20),
        5: Level(90_000, margin=8, knows_proofs=True),
    }
)
"""The levels by number, in games with an evaluation. All measured figures of strength and time use these tables."""
WITH_PLAYOUTS: Final[Mapping[int, Level]] = MappingProxyType(
    {
        1: Level(1_000, considers=60, leaves_chances=4_000),
        2: Level(70, wanders=0.6, prevents_losses=0.85),
        3: Level(400),
        4: Level(3_000),
        5: Level(120_000, knows_proofs=True),
    }
)
"""The same for games without an evaluation, which are played out at random. With a small budget that is hardly better
than random play, so the first level has a larger budget than the third, and is made weaker by playing swindles.
"""


def level_for(number: int, state: SearchState) -> Level:
    """Return the level with that number, for the search method and the game of ``state``."""
    level = (WITH_EVALUATION if state.method is Method.ALPHA_BETA else WITH_PLAYOUTS)[number]
    return replace(level, wanders=state.wanders[number]) if number in state.wanders else level
