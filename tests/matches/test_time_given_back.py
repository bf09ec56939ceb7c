"""What time that is given back to clocks changes beside them, and what it leaves alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches import downtime
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks
from bot.storage import due, matches, running_clocks, tables
from bot.storage.records import MatchState
from bot.storage.running_clocks import Credit
from tests.matches.against_computer import COMPUTER_BEGINS, against, replied
from tests.matches.conftest import BOB, GUILD, Crowd
from tests.matches.test_downtime import DAY, HOUR, TIMED, Machine, time_left
from tests.support.without_grace import without_grace  # noqa: F401


async def version(crowd: Crowd, match_id: int) -> str:
    """Return the text by whose change open pages know that a match has changed."""
    return (await crowd.services.read(matches.versions, [match_id]))[match_id]


async def test_downtime_leaves_the_days_of_open_challenges_alone(crowd: Crowd) -> None:
    machine, challenge_id = Machine(crowd), await crowd.offer()
    before = (await crowd.challenge(challenge_id)).expires_at
    await machine.downtime.credit_downtime()
    machine.run_on(30 * HOUR)
    await machine.downtime.credit_missed()
    assert (await crowd.challenge(challenge_id)).expires_at == before


async def test_open_pages_are_told_of_time_that_is_given_back(crowd: Crowd) -> None:
    machine, match_id = Machine(crowd), await crowd.begin(terms=TIMED)
    await machine.downtime.credit_downtime()
    before = await version(crowd, match_id)
    machine.run_on(30 * HOUR)
    await machine.downtime.credit_missed()
    assert await version(crowd, match_id) != before


@pytest.mark.parametrize("noticed", [False, True], ids=["claimed", "noticed"])
async def test_time_that_is_given_back_while_a_loss_is_worked_out_is_not_lost(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch, noticed: bool
) -> None:
    match_id = await crowd.begin(terms=TIMED)
    crowd.now += timedelta(days=2)
    compute = ServiceContext.compute

    async def given_back(context: ServiceContext, *work: Any) -> Any:
        async with crowd.database.write() as tx:
            await matches.change(tx, match_id, deadline_at=crowd.now + HOUR)
        return await compute(context, *work)

    monkeypatch.setattr(ServiceContext, "compute", given_back)
    forfeits = crowd.services.forfeits
    if noticed:
        assert not await forfeits.time_out(match_id)
    else:
        with pytest.raises(Refusal, match="still has time left"):
            await forfeits.claim_win(*crowd.request(match_id, BOB))
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


async def test_after_a_late_move_the_time_of_the_next_person_is_watched_again(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TIMED)
    crowd.later(hours=25)
    await crowd.services.forfeits.notice_late()
    assert (await crowd.match(match_id)).flagged
    await crowd.play(match_id, "c3")
    assert not (await crowd.match(match_id)).flagged
    crowd.later(hours=25)
    await crowd.services.forfeits.notice_late()
    assert (await crowd.match(match_id)).flagged


async def test_a_move_since_reminders_were_looked_for_leaves_nobody_to_be_reminded(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await crowd.begin(terms=TIMED)
    crowd.later(hours=19)
    to_remind = due.to_remind

    async def before_a_move(*asked: Any) -> list[int]:
        found = list(await to_remind(*asked))
        await crowd.play(match_id, "c3")
        return found

    monkeypatch.setattr(due, "to_remind", before_a_move)
    await crowd.services.forfeits.remind()
    assert (await crowd.match(match_id)).remind_at is not None
    assert await crowd.queued("reminder") == []


async def test_who_is_out_of_time_is_no_longer_reminded_that_it_runs_out(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TIMED)
    crowd.later(hours=24)
    await crowd.services.forfeits.remind()
    assert (await crowd.match(match_id)).remind_at is None
    assert await crowd.queued("reminder") == []


async def test_time_is_up_at_the_deadline_itself_and_not_a_moment_before(crowd: Crowd) -> None:
    early, moved = await crowd.begin(terms=TIMED), await crowd.begin(terms=TIMED)
    forfeits, moment = crowd.services.forfeits, timedelta(microseconds=1)
    crowd.now += timedelta(days=1) - moment
    await forfeits.notice_late()
    assert not (await crowd.match(early)).flagged
    with pytest.raises(Refusal, match="still has time left"):
        await forfeits.claim_win(*crowd.request(early, BOB))
    crowd.now += moment
    await forfeits.notice_late()
    assert (await crowd.match(early)).flagged
    await forfeits.claim_win(*crowd.request(early, BOB))
    assert (await crowd.match(early)).reason == "out of time"
    await crowd.services.server_settings.change(GUILD, lambda before: replace(before, automatic=True, grace=False))
    with pytest.raises(Refusal):
        await crowd.play(moved, "c3")


async def test_the_card_of_a_challenge_names_the_new_day_once_the_machine_s_clock_was_set(crowd: Crowd) -> None:
    machine, challenge_id = Machine(crowd), await crowd.offer()
    await machine.downtime.credit_downtime()

    async def cards() -> int:
        return len(await crowd.queued("card"))

    before = (await crowd.challenge(challenge_id)).expires_at, await cards()
    machine.set_clock(timedelta(minutes=30))
    await machine.downtime.credit_missed()
    assert (await crowd.challenge(challenge_id)).expires_at != before[0]
    assert await cards() == before[1], "not for half an hour of seven days"
    machine.set_clock(timedelta(days=1))
    await machine.downtime.credit_missed()
    assert await cards() == before[1] + 1


async def test_little_time_given_back_adds_up_until_messages_are_put_right(crowd: Crowd) -> None:
    await crowd.begin(terms=TIMED)
    told = []
    for _ in range(5):
        since = crowd.now
        crowd.later(minutes=10)
        async with crowd.database.write() as tx:
            await clocks.shift(tx, running_clocks.of_server(GUILD), since, crowd.now, crowd.now)
            edits = select(tables.outbox.c.created_at).where(tables.outbox.c.kind == "deadline")
            told.append(list((await tx.execute(edits)).scalars()) == [crowd.now])
    assert told == [False, True, False, True, False], "a hundredth of the day that is left is a quarter of an hour"


async def test_a_typed_move_is_played_though_the_clock_was_set_back_since_the_one_before(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await crowd.play(match_id, "a1")
    crowd.later(hours=-1)
    await crowd.play(match_id, "a5", players=(BOB,))
    assert (await crowd.match(match_id)).ply == 2


@pytest.mark.parametrize("set_back", [False, True], ids=["outage", "set back"])
async def test_of_the_first_minute_of_a_live_match_no_downtime_takes_anything(crowd: Crowd, set_back: bool) -> None:
    machine = Machine(crowd)
    await machine.downtime.credit_downtime()
    minute = timedelta(minutes=1)
    match_id = await crowd.begin(terms=replace(TIMED, pace=600))
    crowd.now -= minute  # it has just begun
    machine.run_on(minute / 4)
    await machine.downtime.credit_missed()
    if set_back:
        machine.set_clock(-5 * HOUR)
    else:
        await machine.downtime.beat()
        machine.run_on(5 * HOUR)
    await crowd.play(match_id, "c3")
    assert await time_left(crowd, match_id) == 10 * minute + minute * 3 / 4


class Killed(BaseException):
    """The end of a process."""


async def after_an_outage(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> tuple[Machine, list[int]]:
    """Return a machine that was suspended for 30 hours, with five matches to which time is given back in parts."""
    monkeypatch.setattr(downtime, "MATCHES_AT_ONCE", 2)
    machine, begun = Machine(crowd), [await crowd.begin(terms=TIMED) for _ in range(5)]
    await machine.downtime.credit_downtime()
    machine.run_on(30 * HOUR)
    return machine, begun


async def test_a_bot_that_is_killed_while_it_gives_time_back_goes_on_where_it_stopped(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, begun = await after_an_outage(crowd, monkeypatch)
    note_part, parts = running_clocks.note_part, []

    async def killed_in_the_second_part(tx: AsyncConnection, credit: Credit) -> None:
        parts.append(credit.up_to)
        if len(parts) == 2:
            raise Killed
        await note_part(tx, credit)

    monkeypatch.setattr(running_clocks, "note_part", killed_in_the_second_part)
    with pytest.raises(Killed):
        await machine.downtime.credit_missed()
    monkeypatch.setattr(running_clocks, "note_part", note_part)
    left = [await time_left(crowd, match_id) for match_id in begun]
    assert left == [DAY, DAY, *3 * [DAY - 30 * HOUR]]
    again = Machine(crowd)
    again.run_on(HOUR)
    await again.downtime.credit_downtime()
    assert {await time_left(crowd, match_id) for match_id in begun} == {DAY}


async def test_parts_are_larger_at_the_start_before_anybody_plays(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, begun = await after_an_outage(crowd, monkeypatch)
    monkeypatch.setattr(downtime, "BEFORE_PLAY", 3)
    note_part, parts = running_clocks.note_part, list[int]()

    async def noted(tx: AsyncConnection, credit: Credit) -> None:
        parts.append(credit.up_to)
        await note_part(tx, credit)

    monkeypatch.setattr(running_clocks, "note_part", noted)
    await machine.downtime.credit_missed()
    assert parts == [begun[1], begun[3], begun[4]]
    parts.clear()
    again = Machine(crowd)
    again.run_on(HOUR)
    await again.downtime.credit_downtime()
    assert parts == [begun[2], begun[4]]


async def test_a_turn_waits_for_its_own_match_alone_while_time_is_given_back(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, begun = await after_an_outage(crowd, monkeypatch)
    first_done, others, credit_part = asyncio.Event(), asyncio.Event(), machine.downtime._credit_part

    async def stops_after_the_first(credit: Credit, at_once: int) -> Credit | None:
        if credit.up_to:
            first_done.set()
            await others.wait()
        return await credit_part(credit, at_once)

    monkeypatch.setattr(machine.downtime, "_credit_part", stops_after_the_first)
    crediting = asyncio.create_task(machine.downtime.credit_missed())
    await first_done.wait()
    await crowd.play(begun[1], "c3")
    late = asyncio.create_task(crowd.play(begun[4], "c3"))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not late.done()
    others.set()
    await asyncio.gather(crediting, late)
    assert {await time_left(crowd, match_id) for match_id in begun} == {DAY}


async def test_a_reply_of_a_computer_player_waits_for_its_match_too(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(crowd)
    match_id = await against(crowd, replace(COMPUTER_BEGINS, pace=TIMED.pace))
    await machine.downtime.credit_downtime()
    machine.run_on(30 * HOUR)
    credit_part = machine.downtime._credit_part

    async def replied_meanwhile(credit: Credit, at_once: int) -> Credit | None:
        replies.append(asyncio.create_task(replied(crowd)))
        for _ in range(100):
            await asyncio.sleep(0.001)
        return await credit_part(credit, at_once)

    replies: list[asyncio.Task[None]] = []
    monkeypatch.setattr(machine.downtime, "_credit_part", replied_meanwhile)
    await machine.downtime.credit_missed()
    await asyncio.gather(*replies)
    assert await time_left(crowd, match_id) == DAY


async def test_time_spent_giving_time_back_is_not_given_back_itself(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, begun = await after_an_outage(crowd, monkeypatch)
    note_part = running_clocks.note_part

    async def for_six_seconds(tx: AsyncConnection, credit: Credit) -> None:
        machine.run_on(timedelta(seconds=6))
        await note_part(tx, credit)

    monkeypatch.setattr(running_clocks, "note_part", for_six_seconds)
    await machine.downtime.credit_missed()
    await machine.downtime.credit_missed()
    assert {await time_left(crowd, match_id) for match_id in begun} == {DAY - 3 * timedelta(seconds=6)}


async def test_while_discord_is_out_of_reach_the_time_of_giving_back_is_given_back_too(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    _machine, begun = await after_an_outage(crowd, monkeypatch)
    again, note_part = Machine(crowd), running_clocks.note_part
    again.downtime.disconnected()

    async def for_half_a_second(tx: AsyncConnection, credit: Credit) -> None:
        again.run_on(timedelta(seconds=0.5))
        await note_part(tx, credit)

    monkeypatch.setattr(running_clocks, "note_part", for_half_a_second)
    await again.downtime.credit_downtime()
    monkeypatch.setattr(running_clocks, "note_part", note_part)
    again.run_on(timedelta(seconds=10))
    again.downtime.connected()
    await again.downtime.credit_missed()
    assert {await time_left(crowd, match_id) for match_id in begun} == {DAY}


async def test_downtime_of_which_nobody_knew_whether_it_was_noted_is_given_back_once(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, begun = await after_an_outage(crowd, monkeypatch)
    note_credit = machine.downtime._note_credit

    def cut_off(*_noted: object) -> None:
        monkeypatch.setattr(machine.downtime, "_note_credit", note_credit)
        raise Killed

    monkeypatch.setattr(machine.downtime, "_note_credit", cut_off)
    with pytest.raises(Killed):
        await machine.downtime.credit_missed()
    await machine.downtime.credit_missed()
    assert {await time_left(crowd, match_id) for match_id in begun} == {DAY}
