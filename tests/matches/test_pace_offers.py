"""Another pace for a running match: offered, agreed upon, and what the clocks show then."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.matches.model.pace import Pace
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY, HOUR, MINUTE
from bot.matches.services.agreements import Answer
from bot.storage import matches
from bot.storage.records import OfferState, Person
from tests.matches.conftest import ALICE, BOB, YONMOQUE, Crowd

DAYS, EVENING = Pace(3 * DAY), Pace(6 * HOUR, HOUR)


async def begun(crowd: Crowd) -> int:
    return await crowd.begin(terms=YONMOQUE.at(DAYS))


async def offer(crowd: Crowd, match_id: int, person: Person, pace: Pace | None = EVENING) -> OfferState:
    return await crowd.services.agreements.offer_pace(*crowd.request(match_id, person), pace)


async def test_another_pace_needs_both(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    crowd.later(days=2)
    assert await offer(crowd, match_id, ALICE) is OfferState.OPEN
    match = await crowd.match(match_id)
    assert (Pace.of(match.pace, match.increment), match.deadline_at) == (DAYS, crowd.now + timedelta(days=1))
    (made,) = await crowd.open_offers(match_id)
    with pytest.raises(Refusal, match="your own offer"):
        await crowd.services.agreements.answer(crowd.actor(ALICE), made.id, Answer.ACCEPT)
    await crowd.services.agreements.answer(crowd.actor(BOB), made.id, Answer.ACCEPT)
    match = await crowd.match(match_id)
    assert (Pace.of(match.pace, match.increment), match.ply) == (EVENING, 0)
    assert match.deadline_at == crowd.now + timedelta(hours=6)
    assert match.remind_at == crowd.now + timedelta(hours=4.5)


async def test_each_begins_with_a_whole_bank(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=YONMOQUE.at(EVENING))
    crowd.later(hours=3)
    await crowd.play(match_id, "c3")
    await offer(crowd, match_id, ALICE, Pace(30 * MINUTE, MINUTE))
    assert await offer(crowd, match_id, BOB, Pace(30 * MINUTE, MINUTE)) is OfferState.ACCEPTED
    match = await crowd.match(match_id)
    assert ([seat.bank for seat in match.seats], match.deadline_at) == ([None, None], crowd.now + timedelta(minutes=31))


async def test_a_live_pace_is_offered_for_ten_minutes(crowd: Crowd) -> None:
    live, match_id = Pace(30 * MINUTE, MINUTE), await begun(crowd)
    assert await offer(crowd, match_id, ALICE, live) is OfferState.OPEN
    (made,) = await crowd.open_offers(match_id)
    crowd.later(minutes=10)
    with pytest.raises(Refusal, match="for ten minutes"):
        await crowd.services.agreements.answer(crowd.actor(BOB), made.id, Answer.ACCEPT)
    assert await crowd.open_offers(match_id) == []
    assert await offer(crowd, match_id, BOB, live) is OfferState.OPEN
    crowd.later(minutes=10)
    assert await offer(crowd, match_id, BOB, live) is OfferState.OPEN, "who offered it offers it again"
    crowd.later(minutes=9)
    assert await offer(crowd, match_id, ALICE, live) is OfferState.ACCEPTED


async def test_the_board_is_posted_again_with_the_new_time(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    async with crowd.database.write() as tx:
        await matches.put_board(tx, match_id, 20, 30, 0)
    await offer(crowd, match_id, ALICE)
    await offer(crowd, match_id, BOB)
    assert (await crowd.queued("board"))[-1] == {"match": match_id, "ply": 0, "notified": [0, 1], "instead_of": 30}


async def test_a_declined_pace_changes_nothing_and_is_offered_again_only_after_a_move(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, ALICE)
    (made,) = await crowd.open_offers(match_id)
    await crowd.services.agreements.answer(crowd.actor(BOB), made.id, Answer.DECLINE)
    with pytest.raises(Refusal, match="after the next move"):
        await offer(crowd, match_id, ALICE)
    match = await crowd.match(match_id)
    assert Pace.of(match.pace, match.increment) == DAYS
    await crowd.play(match_id, "c3")
    assert await offer(crowd, match_id, ALICE) is OfferState.OPEN


async def test_an_offer_lapses_with_the_next_move(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, BOB)
    await crowd.play(match_id, "c3")
    assert await crowd.open_offers(match_id) == []


async def test_a_different_pace_is_an_offer_of_its_own(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, ALICE)
    assert await offer(crowd, match_id, BOB, None) is OfferState.OPEN
    assert (await crowd.match(match_id)).pace == DAYS.seconds


async def test_both_may_agree_on_no_time_limit(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    await offer(crowd, match_id, ALICE, None)
    await offer(crowd, match_id, BOB, None)
    match = await crowd.match(match_id)
    assert (match.pace, match.increment, match.time_ends_at) == (None, None, None)


async def test_the_pace_of_a_match_is_not_offered_once_more(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    with pytest.raises(Refusal, match="already"):
        await offer(crowd, match_id, ALICE, DAYS)


async def test_a_move_that_found_the_match_before_the_change_counts_by_the_new_clock(crowd: Crowd) -> None:
    match_id = await begun(crowd)
    crowd.later(hours=1)
    read = await crowd.match(match_id)
    await offer(crowd, match_id, ALICE)
    await offer(crowd, match_id, BOB)
    crowd.later(hours=2)
    await crowd.services.turns.play(crowd.actor(ALICE), read, None, "c3")
    assert (await crowd.match(match_id)).seats[0].bank == 5 * HOUR


@pytest.mark.parametrize(("of", "why"), [({"cup_id": 1}, "the pace of the cup"), ({"ladder": True}, "keep their pace")])
async def test_a_match_of_a_cup_or_the_ladder_keeps_its_pace(crowd: Crowd, of: dict[str, Any], why: str) -> None:
    match_id = await begun(crowd)
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, **of)
    with pytest.raises(Refusal, match=why):
        await offer(crowd, match_id, ALICE)


async def test_the_first_minute_of_a_live_pace_costs_nothing(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=YONMOQUE.at(Pace(DAY)))
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pace(*crowd.request(match_id, person), Pace(600, 30))
    assert (await crowd.match(match_id)).deadline_at == crowd.now + timedelta(seconds=60 + 600)
