"""Matches with the same replies.

How many of ten matches differ by the sixth move of either side if the person always gives the same replies: those of
level 3 with the same lots. In the default variant of each game, by the seat of the computer player; a search looks at
2,000 nodes at most. At least eight are wanted, so that who has won once cannot type the same match again.

Until 2026-11-28 it was fewer at these levels, by seat and with all of their nodes: of Gygès 6 (10 and 5), 7 (7 and
1), 8 (5 and 0), 9 (0 and 0), 10 (0 and 1); of Rectangles 1 (8 and 5), 7 (8 and 0), 8, 9 (10 and 0), 10 (8 and 0),
which is its level 8 now; of Yonmoque 7 (7 and 8), 8 (7 and 6), 9 (3 and 5), 10 (1 and 4). With all nodes it is now
eight or more at these, too, but for level 10 of Yonmoque (6 and 8), which soon proves a win against level 3; level 10
of Gygès was not counted so.

What the choice costs was told by a search of 60,000 nodes after the moves that level 8 of Yonmoque chooses: of first
moves in eight positions 0.6 of 100 points at most, where it gains and loses about as often; of the moves with one to
six pieces on the board about one point each.
"""

from __future__ import annotations

from bot.opponents import levels_of
from tests.figures import shipped_games, table
from tests.opponents.repeats import different_matches


def measure() -> list[str]:
    """Play ten matches of every level in either seat."""
    rows = [
        (game.name, level, *(different_matches(game.key, level, seat) for seat in (0, 1)))
        for game in shipped_games()
        for level in levels_of(game)
    ]
    return table(("Game", "Level", "First seat", "Second seat"), rows)
