"""Set-ups of Redtangle for computer players: of many drawn at random, one that is hard to jump. Knows no play."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Final

from bot.games.redtangle.moves import Arrangement
from bot.games.redtangle.pieces import SET_UP_SQUARES, WHITE, Piece
from bot.games.redtangle.setup import random_arrangement

_DRAWN: Final = 60
"""Arrangements to choose from: so few that games differ, and so many that none is weak."""
_FRONT: Final = 4
"""The first of the second rank in an arrangement, which stands in front."""


def solid_arrangement(seat: int, random: Random) -> Arrangement:
    """Return the most solid of many arrangements; another ``random`` draws others."""
    return max((random_arrangement(seat, random) for _ in range(_DRAWN)), key=lambda drawn: _solidity(drawn, seat))


def _solidity(arrangement: Arrangement, seat: int) -> int:
    """Return how little of an arrangement a jump could take, as a number to compare.

    A jumper shows one colour to all it jumps, so two neighbours cannot be taken together if they show it different
    ones. A piece that looks the same from every side cannot turn away, and stands better in the back.
    """
    squares = SET_UP_SQUARES[seat]
    standing = list(zip(squares, arrangement.pieces, strict=True))
    apart = sum(_differ(one, two, abs(here - there)) for (here, one), (there, two) in combinations(standing, 2))
    return apart - sum(piece.first is None for piece in arrangement.pieces[_FRONT:])


def _differ(one: Piece, two: Piece, distance: int) -> int:
    """Return from how many sides two neighbours show different colours to a jumper that would go over both."""
    sides = {1: (1, 3), 8: (0 if one.owner == WHITE else 2,)}.get(distance, ())
    return sum(one.colour_of_side(side) != two.colour_of_side(side) for side in sides)
