"""Pauses by agreement: what stands, what ends them, and what else stops a clock meanwhile."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.matches.model.pace import parsed_pace
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY
from bot.matches.services.agreements import Answer
from bot.matches.writing import clocks
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import due, matches, tables
from bot.storage.records import OfferState, Person
from tests.matches.conftest import ALICE, BOB, CHANNEL, YONMOQUE, Crowd

DAYS = replace(YONMOQUE, pace=2 * DAY)


async def _paused(crowd: Crowd, days: int = 7) -> int:
    """Begin a match, and have its players agree on a pause a day later."""
    match_id = await crowd.begin(terms=DAYS)
    crowd.later(days=1)
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), days)
    return match_id


async def _left(crowd: Crowd, match_id: int) -> timedelta:
    match = await crowd.match(match_id)
    assert match.deadline_at is not None
    return match.deadline_at - crowd.now


async def test_in_a_pause_the_clock_stands_and_goes_on_when_it_is_over(crowd: Crowd) -> None:
    match_id = await _paused(crowd)
    assert (await crowd.match(match_id)).paused_until == crowd.now + timedelta(days=7)
    assert await _left(crowd, match_id) == timedelta(days=8)
    crowd.later(days=7)
    await crowd.services.forfeits.tell_held()
    assert (await crowd.match(match_id)).paused_until is None
    assert await _left(crowd, match_id) == timedelta(days=1)
    query = select(tables.outbox.c.id).where(tables.outbox.c.kind == MessageKind.TURN_LATER)
    async with crowd.database.read() as tx:
        assert len((await tx.execute(query)).all()) == 1


@pytest.mark.parametrize("person", [ALICE, BOB])
async def test_each_player_ends_a_pause(crowd: Crowd, person: Person) -> None:
    match_id = await _paused(crowd)
    crowd.later(days=3)
    await crowd.services.agreements.end_pause(*crowd.request(match_id, person))
    assert (await crowd.match(match_id)).paused_until is None
    assert await _left(crowd, match_id) == timedelta(days=1)
    with pytest.raises(Refusal, match="isn't paused"):
        await crowd.services.agreements.end_pause(*crowd.request(match_id, person))


async def test_a_move_ends_a_pause(crowd: Crowd) -> None:
    match_id = await _paused(crowd)
    await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).paused_until is None
    assert await _left(crowd, match_id) == timedelta(days=2)


async def test_a_pause_takes_nothing_from_a_bank(crowd: Crowd) -> None:
    pace = parsed_pace("2 days + 1 hour")
    assert pace is not None
    match_id = await crowd.begin(terms=YONMOQUE.at(pace))
    crowd.later(days=1)
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), 7)
    crowd.later(days=3)
    await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).seats[0].bank == DAY + 3600


@pytest.mark.parametrize("back", [False, True])
async def test_a_pause_and_an_absence_count_once_where_they_overlap(crowd: Crowd, back: bool) -> None:
    match_id = await _paused(crowd)
    crowd.later(days=1)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=10))
    assert await _left(crowd, match_id) == timedelta(days=11)
    if back:
        await crowd.services.absences.come_back(ALICE.id)
        assert await _left(crowd, match_id) == timedelta(days=7)
    else:
        await crowd.services.agreements.end_pause(*crowd.request(match_id, BOB))
        assert await _left(crowd, match_id) == timedelta(days=11)


async def test_an_outage_in_a_pause_gives_no_time_back(crowd: Crowd) -> None:
    match_id = await _paused(crowd)
    left = (await crowd.match(match_id)).deadline_at
    begun = crowd.now
    crowd.later(days=1)
    async with crowd.database.write() as tx:
        await clocks.shift(tx, await due.with_clock(tx), begun, crowd.now, crowd.now)
    assert (await crowd.match(match_id)).deadline_at == left


@pytest.mark.parametrize("terms", [YONMOQUE, YONMOQUE.at(parsed_pace("10 minutes + 30 seconds"))])
async def test_neither_untimed_nor_live_matches_are_paused(crowd: Crowd, terms: object) -> None:
    match_id = await crowd.begin(terms=terms)  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="Only a match of days"):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, ALICE), 3)


async def test_a_pause_is_two_weeks_at_the_longest(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    with pytest.raises(Refusal, match="two weeks"):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, ALICE), 15)


async def test_a_pause_is_offered_and_accepted_like_another_pace(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    assert await crowd.services.agreements.offer_pause(*crowd.request(match_id, BOB), 3) is OfferState.OPEN
    async with crowd.database.read() as tx:
        (offer,) = await matches.open_offers(tx, match_id)
    actor = crowd.actor(ALICE, channel_id=CHANNEL)
    assert await crowd.services.agreements.answer(actor, offer.id, Answer.ACCEPT) is OfferState.ACCEPTED
    assert (await crowd.match(match_id)).paused_until == crowd.now + timedelta(days=3)
    with pytest.raises(Refusal, match="paused already"):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, BOB), 3)


async def test_another_pace_ends_a_pause(crowd: Crowd) -> None:
    match_id = await _paused(crowd)
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pace(*crowd.request(match_id, person), parsed_pace("3 days"))
    assert (await crowd.match(match_id)).paused_until is None
    assert await _left(crowd, match_id) == timedelta(days=3)
    async with crowd.database.read() as tx:
        assert (await tx.execute(select(tables.held_turns))).all() == []


async def test_the_end_of_each_pause_of_a_turn_is_told(crowd: Crowd) -> None:
    match_id = await _paused(crowd, 1)
    crowd.later(hours=3)
    await crowd.services.agreements.end_pause(*crowd.request(match_id, BOB))
    crowd.later(hours=1)
    for person in (BOB, ALICE):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), 1)
    crowd.later(days=1)
    await crowd.services.forfeits.tell_held()
    query = select(tables.outbox.c.id).where(tables.outbox.c.kind == MessageKind.TURN_LATER)
    async with crowd.database.read() as tx:
        assert len((await tx.execute(query)).all()) == 2
