"""When Redo ends a game because no conversion is possible ever again (``RULES.md``, "End")."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.games.redo.boards import at
from tests.games.redo.reference import FILES, Pieces, conversion_reachable

DEAD = {
    "discs that have passed each other": "7/w5w/7/7/7/7/r5r/7",
    "discs level with each other and two files apart": "7/7/7/w1r4/7/7/7/7",
    "discs that cannot come near enough before they pass": "7/7/r6/7/4w2/7/7/7",
    "two discs of a colour that cannot meet": "w5w/7/7/7/7/7/7/r5r",
    "a free tower and a full last rank": "7/7/3W3/7/7/7/7/rrrrrrr",
    "towers shut in by discs that cannot move": "WWWWWWW/wwwwwww/7/7/7/7/7/rrrrrrr",
}
ALIVE = {
    "the first position": "rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww",
    "discs that can still meet": "7/7/7/r6/7/w6/7/7",
    "discs two ranks and two files apart": "7/7/7/2r4/7/w6/7/7",
    "a tower that can come beside a disc": "7/7/7/7/3W3/7/7/r6",
    "a tower behind discs that can let it out": "W6/ww5/7/7/7/7/7/r6",
    "two discs that can become a tower": "7/1w1w3/7/7/7/7/7/r6",
    "two discs on top of each other's way, past all enemies": "7/3w3/3w3/7/7/7/7/r6",
    "a jump along the last rank where nothing can take a step": "7/7/7/7/7/rrrrrrr/wwwwwww/Wr1rrrr",
    "a jump forward where nothing can take a step": "7/7/7/7/7/7/rrrrrrr/Wwwwwww",
    "a jump forward of Red's where nothing can take a step": "rrrrrrR/wwwwwww/7/7/7/7/7/7",
}


@pytest.mark.parametrize("board", DEAD.values(), ids=DEAD.keys())
@pytest.mark.parametrize("side", ["w", "r"])
def test_a_game_is_over_with(board: str, side: str) -> None:
    result = at(board, side).result
    assert result is not None
    assert result.reason.startswith("no conversion is possible any more")
    assert conversion_reachable(pieces_of(board), side) is False


@pytest.mark.parametrize("board", ALIVE.values(), ids=ALIVE.keys())
@pytest.mark.parametrize("side", ["w", "r"])
def test_a_game_goes_on_with(board: str, side: str) -> None:
    assert at(board, side).result is None


def test_trying_everything_agrees_on_small_positions() -> None:
    # It need not find every dead position, only never take a live one for dead. Of these it misses none, though.
    random, counts = Random(1), Counter[tuple[bool, bool | None]]()
    for _ in range(1000):
        pieces, side = scattered(random), random.choice("wr")
        result = at(board_of(pieces), side).result
        dead = result is not None and result.reason.startswith("no conversion")
        reachable = conversion_reachable(pieces, side, most=400)
        assert not (dead and reachable), board_of(pieces)
        counts[dead, reachable] += 1
    assert counts[True, False] > 50
    assert counts[False, True] > 65
    assert counts[False, False] == 0


def scattered(random: Random) -> Pieces:
    """Return pieces of both colours, most of them where their enemies cannot reach them any more."""
    lean, towers = random.random(), random.choice((0, 0, 0.1, 0.3))
    squares = random.sample(
        [f"{file}{rank}" for file in FILES for rank in range(1, 9)], random.choice((2, 3, 4, 6, 10))
    )
    pieces: Pieces = {squares[0]: random.choice("wW"), squares[1]: random.choice("rR")}
    for square in squares[0 if random.random() < lean else 2 :]:
        side = "w" if random.random() < (int(square[1]) - 4.5) * lean + 0.5 else "r"
        pieces[square] = side.upper() if random.random() < towers else side
    return pieces if {piece.lower() for piece in pieces.values()} == {"w", "r"} else scattered(random)


def board_of(pieces: Pieces) -> str:
    ranks = ["".join(pieces.get(f"{file}{rank}", "1") for file in FILES) for rank in range(8, 0, -1)]
    board = "/".join(ranks)
    for gap in range(7, 1, -1):
        board = board.replace("1" * gap, str(gap))
    return board


def pieces_of(board: str) -> Pieces:
    ranks = ["".join("." * int(sign) if sign.isdigit() else sign for sign in rank) for rank in board.split("/")]
    signs = {f"{file}{8 - row}": rank[column] for row, rank in enumerate(ranks) for column, file in enumerate(FILES)}
    return {square: sign for square, sign in signs.items() if sign != "."}
