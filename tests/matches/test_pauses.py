"""Pauses by agreement and absences within a budget: what stops a clock, what ends that, and what else does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from bot.games import GAMES
from bot.matches.model.pace import parsed_pace
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.matches.writing import clocks
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import match_lists, mentions, tables
from bot.storage.records import First, MatchState, OfferState, Person
from tests.matches.conftest import ALICE, BOB, CHANNEL, GUILD, YONMOQUE, Crowd
from tests.matches.test_downtime import Machine
from tests.matches.test_plans import ENDS
from tests.matches.test_rest import WEEKEND
from tests.support.without_grace import without_grace  # noqa: F401

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
    assert len(await crowd.queued(MessageKind.TURN_LATER)) == 1


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


async def test_an_outage_gives_back_only_what_no_pause_stopped_anyway(crowd: Crowd) -> None:
    machine = Machine(crowd)
    through, within, without = [await crowd.begin(terms=DAYS) for _ in range(3)]
    await machine.downtime.credit_downtime()
    await machine.live(timedelta(days=1))
    for match_id, days in ((through, 7), (within, 1)):
        for person in (ALICE, BOB):
            await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), days)
    paused_until = (await crowd.match(through)).paused_until
    machine.run_on(timedelta(days=1, hours=6))
    await machine.downtime.credit_missed()
    await crowd.services.forfeits.tell_held()
    left = timedelta(days=1)
    assert await _left(crowd, through) == timedelta(days=6) - timedelta(hours=6) + left
    assert [await _left(crowd, match_id) for match_id in (within, without)] == [left, left]
    assert (await crowd.match(through)).paused_until == paused_until
    assert (await crowd.match(within)).paused_until is None


@pytest.mark.parametrize(("days", "left"), [(3, 1), (1, 2)], ids=["over", "paused"])
async def test_a_clock_that_goes_on_again_has_stood_in_its_pause_once(crowd: Crowd, days: int, left: int) -> None:
    match_id = await _paused(crowd, 2)
    stopped, going = crowd.now, crowd.now + timedelta(days=days)
    for at, rules in ((stopped, frozenset[tuple[str, int]]()), (going, GAMES.rules)):
        async with crowd.database.write() as tx:
            await clocks.compare_rules(tx, rules, at)
    crowd.now = going
    assert await _left(crowd, match_id) == timedelta(days=left)
    assert ((await crowd.match(match_id)).paused_until is None) == (days == 3)


async def test_a_pause_and_a_weekly_rest_count_once_where_they_overlap(crowd: Crowd) -> None:
    # The rest of the person to move begins on Friday at 23:00 and ends on Sunday at 23:00.
    crowd.now = datetime(2026, 1, 9, tzinfo=UTC)
    key, since = WEEKEND.key, crowd.now - timedelta(days=1)
    settings = crowd.services.personal_settings
    await settings.prefer(ALICE.id, lambda before: replace(before, rest=key, rest_from=since))
    match_id = await crowd.begin(terms=DAYS)
    assert await _left(crowd, match_id) == timedelta(days=4)
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), 2)
    # Until the pause is over, then until the rest is over, then the two days of the turn.
    assert await _left(crowd, match_id) == timedelta(days=2, hours=23) + timedelta(days=2)


async def _told_later(crowd: Crowd) -> int:
    """Let every pause run out, and return how many turns were told at the end of one."""
    crowd.later(days=20)
    await crowd.services.forfeits.tell_held()
    return len(await crowd.queued(MessageKind.TURN_LATER))


@pytest.mark.parametrize("end", ["a draw", "a resignation", "a deletion of data", "a voided match"])
async def test_the_end_of_a_match_ends_its_pause(crowd: Crowd, end: str) -> None:
    match_id = await _paused(crowd)
    await ENDS[end](crowd, match_id)
    assert (await crowd.match(match_id)).state is not MatchState.RUNNING
    assert await _told_later(crowd) == 0


async def test_a_move_taken_back_ends_a_pause(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    await crowd.play(match_id, "a1")
    assert await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE)) == "a1"
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), 7)
    (offer,) = await crowd.open_offers(match_id)
    await crowd.services.agreements.answer(crowd.actor(BOB), offer.id, Answer.ACCEPT)
    assert ((await crowd.match(match_id)).paused_until, await _left(crowd, match_id)) == (None, timedelta(days=2))
    assert await _told_later(crowd) == 0


@pytest.mark.parametrize(("away", "left"), [(1, 6), (10, 1)])
async def test_a_server_without_the_bot_takes_nothing_from_the_clock_nor_adds_to_it(
    crowd: Crowd, away: int, left: int
) -> None:
    match_id = await _paused(crowd)
    crowd.later(days=1)
    await crowd.services.departures.bot_left(GUILD)
    crowd.later(days=away)
    await crowd.services.departures.bot_returned(GUILD)
    assert await _left(crowd, match_id) == timedelta(days=left)
    assert await _told_later(crowd) == 1
    assert (await crowd.match(match_id)).paused_until is None


async def test_a_paused_match_neither_waits_nor_reminds(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    assert [one.id for one in await crowd.services.read(match_lists.waiting_since, ALICE.id, None)] == [match_id]
    before = await crowd.match(match_id)
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), 7)
    match = await crowd.match(match_id)
    assert (match.remind_at, before.remind_at) != (None, None)
    assert match.remind_at == (before.remind_at or crowd.now) + timedelta(days=7)
    async with crowd.database.read() as tx:
        assert await match_lists.waiting_since(tx, ALICE.id, None) == []
        assert await match_lists.next_for(tx, GUILD, ALICE.id, other_than=0) is None


async def test_a_pause_is_for_slow_matches_and_two_weeks_at_the_longest(crowd: Crowd) -> None:
    for terms, days, reason in ((DAYS, 15, "two weeks"), (YONMOQUE, 3, "Only a slow match")):
        match_id = await crowd.begin(terms=terms)
        with pytest.raises(Refusal, match=reason):
            await crowd.services.agreements.offer_pause(*crowd.request(match_id, ALICE), days)


async def test_a_pause_is_offered_and_accepted_like_another_pace(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)
    assert await crowd.services.agreements.offer_pause(*crowd.request(match_id, BOB), 3) is OfferState.OPEN
    (offer,) = await crowd.open_offers(match_id)
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
    assert len(await crowd.queued(MessageKind.TURN_LATER)) == 2


ONE_DAY = timedelta(days=1)
A_DAY_A_MOVE = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)


async def test_a_clock_stands_until_the_return_and_others_go_on(crowd: Crowd) -> None:
    waiting, of_bob = await crowd.begin(terms=A_DAY_A_MOVE), await crowd.begin(terms=A_DAY_A_MOVE)
    await crowd.play(of_bob, "a1")
    assert await crowd.services.absences.leave_until(ALICE.id, crowd.now + 10 * ONE_DAY) == 11 * ONE_DAY
    assert (await crowd.match(waiting)).deadline_at == crowd.now + 11 * ONE_DAY
    assert (await crowd.match(of_bob)).deadline_at == crowd.now + ONE_DAY


async def test_a_turn_that_comes_to_somebody_away_begins_with_their_return(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=A_DAY_A_MOVE)
    back_at = crowd.now + 5 * ONE_DAY
    await crowd.services.absences.leave_until(BOB.id, back_at)
    crowd.later(hours=10)
    await crowd.play(match_id, "a1")
    assert (await crowd.match(match_id)).deadline_at == back_at + ONE_DAY


async def test_coming_back_early_gives_the_rest_of_the_budget_back(crowd: Crowd) -> None:
    match_id, begun = await crowd.begin(terms=A_DAY_A_MOVE), crowd.now
    absences = crowd.services.absences
    await absences.leave_until(ALICE.id, crowd.now + 10 * ONE_DAY)
    crowd.later(days=2)
    await absences.come_back(ALICE.id)
    assert (await crowd.match(match_id)).deadline_at == begun + 3 * ONE_DAY
    with pytest.raises(Refusal, match="aren't away"):
        await absences.come_back(ALICE.id)
    with pytest.raises(Refusal, match=r"you have 19\.0 left"):
        await absences.leave_until(ALICE.id, crowd.now + 20 * ONE_DAY)
    assert await absences.leave_until(ALICE.id, crowd.now + 19 * ONE_DAY) == timedelta(0)


async def test_time_that_is_up_does_not_come_back_by_being_away(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=A_DAY_A_MOVE)
    deadline = (await crowd.match(match_id)).deadline_at
    crowd.later(days=1, seconds=1)
    absences = crowd.services.absences
    for _ in range(2):
        await absences.leave_until(ALICE.id, crowd.now + 10 * ONE_DAY)
        assert (await crowd.match(match_id)).deadline_at == deadline
        await absences.come_back(ALICE.id)
    crowd.later(days=4)
    await absences.leave_until(ALICE.id, crowd.now + 10 * ONE_DAY)
    assert await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))


async def test_who_was_mentioned_in_a_paused_match_owes_no_answer(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=DAYS)

    async def owes() -> bool:
        async with crowd.database.read() as tx:
            return await mentions.unanswered(tx, GUILD, ALICE.id)

    async with crowd.database.write() as tx:
        await mentions.note(tx, match_id, 0, crowd.now)
    assert await owes()
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_pause(*crowd.request(match_id, person), 7)
    assert not await owes()
    await crowd.services.agreements.end_pause(*crowd.request(match_id, BOB))
    assert await owes()
