"""Strength of computer players.

Every level against the one below it, and against players that share nothing with it: *random* takes any move, *careful*
takes a win in one and else avoids to lose in one, *alpha-beta 4* is plain alpha-beta of depth 4 with line counts and
mobility. Sides alternate, a draw is half a point, intervals are Wilson's, and a promise is kept if the end of the
interval that counts keeps it. `LADDER_GAMES` says how many games a pairing has in default variants, others have three
tenths of that. The whole ladder takes many hours. `python -m bot.opponents ladder --page docs/figures/ladder.md` with
`--game redo` renews some rows alone, and with `--more` adds games to them. PyPy plays the same moves two to four times
as fast, and played most of these games, but not those of Gygès.

Level 2, and level 1 of Redo, were changed after most of these games. Rows of levels 2 and 3 in default variants, and
Redo's rows of level 1, are newer: 200 games each in Gygès and Redo, 40 in other games. The other rows with level 2 are
older. In Redo level 1 now attacks, and *careful* sees nothing before the end of a match: level 1 wins all games against
it, so that promise is not kept. Against *careful* level 2 scores 101 of 200 games in Gygès, and for the same reason 200
of 200 in Redo.

*alpha-beta 4* opens every game alike and draws lots only between equals, so that many of the games it begins are much
the same.

On 4 dots a side no player could keep the promises of levels 3 to 5: the first player wins, and only has to let no win
in one through, which neither the levels nor *careful* ever do. So they are even, and score half against it. Level 2
sees all there is to see on so small a board: it is even with level 3, and gains little on a beginner who begins.
On 6 dots a side, upright, the first player loses against a perfect player: now and then *careful*, begun against, is
one by chance.
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
