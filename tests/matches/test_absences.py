"""Being away: the clocks of a person stand, within a budget of days a year."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.storage.records import First
from tests.matches.conftest import ALICE, BOB, Crowd
from tests.support.without_grace import without_grace  # noqa: F401

DAY = timedelta(days=1)
A_DAY_A_MOVE = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)


async def test_a_clock_stands_until_the_return_and_others_go_on(crowd: Crowd) -> None:
    waiting, of_bob = await crowd.begin(terms=A_DAY_A_MOVE), await crowd.begin(terms=A_DAY_A_MOVE)
    await crowd.play(of_bob, "a1")
    assert await crowd.services.absences.leave_until(ALICE.id, crowd.now + 10 * DAY) == 11 * DAY
    assert (await crowd.match(waiting)).deadline_at == crowd.now + 11 * DAY
    assert (await crowd.match(of_bob)).deadline_at == crowd.now + DAY


async def test_a_turn_that_comes_to_somebody_away_begins_with_their_return(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=A_DAY_A_MOVE)
    back_at = crowd.now + 5 * DAY
    await crowd.services.absences.leave_until(BOB.id, back_at)
    crowd.later(hours=10)
    await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).deadline_at == back_at + DAY


async def test_coming_back_early_gives_the_rest_of_the_budget_back(crowd: Crowd) -> None:
    match_id, begun = await crowd.begin(terms=A_DAY_A_MOVE), crowd.now
    absences = crowd.services.absences
    await absences.leave_until(ALICE.id, crowd.now + 10 * DAY)
    crowd.later(days=2)
    await absences.come_back(ALICE.id)
    assert (await crowd.match(match_id)).deadline_at == begun + 3 * DAY
    with pytest.raises(Refusal, match="aren't away"):
        await absences.come_back(ALICE.id)
    with pytest.raises(Refusal, match=r"you have 19\.0 left"):
        await absences.leave_until(ALICE.id, crowd.now + 20 * DAY)
    assert await absences.leave_until(ALICE.id, crowd.now + 19 * DAY) == timedelta(0)


async def test_time_that_is_up_does_not_come_back_by_being_away(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=A_DAY_A_MOVE)
    deadline = (await crowd.match(match_id)).deadline_at
    crowd.later(days=1, seconds=1)
    absences = crowd.services.absences
    for _ in range(2):
        await absences.leave_until(ALICE.id, crowd.now + 10 * DAY)
        assert (await crowd.match(match_id)).deadline_at == deadline
        await absences.come_back(ALICE.id)
    crowd.later(days=4)
    await absences.leave_until(ALICE.id, crowd.now + 10 * DAY)
    assert await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))
