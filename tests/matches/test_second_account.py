"""A second account that loses again and again lifts nobody far, also when it deletes its data in between."""

from __future__ import annotations

import pytest

from bot.matches.audit import audit
from bot.matches.model.rating import points
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd

HONEST = 1830
"""About the points of a person who wins three of four against equals, after 210 games."""


async def lose(crowd: Crowd) -> float:
    """Have Bob lose to Alice, and return her points."""
    match_id = await crowd.begin(by=ALICE, to=BOB)
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, BOB)
    crowd.later(minutes=2)
    return next(points(one.mu) for one in await crowd.leaderboard("yonmoque") if one.user_id == ALICE.id)


@pytest.mark.parametrize("deletes", [False, True])
async def test_twenty_five_wins_against_one_account_lift_nobody_above_an_honest_player(
    crowd: Crowd, deletes: bool
) -> None:
    for _ in range(25):
        reached = await lose(crowd)
        if deletes:
            await crowd.services.privacy.erase(BOB, crowd.interaction())
    assert reached < HONEST
    assert await audit(crowd.database) == []
    match_id = await crowd.begin(by=ALICE, to=CAROL)
    await crowd.move_twice(match_id)
    await crowd.void(match_id)
    assert await audit(crowd.database) == []
