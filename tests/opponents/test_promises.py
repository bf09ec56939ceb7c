"""The promises of the lowest levels, in few games: no step is surely a wall, none is surely flat.

The page of the ladder has the many games that keep a promise. These are as many as it takes to see one broken by far.
"""

from __future__ import annotations

import pytest

from bot.opponents.ladder.matches import LadderPairing, LadderRound, LadderStanding, pairings

CHEAP = (
    ("rectangles", "6x6", 7, 40),
    ("yonmoque", "standard", 6, 40),
    ("gyges", "fogliaccio", 3, 20),
    ("redtangle", "standard", 3, 16),
    ("redo", "standard", 3, 12),
)
"""Games in their usual variant, up to which level they take little time, and how many games show enough."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant", "highest", "games"), CHEAP, ids=[case[0] for case in CHEAP])
def test_low_levels_are_steps_a_person_can_climb(game: str, variant: str, highest: int, games: int) -> None:
    levels = {f"level {n}" for n in range(1, highest + 1)}
    for pairing in pairings(game, variant):
        if pairing.first in levels and pairing.second in levels | {"novice"}:
            points = 0.0
            for number in range(games):
                points += LadderRound(pairing, number).score()
                if not may_break(pairing, points, games, games - number - 1):
                    break
            else:
                low, high = LadderStanding(pairing, games, points).interval
                assert low <= pairing.ceiling, f"{pairing} is a wall"
                assert high >= pairing.floor, f"{pairing} is flat"


def may_break(pairing: LadderPairing, points: float, games: int, left: int) -> bool:
    """Tell whether the games left could still show that a step is a wall or flat."""
    low, _ = LadderStanding(pairing, games, points + left).interval
    _, high = LadderStanding(pairing, games, points).interval
    return low > pairing.ceiling or high < pairing.floor


def test_a_step_is_judged_as_soon_as_the_games_left_change_nothing() -> None:
    pairing = LadderPairing("redo", "standard", "level 2", "level 1", 0.6, 0.9)
    assert may_break(pairing, 17, 40, 17)
    assert not may_break(pairing, 18, 40, 16)
    assert may_break(pairing, 20, 40, 20)
