"""The promises of the lowest levels, in few games: no step is surely a wall, none is surely flat.

The page of the ladder has the many games that keep a promise. These are as many as it takes to see one broken by far.
"""

from __future__ import annotations

import pytest

from bot.opponents.ladder.matches import LadderRound, LadderStanding, pairings

CHEAP = (
    ("rectangles", "6x6", 6, 40),
    ("yonmoque", "standard", 5, 40),
    ("gyges", "fogliaccio", 3, 20),
    ("redtangle", "standard", 3, 12),
    ("redo", "standard", 2, 10),
)
"""Games in their usual variant, up to which level they take little time, and how many games show enough."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant", "highest", "games"), CHEAP, ids=[case[0] for case in CHEAP])
def test_low_levels_are_steps_a_person_can_climb(game: str, variant: str, highest: int, games: int) -> None:
    levels = {f"level {n}" for n in range(1, highest + 1)}
    for pairing in pairings(game, variant):
        if pairing.first in levels and pairing.second in levels | {"novice"}:
            points = sum(LadderRound(pairing, number).score() for number in range(games))
            low, high = LadderStanding(pairing, games, points).interval
            assert low <= pairing.ceiling, f"{pairing} is a wall"
            assert high >= pairing.floor, f"{pairing} is flat"
