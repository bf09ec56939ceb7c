"""Strength of computer players.

Every level against the one below it, and against players of other kinds: *random* takes any move, *careful* takes a
win in one and else avoids to lose in one, a *novice* takes a win in one, sees seven of ten threats to lose in one,
and else does what is obvious (most conversions, the longest line, a step forward, the largest rectangle), and *alpha-
beta 4* is plain alpha-beta of depth 4 with line counts and mobility, *careful 3* one of depth 3 with counts of moves
and routes. The *blind novice* sees no threat and the *watchful novice* all; they can be played, too. Sides alternate,
a draw is half a point, intervals are Wilson's, and a promise is kept if the whole interval is in its range.
`LADDER_GAMES` says how many games a pairing has in default variants, others have three tenths of that. The whole
ladder takes many hours. `python -m bot.opponents ladder --page docs/figures/ladder.md` with `--game redo` renews some
rows alone, and with `--more` plays only the games that they lack. It writes each game at once, so it can be stopped
at any time. PyPy plays the same moves up to four times as fast, but gains little in Gygès.

Rows of the strongest level of all games but Gygès against other players than levels are of the same player under the
number it had when there were five levels, but for a choice among near-equal moves that leads back. All other rows are
of today's players. In default variants, rows with 200 games and more show whether a step holds; those with fewer show
where a step is a wall, and *no* may mean that there are too few to tell. A level without a row has not been measured as
it is now, so nothing shows that its promise is kept. So it is with the steps of all boards of Rectangles but 6x6 and
8x8. Rows with few games whose interval goes beyond the range show that there is no wall, and no more.

Two steps at the top do not hold yet. In Redo, level 10 takes more than eight of ten points from level 9. With 12,700
nodes in place of 11,000 and a margin of 14, level 9 took 47 of 50 from level 8, so what fits lies between. In the
magazine's Gygès, levels 9 and 10 are nearer to each other than elsewhere.

Level 1 is weaker than a novice in every game, and so takes less from *random* where games are short: on 6 dots a side,
where a game lasts seven moves, a novice takes 84% from it in 400 games, and *careful* 89%. Redtangle has seven levels:
its strongest is some 670 points above what level 3 was before its last change (it took 79.5% from a player that took
81.2% from another, which took 73% from that level 3), and ten steps need 840. Rectangles has eight levels: by axis on 6
dots a side the second player wins, so the strongest level takes all points as the second, and as the first only those
that its opponent gives away. From players with 900, 2,000 and 4,000 nodes it took 49, 38 and 35 of 60 points, and the
one with 2,000 took 35 of 60 from the one with 900. So no level fits between that one, level 7, and the strongest. On
larger boards levels from the third on have other nodes: on 8 dots a side a player with 900 took 9 of 16 points from one
with 280, and the strongest level 15 of 16 from one with 4,000. In Yonmoque, level 3 is strong against the novice: who
lets no win in one through and gives no piece away takes more than eight of ten points, however little else they see. In
classic Gygès, the novice changes places behind its own lines, so that it is a weak yardstick.

*alpha-beta 4* opens every game alike and draws lots only between equals, so that many of the games it begins are much
the same.

On 4 dots a side no player could keep the promises of the higher levels: the first player wins, and only has to let no
win in one through, which neither they nor *careful* ever do. So they are even, and score half against it.
"""

from __future__ import annotations

import os
import subprocess
import sys


def measure() -> list[str]:
    """Play the whole ladder, on all cores."""
    games = int(os.environ.get("LADDER_GAMES", "200"))
    command = [sys.executable, "-m", "bot.opponents", "ladder", "--games", f"{games}", "--others", f"{games * 3 // 10}"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
