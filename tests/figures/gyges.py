"""What was tried for Gygès.

A log of attempts to make its computer players stronger, by the day in November 2026. Points are what the player with
the change took from the one without it, at as many nodes, of so many games; sides alternate. What is kept is in the
tree.

| Tried | Day | Classic | The magazine's | Kept |
| --- | --- | ---: | ---: | --- |
| Try moves early that cut off elsewhere, told by what they change | 27 | 14 of 30 | | yes |
| This, and look a ply less deeply at late moves from the third ply on | 27 | 21 of 30 | 25 of 30 | yes |
| Weigh what one border row alone could reach, and neither threats nor ranks | 28 | 53 of 60 | 17 of 20 | yes |
| Threats weighed as well | 28 | 22 of 60 | | |
| Weights fitted to 9,800 positions of games from random set-ups, by result | 28 | 33 of 60 | | |
| The rank of the border row, by the fit, beside the weights by hand | 28 | 46 of 100 | | |
| Its pieces by value, too, at about half of the fit | 28 | 52 of 100 | | |
| Null moves, and a ply less for moves from the fourth on | 28 | 25 of 60 | | |
| A ply less from the fourth move on, but for moves that threaten a goal | 28 | 33 of 60 | | |
| No more than 60 moves a ply before the end | 28 | 15 of 40 | | |

A fit of nine numbers tells the winner of a position of such games in 57 of 100, where chance tells 50. Compiled by
mypyc, the modules of the game search 1.4 to 1.5 times as many nodes a second (24,500 before). The search itself does
not compile as it is, and every machine would need a compiler, so it stays Python.

An independent engine of 2024, three plies deep without a clock, lost 4.5 of 20 games of classic Gygès to the level 10
of 2026-11-27, which had 30,000 nodes. In nearly all of these it named no legal move at the end, which counts as
resigned.

Other orders of the moves were compared on 2026-11-28 by the nodes for the positions of the table below, the sums for
four plies in classic Gygès and five in the magazine's: one static look at every move from depth 3 on, each look a
node, 6% fewer and 63% more; moves first that leave a remembered route of one's own open, 12% fewer and 15% more; no
moves that leave one of eight remembered routes of the other side open, 8% fewer and as many, in more time. None is in
the tree, and no games were played with them.

Level 8 was tried on 2026-11-29 with 10,000 nodes instead of 7,700: it took 26 of 30 points from level 7 by both rules,
and level 9 took 14 of 20 from it in classic Gygès and 14.5 of 20 in the magazine's. With 7,700 the two steps are more
alike, so it keeps them.

The table below has the nodes it takes to look some plies ahead, and the time on one core: the median of the positions
after the eighth ply of games of level 6 with itself. Level 10 has 100,000 nodes, level 9 has 30,000.
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time

from bot.games import GAMES
from bot.games.game import Position
from bot.games.gyges.rules import RULESETS
from bot.games.search import EvaluatedState
from bot.opponents import choose
from bot.opponents.alphabeta import AlphaBeta
from bot.opponents.thinking import state_of
from tests.figures import table

POSITIONS, PLY, LEVEL = 6, 8, 6
MOST_NODES = 400_000


def measure() -> list[str]:
    """Search positions of both rule sets to a depth of two, three and four plies."""
    heads = ("Rules", "Plies", "Nodes", "Seconds")
    return table(heads, [_row(rules, depth) for rules in RULESETS for depth in (2, 3, 4)])


def _row(rules: str, depth: int) -> tuple[str, int, str, str]:
    nodes, times = [], []
    for number in range(POSITIONS):
        state = state_of(_position(rules, number))
        assert isinstance(state, EvaluatedState)
        search, before = AlphaBeta(state, MOST_NODES, depth), process_time()
        search.candidates()
        times.append(process_time() - before)
        nodes.append(search.visited)
    return rules, depth, f"{round(median(nodes)):,}", f"{median(times):.2f}"


def _position(rules: str, number: int) -> Position:
    """Return a position of a game, each ``number`` of another one, that is not over and has no win in one."""
    random = Random(f"{rules} {number}")
    position = GAMES["gyges"].start(players=2, **GAMES["gyges"].variant(rules).options)
    for _ in range(PLY):
        after = position.play(choose(position, LEVEL, random.getrandbits(32)))
        if after.to_move is None or state_of(after).win_in_one() is not None:
            break
        position = after
    return position
