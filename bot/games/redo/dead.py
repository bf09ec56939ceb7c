"""Tests whether a conversion is still possible: Redo ends a game in which none is.

Knows nothing of turns or counters. It may take a dead position for a live one, never a live one for a dead one.
"""

from __future__ import annotations

from typing import Final

from bot.games.redo.board import BOARD, RED, SEATS, STRIDE, WHITE, members

# Until the first conversion no piece changes sides, so white discs only go up, red ones only down, towers anywhere, and
# two discs of a colour may become a tower. The test follows all of this at once and over-approximates: it lets any
# piece move at any time, takes a square for free as soon as its piece could have left it, and never takes that back. So
# its sets only grow, and when they have stopped growing, three facts hold of every position that play can reach without
# a conversion:  - an empty square is in `free`; - a disc stands in `discs` of its owner, on a square to which its own
# steps through `free` lead; - a tower stands in `stacks` of its owner.  They hold at first, and every turn keeps them.
# A step leads to an empty square, hence through `free` to one of the owner's sets, and the square it leaves is free: a
# piece leaves its first square only if a free one is next to it, and has reached any other through `free`. Two steps at
# once are two steps through free squares. A promotion joins two different discs, one a step behind the other, which
# `_promotions` looks for among all places either can be. A pass changes nothing.  The first conversion would be made by
# a piece that arrives on an empty square with an enemy on one of its five squares, or by a tower that jumps an enemy
# disc to an empty square. By these facts both would be found among the sets. If neither is, no conversion is possible
# ever again. The limits on repetition and plies, and the end by two passes, are left out: they can only take turns
# away.

_EIGHT: Final = (1, -1, STRIDE, -STRIDE, STRIDE + 1, STRIDE - 1, 1 - STRIDE, -1 - STRIDE)


def conversion_possible(pieces: tuple[int, int], towers: int) -> bool:
    """Tell whether a conversion may still happen; False is certain.

    ``pieces`` are the squares each seat occupies, ``towers`` those of them that hold towers. The seat to move makes no
    difference.
    """
    free = BOARD & ~(pieces[WHITE] | pieces[RED])
    start = (pieces[WHITE] & ~towers, pieces[RED] & ~towers)
    discs = start
    stacks = (pieces[WHITE] & towers, pieces[RED] & towers)
    while True:
        white, red = _arrivals(WHITE, discs[WHITE], stacks[WHITE], free), _arrivals(RED, discs[RED], stacks[RED], free)
        if _five(WHITE, white) & (discs[RED] | stacks[RED]) or _five(RED, red) & (discs[WHITE] | stacks[WHITE]):
            return True
        if _can_jump(stacks[WHITE], discs[RED], free) or _can_jump(stacks[RED], discs[WHITE], free):
            return True
        before = (free, discs, stacks)
        discs = (discs[WHITE] | _ahead(WHITE, discs[WHITE]) & free, discs[RED] | _ahead(RED, discs[RED]) & free)
        stacks = (stacks[WHITE] | _around(stacks[WHITE]) & free, stacks[RED] | _around(stacks[RED]) & free)
        # A disc can leave its square if a free one is ahead of it, that is, if it is ahead of that one the other way.
        free |= start[WHITE] & _ahead(RED, free) | start[RED] & _ahead(WHITE, free)
        free |= (stacks[WHITE] | stacks[RED]) & _around(free)
        if before == (free, discs, stacks):
            for seat in SEATS:
                made, leaving = _promotions(seat, start[seat], free)
                stacks = (stacks[WHITE] | made, stacks[RED]) if seat == WHITE else (stacks[WHITE], stacks[RED] | made)
                free |= leaving
            if before == (free, discs, stacks):
                return False


def _arrivals(seat: int, discs: int, towers: int, free: int) -> int:
    return (_ahead(seat, discs) | _around(towers)) & free


def _can_jump(towers: int, discs: int, free: int) -> bool:
    """Tell whether one of ``towers`` has one of ``discs`` beside it and a free square right behind."""
    if not towers:
        return False
    # The walls keep a jump from leaving the board sideways: the square jumped would be in one of them.
    return any(_shifted(_shifted(towers, by) & discs, by) & free for by in _EIGHT)


def _promotions(seat: int, discs: int, free: int) -> tuple[int, int]:
    """Return the squares where two different discs can become a tower, and the squares these discs can leave."""
    walks = []
    for disc in members(discs):
        walk = disc  # the squares that this disc can reach by steps through free ones, its own included
        while walk != (wider := walk | _ahead(seat, walk) & free):
            walk = wider
        walks.append((disc, walk))
    made = leaving = 0
    for disc, walk in walks:
        onto = _ahead(seat, walk)
        for other, place in walks:
            if other != disc and onto & place:
                made |= onto & place
                leaving |= disc
    return made, leaving


def _ahead(seat: int, squares: int) -> int:
    """Return the squares straight and diagonally forward of ``squares``."""
    wide = squares | squares << 1 | squares >> 1
    return (wide << STRIDE if seat == WHITE else wide >> STRIDE) & BOARD


def _around(squares: int) -> int:
    """Return the neighbours of ``squares`` in all eight directions."""
    beside = squares << 1 | squares >> 1
    wide = beside | squares
    return (beside | wide << STRIDE | wide >> STRIDE) & BOARD


def _five(seat: int, squares: int) -> int:
    """Return the squares on which an arrival on one of ``squares`` converts."""
    return _ahead(seat, squares) | (squares << 1 | squares >> 1) & BOARD


def _shifted(squares: int, by: int) -> int:
    return (squares << by if by > 0 else squares >> -by) & BOARD
