"""A win on time that is not claimed: the others are told twice, and then the match ends as if it had been claimed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import matches
from bot.storage.records import MatchState
from tests.matches.conftest import ALICE, GUILD, YONMOQUE, Crowd

DAY = 86400


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
