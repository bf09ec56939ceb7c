"""Downtime is given back to every clock exactly once, whatever its cause."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from inspect import isawaitable
from typing import Any

import pytest

from bot.matches.downtime import BEATS, MIN_GAP, Downtime
from bot.matches.due_scheduler import AFTER_FAILURE, DueScheduler
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.service_context import plain_idle
from bot.matches.services.eligibility import Terms
from bot.storage import guilds, matches
from bot.storage.records import First, MatchState
from bot.storage.shards import Shard
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd
from tests.support.without_grace import without_grace  # noqa: F401

HEARTBEAT, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BEAT = HEARTBEAT / BEATS
TIMED = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=int(DAY.total_seconds()))
HURRIED = replace(TIMED, pace=int(HOUR.total_seconds()))


class Machine:
    """A machine whose clock can be set, with its heartbeats."""

    def __init__(self, crowd: Crowd, beat: timedelta = HEARTBEAT) -> None:
        self.crowd = crowd
        self.seconds = 0.0
        self.beat = beat
        self.downtime = Downtime(crowd.services, beat, lambda: self.seconds)
        crowd.open(credit_missed=self.downtime.credit_missed)

    def run_on(self, time: timedelta) -> None:
        """Let time pass on every clock."""
        self.crowd.now += time
        self.seconds += time.total_seconds()

    def set_clock(self, by: timedelta) -> None:
        """Set the machine's clock, forward or back."""
        self.crowd.now += by

    async def live(self, time: timedelta) -> None:
        """Let time pass with heartbeats, as the scheduler keeps them."""
        for _ in range(time // self.beat):
            self.run_on(self.beat)
            await self.downtime.credit_missed()
            await self.downtime.beat()


@pytest.fixture
def machine(crowd: Crowd) -> Machine:
    return Machine(crowd)


async def time_left(crowd: Crowd, match_id: int) -> timedelta:
    deadline = (await crowd.match(match_id)).deadline_at
    assert deadline is not None
    return deadline - crowd.now


async def heartbeat(crowd: Crowd) -> datetime | None:
    return await crowd.services.read(guilds.last_heartbeat)


THEIRS = Shard((GUILD >> 22) % 2, 2)
OTHERS = Shard(1 - THEIRS.number, 2)
STEPS: dict[str, Callable[[Machine, timedelta], Any]] = {
    "live": Machine.live,
    "run": Machine.run_on,
    "set": Machine.set_clock,
    "lost": lambda machine, _: machine.downtime.disconnected(),
    "shard-lost": lambda machine, _: machine.downtime.connected([THEIRS]),
    "back": lambda machine, _: machine.downtime.connected(),
    "credit": lambda machine, _: machine.downtime.credit_missed(),
    "beat": lambda machine, _: machine.downtime.beat(),
    "start": lambda machine, _: machine.downtime.credit_downtime(),
}
"""What can happen: time that passes with heartbeats or without, a clock that is set, Discord lost, a process begun."""
AGAIN = f"run {MIN_GAP.total_seconds()}, lost, "
OUTAGES = {
    "none": ("live 10800", 21 * HOUR),
    "a suspension": ("run 108000, credit, credit, new, start", DAY),
    "one that stops the monotonic clock too": ("set 108000, credit", DAY),
    "one before a heartbeat": ("run 108000, beat, credit", DAY),
    "one before Discord is lost": ("run 108000, lost, back, credit", DAY),
    "hours without Discord": ("live 3600, lost, run 108000, lost, back, credit, credit", 23 * HOUR),
    "the end of the process without Discord": ("lost, run 36000, new, run 72000, start", DAY),
    "many tries to connect that fail at once": (f"lost, {100 * AGAIN}back, credit", DAY),
    "less than a heartbeat without Discord": ("lost, run 30, back, credit", DAY),
    "a moment, which is no downtime": ("live 3600, run 30, lost, run 2, back, credit", DAY - timedelta(seconds=3632)),
    "a shard, while the clock is set forward": ("shard-lost, run 60, set 18000, credit, back, credit", DAY),
    "all shards, of which one comes back later": (
        "shard-lost, live 3600, lost, run 3600, shard-lost, credit, live 3600, back, credit",
        DAY,
    ),
}
"""What happened, times in seconds, and what is left of a day then."""


@pytest.mark.parametrize("outage", OUTAGES)
async def test_what_an_outage_took_is_given_back_once(crowd: Crowd, machine: Machine, outage: str) -> None:
    script, left = OUTAGES[outage]
    match_id = await crowd.begin(terms=TIMED)
    await machine.downtime.credit_downtime()
    for step in script.split(", "):
        verb, _, seconds = step.partition(" ")
        if verb == "new":
            machine = Machine(crowd)
        else:
            done = STEPS[verb](machine, timedelta(seconds=float(seconds or 0)))
            if isawaitable(done):
                await done
    assert await time_left(crowd, match_id) == left


async def test_tasks_that_find_the_same_gap_at_once_credit_it_once(crowd: Crowd, machine: Machine) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await machine.downtime.credit_downtime()
    machine.run_on(30 * HOUR)
    await asyncio.gather(*(machine.downtime.credit_missed() for _ in range(3)), machine.downtime.beat())
    assert await time_left(crowd, match_id) == DAY


@pytest.mark.parametrize("by", [5 * HOUR, -5 * HOUR], ids=["forward", "back"])
async def test_setting_the_clock_takes_no_time_and_gives_none(crowd: Crowd, machine: Machine, by: timedelta) -> None:
    match_id, challenge_id = await crowd.begin(terms=TIMED), await crowd.offer()
    await machine.downtime.credit_downtime()
    await machine.live(HOUR)
    machine.set_clock(by)
    await machine.live(HOUR)
    assert await time_left(crowd, match_id) == 22 * HOUR
    assert (await crowd.challenge(challenge_id)).expires_at - crowd.now == timedelta(days=7) - 2 * HOUR


async def test_a_heartbeat_is_noted_though_the_clock_went_back(crowd: Crowd, machine: Machine) -> None:
    await machine.downtime.credit_downtime()
    machine.set_clock(-5 * HOUR)
    machine.run_on(HEARTBEAT)
    assert machine.downtime.until_next_beat() <= timedelta(0)
    await machine.downtime.credit_missed()
    assert await heartbeat(crowd) == crowd.now


async def test_an_outage_of_the_database_gives_back_what_it_took_to_a_few_seconds(crowd: Crowd) -> None:
    machine = Machine(crowd, BEAT)
    match_id = await crowd.begin(terms=TIMED)
    await machine.downtime.credit_downtime()
    await machine.live(timedelta(minutes=2))
    machine.run_on(timedelta(seconds=4))
    machine.run_on(timedelta(seconds=10))
    await machine.downtime.credit_missed()
    left = await time_left(crowd, match_id)
    assert timedelta(seconds=10) <= left - (DAY - timedelta(minutes=2, seconds=14)) <= timedelta(seconds=10) + BEAT
    assert AFTER_FAILURE <= BEAT


@asynccontextmanager
async def scheduled(crowd: Crowd, machine: Machine) -> AsyncIterator[tuple[DueScheduler, asyncio.Event]]:
    """Run a scheduler; the event is set each time it rests."""
    resting = asyncio.Event()

    async def idle(awaitable, /, *, reason):  # type: ignore[no-untyped-def]
        resting.set()
        return await plain_idle(awaitable, reason=reason)

    # Regular work would wake it in the middle of what a test does.
    scheduler = DueScheduler(crowd.services, lambda: idle, machine.downtime, timedelta(days=365))
    running = asyncio.create_task(scheduler.run())
    try:
        await resting.wait()
        yield scheduler, resting
    finally:
        running.cancel()


async def looked(scheduler: DueScheduler, resting: asyncio.Event) -> None:
    """Wake the scheduler and wait until it rests again."""
    resting.clear()
    scheduler.wake()
    await resting.wait()


async def automatic(crowd: Crowd) -> None:
    await crowd.services.server_settings.change(GUILD, lambda before: replace(before, automatic=True, grace=False))


async def test_no_match_is_lost_and_no_reminder_sent_while_discord_is_out_of_reach(
    crowd: Crowd, machine: Machine
) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=TIMED)
    async with scheduled(crowd, machine) as (scheduler, resting):
        scheduler.disconnected()
        machine.run_on(30 * HOUR)
        await looked(scheduler, resting)
        assert (await crowd.match(match_id)).remind_at is not None
        scheduler.connected()
        await looked(scheduler, resting)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING
    assert await time_left(crowd, match_id) == DAY


async def test_a_match_that_cannot_be_replayed_does_not_keep_the_others_from_ending(
    crowd: Crowd, machine: Machine
) -> None:
    await automatic(crowd)
    broken, sound = await crowd.begin(terms=HURRIED), await crowd.begin(by=BOB, to=ALICE, terms=HURRIED)
    await crowd.play(broken, "c3")
    await crowd.rewrite(broken, "z99")
    async with scheduled(crowd, machine) as (scheduler, resting):
        await machine.live(HOUR)
        await looked(scheduler, resting)
        assert (await crowd.match(sound)).reason == "out of time"
        assert crowd.services.quarantined == {broken}
        # It rests for a heartbeat instead of trying again at once, for ever.
        resting.clear()
        for _ in range(100):
            await asyncio.sleep(0)
        assert not resting.is_set()


@pytest.mark.slow
async def test_a_failure_neither_stops_other_due_work_nor_a_clock(
    crowd: Crowd, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await automatic(crowd)
    first, second = await crowd.begin(terms=HURRIED), await crowd.begin(by=BOB, to=ALICE, terms=TIMED)

    async def fail() -> None:
        raise RuntimeError("again and again")

    monkeypatch.setattr(crowd.services.challenges, "expire", fail)
    async with scheduled(crowd, machine) as (scheduler, resting):
        for _ in range(2 * HOUR // HEARTBEAT):
            machine.run_on(HEARTBEAT)
            await looked(scheduler, resting)
    assert (await crowd.match(first)).reason == "out of time"
    assert await time_left(crowd, second) == DAY - 2 * HOUR


@pytest.mark.parametrize("suspended", ["suspended", "without Discord"])
async def test_a_win_claimed_before_the_gap_is_credited_is_not_granted(
    crowd: Crowd, machine: Machine, suspended: str
) -> None:
    match_id = await crowd.begin(terms=replace(TIMED, pace=int(HOUR.total_seconds())))
    await machine.downtime.credit_downtime()
    if suspended == "without Discord":
        machine.downtime.disconnected()
    machine.run_on(30 * HOUR)
    for _ in range(2):
        with pytest.raises(Refusal, match="still has time left"):
            await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))
    assert await time_left(crowd, match_id) == HOUR
    machine.downtime.connected()
    await machine.downtime.credit_missed()
    await machine.live(HOUR)
    await crowd.services.forfeits.claim_win(*crowd.request(match_id, BOB))
    assert (await crowd.match(match_id)).reason == "out of time"


async def test_a_move_made_before_the_gap_is_credited_is_not_too_late(crowd: Crowd, machine: Machine) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=TIMED)
    await machine.downtime.credit_downtime()
    machine.run_on(30 * HOUR)
    await crowd.play(match_id, "c3")
    await machine.downtime.credit_missed()
    assert await time_left(crowd, match_id) == DAY


async def test_a_move_is_too_late_by_the_deadline_that_is_stored_not_by_the_one_that_was_read(crowd: Crowd) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=TIMED)
    read = await crowd.match(match_id)
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, deadline_at=crowd.now - HOUR)
    with pytest.raises(Stale, match="time ran out"):
        await crowd.services.turns.play(crowd.actor(ALICE), read, 0, "c3")
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "out of time")


@pytest.mark.parametrize("decision", ["remind", "notice_late"])
async def test_nothing_falls_due_before_the_gap_is_credited(crowd: Crowd, machine: Machine, decision: str) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=TIMED)
    await machine.downtime.credit_downtime()
    machine.run_on(30 * HOUR)
    await getattr(crowd.services.forfeits, decision)()
    match = await crowd.match(match_id)
    assert (match.state, match.flagged, match.remind_at is None) == (MatchState.RUNNING, False, False)


async def test_nothing_falls_due_in_the_servers_of_a_shard_that_is_out_of_reach(crowd: Crowd, machine: Machine) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=HURRIED)
    async with scheduled(crowd, machine) as (scheduler, resting):
        await machine.live(HOUR / 2)
        scheduler.connected([THEIRS])
        for _ in range(3):
            await machine.live(HOUR)
            await looked(scheduler, resting)
        assert (await crowd.match(match_id)).state is MatchState.RUNNING
        scheduler.connected()
        await looked(scheduler, resting)
        assert await time_left(crowd, match_id) == HOUR / 2
        await machine.live(HOUR)
        await looked(scheduler, resting)
    assert (await crowd.match(match_id)).reason == "out of time"


async def test_a_shard_that_is_out_of_reach_stops_no_clock_of_the_others(crowd: Crowd, machine: Machine) -> None:
    await automatic(crowd)
    match_id = await crowd.begin(terms=HURRIED)
    async with scheduled(crowd, machine) as (scheduler, resting):
        scheduler.connected([OTHERS])
        await machine.live(HOUR + HEARTBEAT)
        await looked(scheduler, resting)
    assert (await crowd.match(match_id)).reason == "out of time"
