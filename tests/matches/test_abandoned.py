"""Abandoned matches without a pace: against a computer player closed by themselves, between people by one of them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import discord
import pytest

from bot.matches.audit import audit
from bot.matches.model import match_record
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.matches.writing.clocks import CLOSABLE_AFTER, CLOSED_AFTER, REMINDED_AFTER
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages.notices import told_directly
from bot.storage.records import EntryKind, First, Match, MatchState, Person
from tests.matches.against_computer import COMPUTER_BEGINS, DAY, against, due, imported, replied
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.support.without_grace import without_grace  # noqa: F401


async def what_is_due(crowd: Crowd) -> None:
    """Do what the scheduler does when something falls due."""
    await crowd.services.forfeits.remind()
    await crowd.services.forfeits.notice_late()


async def reminders(crowd: Crowd) -> list[int]:
    """Return the plies at which a reminder is posted."""
    return [payload["ply"] for payload in await crowd.queued("reminder")]


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
    assert await crowd.services.rematches.ask(crowd.actor(ALICE), match_id) is not None


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
        await crowd.services.forfeits.claim_win(*crowd.request(match_id, ALICE))


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
    await crowd.services.challenges.accept(crowd.actor(first[1]), challenge_id)
    seating = crowd.services.computer_opponents.seat(crowd.actor(first[0]), challenge_id, 1, ())
    match_id = (await seating).match_id
    assert match_id is not None
    assert (await left_for(crowd, match_id, 40)).deadline_at == crowd.now + CLOSABLE_AFTER - timedelta(days=40)
    await crowd.resign(match_id, BOB)
    match = await crowd.match(match_id)
    assert (match.mover.person, match.deadline_at) == (ALICE, crowd.now + CLOSED_AFTER)
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
    await crowd.services.departures.bot_left(GUILD)
    assert (await left_for(crowd, match_id, 60)).state is MatchState.RUNNING
    await crowd.services.departures.bot_returned(GUILD)
    assert (await crowd.match(match_id)).deadline_at == crowd.now + CLOSED_AFTER


@pytest.mark.parametrize("closer", [ALICE, BOB])
async def test_either_closes_a_match_without_a_pace_that_lay_idle_for_sixty_days(crowd: Crowd, closer: Person) -> None:
    match_id = await crowd.begin()
    await crowd.move_twice(match_id)
    await crowd.services.server_settings.change(GUILD, lambda before: replace(before, automatic=True, grace=False))
    assert (await left_for(crowd, match_id, 52.9)).state is MatchState.RUNNING
    assert await reminders(crowd) == []
    await left_for(crowd, match_id, 0.2)
    assert await reminders(crowd) == [4], "told a week before"
    with pytest.raises(Refusal, match="still counts"):
        await crowd.services.forfeits.close(*crowd.request(match_id, closer))
    crowd.open()
    match = await left_for(crowd, match_id, 6.8, 0.2, 300)
    assert (match.state, match.lies_idle, len(await crowd.queued("late"))) == (MatchState.RUNNING, True, 1)
    with pytest.raises(Refusal, match="no time limit"):
        await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))
    await crowd.services.forfeits.close(*crowd.request(match_id, closer, 4))
    match = await crowd.match(match_id)
    assert (match.state, match.reason, match.deadline_at) == (MatchState.OVER, "put away", None)
    assert ([seat.won for seat in match.seats], await crowd.leaderboard()) == ([None, None], [])
    assert await audit(crowd.database) == []
    record = match_record.read(match_record.write(match, await crowd.moves(match_id)))
    assert record.game_state.result is not None
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, BOB.id)
    assert (profile.records, profile.against.games, profile.running) == ({}, 0, 0)
    await crowd.services.forfeits.close(*crowd.request(match_id, closer, 4))
    assert len(await crowd.moves(match_id)) == 5, "whose answer was lost asks again"


async def test_a_move_after_sixty_days_is_in_time_and_begins_the_wait_anew(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert (await left_for(crowd, match_id, 61)).lies_idle
    await crowd.play(match_id, "a1")
    match = await crowd.match(match_id)
    assert (match.lies_idle, match.deadline_at) == (False, crowd.now + CLOSABLE_AFTER)
    for person in (ALICE, BOB):
        with pytest.raises(Refusal, match="still counts"):
            await crowd.services.forfeits.close(*crowd.request(match_id, person))


async def test_two_who_close_a_match_at_once_close_it_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await left_for(crowd, match_id, 61)
    close = crowd.services.forfeits.close
    await asyncio.gather(*(close(*crowd.request(match_id, person, 0)) for person in (ALICE, BOB)))
    assert [entry.kind for entry in await crowd.moves(match_id)] == [EntryKind.CLOSED]


async def test_of_three_one_may_close_and_who_deletes_their_data_still_resigns(crowd: Crowd) -> None:
    match_id = await crowd.begin(CAROL, terms=Terms("rectangles", "6x6", 3, First.CHALLENGER))
    two = await crowd.begin()
    await left_for(crowd, match_id, 61)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    assert [seat.won for seat in (await crowd.match(two)).seats] == [False, True]
    match = await crowd.match(match_id)
    assert (match.mover.person, match.lies_idle, match.deadline_at) == (BOB, False, crowd.now + CLOSABLE_AFTER)
    await left_for(crowd, match_id, 61)
    await crowd.services.forfeits.close(*crowd.request(match_id, CAROL))
    assert (await crowd.match(match_id)).reason == "put away"


async def test_where_the_bot_was_removed_no_match_between_people_lies_idle(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.services.departures.bot_left(GUILD)
    await left_for(crowd, match_id, 61)
    await crowd.services.departures.bot_returned(GUILD)
    assert (await crowd.match(match_id)).deadline_at == crowd.now + CLOSABLE_AFTER


async def test_with_a_pace_nothing_is_closed(crowd: Crowd) -> None:
    timed = await against(crowd, replace(YONMOQUE, pace=DAY))
    assert (await left_for(crowd, timed, 40)).reason == "out of time"
    between_people = await crowd.begin(terms=replace(YONMOQUE, pace=DAY))
    await left_for(crowd, between_people, 100)
    with pytest.raises(Refusal, match="still counts"):
        await crowd.services.forfeits.close(*crowd.request(between_people, BOB))


def _words(kind: MessageKind, *told: Match) -> str:
    """Return what a direct message tells of matches."""
    view = told_directly(kind, told).view
    return "\n".join(item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))


async def test_directly_too_no_time_runs_out_where_there_is_no_limit(crowd: Crowd) -> None:
    """Both players may get that message, also who waits for the other."""
    match_id, alone = await crowd.begin(), await against(crowd)
    timed = await crowd.match(await crowd.begin(terms=replace(YONMOQUE, pace=DAY)))
    match = await left_for(crowd, match_id, 8)
    told = _words(MessageKind.REMINDER, await crowd.match(alone), timed)
    assert "Your time runs out in 1 match:\n- Yonmoque · match 3" in told
    assert "it's still your turn in **Yonmoque · match 2**. I'll close it" in told
    match = await left_for(crowd, match_id, 45.1)
    soon = _words(MessageKind.REMINDER, match)
    assert "Alice is still to move in **Yonmoque · match 1**" in soon
    assert "each of you can close it" in soon
    assert "runs out" not in soon
    late = _words(MessageKind.LATE, await left_for(crowd, match_id, 7))
    assert "Nobody has moved in **Yonmoque · match 1** for 60 days." in late
    assert "out of time" not in late
