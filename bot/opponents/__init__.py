"""Computer players for every game: ``choose`` a move at one of a game's levels, at most ten, ``analyse`` a position.

Strength comes from budgets of nodes, never from clocks, so the same question has the same answer on every machine.
Knows no Discord, no database and no event loop. Long computations can be cancelled.
"""

from bot.opponents.analysis import Analysis, Line, analyse
from bot.opponents.levels import LEVELS, levels_of, longest_thought, thinks_long
from bot.opponents.player import Choice, choose, consider

__all__ = [
    "LEVELS",
    "Analysis",
    "Choice",
    "Line",
    "analyse",
    "choose",
    "consider",
    "levels_of",
    "longest_thought",
    "thinks_long",
]
