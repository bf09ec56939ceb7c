"""Computer players for every game: ``choose`` a move at one of five ``LEVELS``, ``analyse`` a position.

Strength comes from budgets of nodes, never from clocks, so the same question has the same answer anywhere. All of it
is pure: no Discord, no database, no event loop. A long computation can be given up like any other.
"""

from bot.opponents.analysis import Analysis, Line, analyse
from bot.opponents.levels import LEVELS, LONG_FROM
from bot.opponents.player import choose

__all__ = ["LEVELS", "LONG_FROM", "Analysis", "Line", "analyse", "choose"]
