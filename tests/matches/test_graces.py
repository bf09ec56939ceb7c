"""Before and after a loss on time: days away that are spent by themselves, and wins that stay unclaimed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.matches.model.pace import Pace
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY, HOUR
from bot.matches.services.absences import AWAY_BUDGET, time_left
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import matches
from bot.storage.records import MatchState
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd

DAYS = replace(YONMOQUE, pace=DAY)
A_DAY = timedelta(days=1)


async def left(crowd: Crowd) -> timedelta:
    return await crowd.services.read(time_left, ALICE.id, crowd.now)


async def late(crowd: Crowd, match_id: int) -> None:
    """Let the time of a match run out, and have it noticed."""
    deadline = (await crowd.match(match_id)).deadline_at
    assert deadline is not None
    crowd.now = deadline + timedelta(seconds=1)
    await crowd.services.forfeits.notice_late()


async def automatic(crowd: Crowd) -> None:
    await crowd.services.server_settings.change(GUILD, lambda before: replace(before, automatic=True))


async def test_two_days_away_are_spent_before_a_match_is_lost(crowd: Crowd) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=DAYS)
    for spent in (1, 2):
        await late(crowd, match_id)
        match = await crowd.match(match_id)
        assert (match.state, match.graces, match.deadline_at) == (MatchState.RUNNING, spent, crowd.now + A_DAY)
        assert await left(crowd) == AWAY_BUDGET - spent * A_DAY
    await late(crowd, match_id)
    assert (await crowd.match(match_id)).state is MatchState.OVER


async def test_a_move_after_a_grace_makes_room_for_others(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    await late(crowd, match_id)
    await crowd.play(match_id, "a1")
    match = await crowd.match(match_id)
    assert (match.graces, match.deadline_at) == (0, crowd.now + A_DAY)


async def test_where_wins_are_claimed_a_grace_comes_before_the_claim(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    deadline = (await crowd.match(match_id)).deadline_at
    assert deadline is not None
    crowd.now = deadline
    with pytest.raises(Refusal, match="still has time left"):
        await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))
    assert (await crowd.match(match_id)).graces == 1
    await late(crowd, match_id)
    assert not (await crowd.match(match_id)).flagged
    await late(crowd, match_id)
    assert (await crowd.match(match_id)).flagged
    assert await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))


async def test_a_move_a_moment_late_is_played_where_a_day_is_left(crowd: Crowd) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=DAYS)
    deadline = (await crowd.match(match_id)).deadline_at
    assert deadline is not None
    crowd.now = deadline + timedelta(seconds=1)
    await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).ply == 1
    assert await left(crowd) == AWAY_BUDGET - A_DAY


async def test_a_day_that_is_spent_serves_all_matches_is_told_once_and_stops_no_other_clock(crowd: Crowd) -> None:
    ids = [await crowd.begin(terms=DAYS) for _ in range(3)]
    later = await crowd.begin(terms=replace(DAYS, pace=3 * DAY))
    before = (await crowd.match(later)).deadline_at
    await late(crowd, ids[0])
    assert [(await crowd.match(match_id)).graces for match_id in ids] == [1, 1, 1]
    assert len(await crowd.queued(MessageKind.GRACE)) == 1
    assert await left(crowd) == AWAY_BUDGET - A_DAY
    assert (await crowd.match(later)).deadline_at == before
    assert await crowd.services.absences.absence(ALICE.id) is None


async def test_a_grace_adds_nothing_to_a_bank(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=YONMOQUE.at(Pace(2 * DAY, HOUR)))
    await late(crowd, match_id)
    await crowd.play(match_id, "a1", "a2")
    deadline = (await crowd.match(match_id)).deadline_at
    assert deadline == crowd.now + timedelta(hours=1)


async def test_another_pace_in_a_grace_gives_whole_banks(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    await late(crowd, match_id)
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pace(*crowd.request(match_id, person), Pace(5 * DAY, HOUR))
    await crowd.play(match_id, "a1")
    match = await crowd.match(match_id)
    assert (match.graces, match.seats[0].bank) == (0, None)


async def test_without_a_day_left_there_is_no_grace(crowd: Crowd) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=DAYS)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + AWAY_BUDGET)
    crowd.later(days=AWAY_BUDGET.days)
    await late(crowd, match_id)
    assert (await crowd.match(match_id)).state is MatchState.OVER


async def test_the_board_and_the_person_are_told_once_of_each_day(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    await late(crowd, match_id)
    await crowd.services.forfeits.notice_late()
    assert [len(await crowd.queued(kind)) for kind in (MessageKind.GRACE, MessageKind.GRACE_BOARD)] == [1, 1]


async def test_no_day_is_spent_for_who_wants_none(crowd: Crowd) -> None:
    await automatic(crowd)
    await crowd.services.personal_settings.prefer(ALICE.id, lambda before: replace(before, graces=False))
    match_id = await crowd.begin(terms=DAYS)
    await late(crowd, match_id)
    assert (await crowd.match(match_id)).state is MatchState.OVER
    assert await left(crowd) == AWAY_BUDGET


async def _tick(crowd: Crowd, **time: float) -> None:
    crowd.later(**time)
    await crowd.services.forfeits.remind()
    await crowd.services.forfeits.notice_late()


async def test_a_win_that_nobody_claims_is_claimed_by_itself_after_two_weeks_told_twice(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=7 * DAY))
    await crowd.move_twice(match_id)
    for _ in range(3):  # two graces
        await _tick(crowd, days=7.1)
    late = await crowd.match(match_id)
    assert late.flagged
    assert late.claim_until is not None
    assert (late.claim_until - crowd.now).days == 14
    assert len(await crowd.queued(MessageKind.LATE)) == 1
    await _tick(crowd, days=12.1)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING
    assert len(await crowd.queued(MessageKind.LATE)) == 2
    await _tick(crowd, days=2)
    over = await crowd.match(match_id)
    assert (over.state, over.reason, over.seats[1].won) == (MatchState.OVER, "out of time", True)


async def test_where_the_bot_was_away_they_are_told_again_two_days_before_it_ends(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=7 * DAY))
    await crowd.move_twice(match_id)
    for _ in range(3):
        await _tick(crowd, days=7.1)
    await crowd.services.departures.bot_left(GUILD)
    await _tick(crowd, days=30)
    await crowd.services.departures.bot_returned(GUILD)
    await _tick(crowd, hours=1)
    again = await crowd.match(match_id)
    assert (again.state, len(await crowd.queued(MessageKind.LATE))) == (MatchState.RUNNING, 2)
    assert again.claim_until == crowd.now + timedelta(days=2)
    await _tick(crowd, days=1.9)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING
    await _tick(crowd, days=0.2)
    assert ((await crowd.match(match_id)).state, len(await crowd.queued(MessageKind.LATE))) == (MatchState.OVER, 2)


async def test_a_late_move_keeps_a_match_from_ending_by_itself(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=7 * DAY))
    for _ in range(3):
        await _tick(crowd, days=7.1)
    assert (await crowd.match(match_id)).flagged
    await _tick(crowd, days=13)
    await crowd.play(match_id, "a1", players=(ALICE,))
    assert (await crowd.match(match_id)).claim_until is None
    await _tick(crowd, days=2)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


async def test_a_match_whose_game_is_missing_at_the_second_notice_does_not_end_without_it(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=7 * DAY))
    await crowd.move_twice(match_id)
    for _ in range(3):
        await _tick(crowd, days=7.1)
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, rules=99)
    await _tick(crowd, days=12.1)
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, rules=1)
    await _tick(crowd, days=2.1)
    assert ((await crowd.match(match_id)).state, len(await crowd.queued(MessageKind.LATE))) == (MatchState.RUNNING, 2)
    await _tick(crowd, days=2.1)
    assert (await crowd.match(match_id)).state is MatchState.OVER
