"""Abandoned matches against a computer player: one reminder, then closed without a loss."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.matches.audit import audit
from bot.matches.model import match_record
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.matches.writing.clocks import CLOSED_AFTER, REMINDED_AFTER
from bot.storage import tables
from bot.storage.records import First, Match, MatchState, Person
from tests.matches.against_computer import COMPUTER_BEGINS, DAY, against, due, imported, replied
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd


async def what_is_due(crowd: Crowd) -> None:
    """Do what the scheduler does when something falls due."""
    await crowd.services.forfeits.remind()
    await crowd.services.forfeits.notice_late()


async def reminders(crowd: Crowd) -> list[int]:
    """Return the plies at which a reminder is posted."""
    query = select(tables.outbox.c.payload).where(tables.outbox.c.kind == "reminder").order_by(tables.outbox.c.id)
    async with crowd.database.read() as tx:
        return [payload["ply"] for payload in (await tx.execute(query)).scalars()]


async def left_for(crowd: Crowd, match_id: int, *days: float) -> Match:
    """Let the given days pass, doing what is due after each; return the match after that."""
    for each in days:
        crowd.later(days=each)
        await what_is_due(crowd)
    return await crowd.match(match_id)


async def test_an_abandoned_match_gets_one_reminder_and_is_then_closed_without_a_loss(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    await replied(crowd)
    assert (await left_for(crowd, match_id, 6.9)).state is MatchState.RUNNING
    assert await reminders(crowd) == []
    assert (await left_for(crowd, match_id, 0.2, 10, 12.8)).state is MatchState.RUNNING
    assert await reminders(crowd) == [2]
    match = await left_for(crowd, match_id, 0.2)
    assert (match.state, match.reason, match.deadline_at) == (MatchState.OVER, "put away", None)
    assert [seat.won for seat in match.seats] == [None, None]
    assert await audit(crowd.database) == []
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert (profile.records, profile.streak, profile.running) == ({}, 0, 0)
    record = match_record.read(match_record.write(match, await crowd.moves(match_id)))
    assert record.game_state.result is not None
    assert record.game_state.result.reason == "put away"
    assert await crowd.services.rematches.ask(GUILD, match_id, ALICE, crowd.interaction()) is not None


async def test_a_move_restarts_the_wait_and_is_in_time_until_the_match_is_closed(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await left_for(crowd, match_id, 20)
    await crowd.play(match_id, "c3")
    assert (await crowd.match(match_id)).deadline_at is None
    await replied(crowd)
    match = await left_for(crowd, match_id, 29)
    assert match.deadline_at == crowd.now + timedelta(days=1)
    assert await reminders(crowd) == [0, 2]
    crowd.later(days=2)
    await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


async def test_without_a_time_limit_nothing_is_claimed_or_lost_on_time(crowd: Crowd) -> None:
    match_id = await against(crowd, COMPUTER_BEGINS)
    assert (await crowd.match(match_id)).time_ends_at is None
    await replied(crowd)
    match = await crowd.match(match_id)
    assert (match.time_ends_at, match.deadline_at) == (None, crowd.now + CLOSED_AFTER)
    await crowd.play(match_id, "a1")
    assert (await due(crowd)).ply == 2
    with pytest.raises(Refusal, match="no time limit"):
        await crowd.services.forfeits.claim(crowd.request(match_id, ALICE))


async def test_the_wait_for_a_person_who_is_away_begins_with_their_return(crowd: Crowd) -> None:
    before = await against(crowd)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=10))
    during = await against(crowd)
    for match_id in (before, during):
        match = await crowd.match(match_id)
        assert match.deadline_at == crowd.now + timedelta(days=10) + CLOSED_AFTER
        assert match.remind_at == crowd.now + timedelta(days=10) + REMINDED_AFTER


@pytest.mark.parametrize("first", [(ALICE, BOB), (BOB, ALICE)])
async def test_the_wait_for_the_last_person_begins_when_others_leave(
    crowd: Crowd, first: tuple[Person, Person]
) -> None:
    challenge_id = await crowd.offer(by=first[0], terms=Terms("rectangles", "6x6", 3, First.CHALLENGER))
    await crowd.services.challenges.accept(GUILD, challenge_id, first[1], crowd.interaction())
    seating = crowd.services.computer_opponents.seat(GUILD, challenge_id, first[0], 1, (), crowd.interaction())
    match_id = (await seating).match_id
    assert match_id is not None
    assert (await left_for(crowd, match_id, 40)).deadline_at is None
    await crowd.resign(match_id, BOB)
    match = await crowd.match(match_id)
    assert (match.movers[0].person, match.deadline_at) == (ALICE, crowd.now + CLOSED_AFTER)
    assert (await left_for(crowd, match_id, 8, 23)).reason == "put away"


async def test_the_wait_in_an_imported_match_of_one_person_begins_with_the_import(
    crowd: Crowd,
) -> None:
    match_id = await imported(crowd, ("1, Alice", "level 1, Tavoliere"), "c3", "a1")
    assert (await left_for(crowd, match_id, 8, 21)).state is MatchState.RUNNING
    assert await reminders(crowd) == [2]
    assert (await left_for(crowd, match_id, 2)).reason == "put away"


async def test_where_the_bot_was_removed_nothing_is_closed_and_the_wait_goes_on_afterwards(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.services.membership.bot_left(GUILD)
    assert (await left_for(crowd, match_id, 60)).state is MatchState.RUNNING
    await crowd.services.membership.bot_returned(GUILD)
    assert (await crowd.match(match_id)).deadline_at == crowd.now + CLOSED_AFTER


async def test_between_people_without_a_pace_no_match_is_closed(crowd: Crowd) -> None:
    between_people = await crowd.begin()
    timed = await against(crowd, replace(YONMOQUE, pace=DAY))
    assert (await crowd.match(between_people)).deadline_at is None
    assert (await left_for(crowd, timed, 40)).reason == "out of time"
    assert (await crowd.match(between_people)).state is MatchState.RUNNING
