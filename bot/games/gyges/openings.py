"""Set-ups of Gygès for computer players: good ones, and others from one game to the next."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.games.gyges.board import SOUTH
from bot.games.gyges.notation import Turn
from bot.games.gyges.rules import GygesPosition, SetUp
from bot.games.gyges.search import GygesState

_CONSIDERED: Final = 24
_GOOD: Final = 5
"""How many of those considered are good enough to be played."""
_EXPECTED: Final = Turn("321123")
"""What South takes North to answer."""


def good_set_up(position: SetUp, random: Random) -> Turn:
    """Return one of the better of some arrangements drawn with ``random``, as the first position is judged."""
    considered = random.sample(list(position.legal_moves()), _CONSIDERED)
    ranked = sorted(considered, key=lambda turn: _worth_to_south(position, turn), reverse=position.side == SOUTH)
    return random.choice(ranked[:_GOOD])


def _worth_to_south(position: SetUp, turn: Turn) -> int:
    after = position.play(turn)
    if isinstance(after, SetUp):
        after = after.play(_EXPECTED)
    assert isinstance(after, GygesPosition)
    return GygesState(after).evaluate()
