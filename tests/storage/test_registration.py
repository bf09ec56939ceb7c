"""Several processes on one PostgreSQL database: they hear of each other, and a replaced process writes nothing.

Each process is a ``Database`` in this Python process; ``tests/operation`` starts real processes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import engines, interactions, outbox, processes, registration
from bot.storage.errors import CommitUnknown, LeaseLost
from bot.storage.records import OutboxState
from bot.storage.registration import Stopwatch
from bot.storage.tables import outbox as table
from bot.storage.tables import processes as processes_table
from bot.telemetry import metrics
from tests.storage.member import NOW, Member
from tests.support.postgresql import needs_postgresql
from tests.support.waiting import until

pytestmark = needs_postgresql
LEASE = timedelta(seconds=3)
"""The length of a lease here: short, because tests wait until a process is given up."""
UNHURRIED = pytest.mark.parametrize("lease", [timedelta(minutes=10)])
"""For tests in which no lease expires, however busy the machine is."""
LASTING = {"alive_until": datetime(2100, 1, 1, tzinfo=UTC)}


@pytest.fixture
def lease() -> timedelta:
    """The length of a lease."""
    return LEASE


async def put(member: Member, *messages: tuple[str, str]) -> None:
    async with member.database.write() as tx:
        for topic, key in messages:
            await outbox.add(tx, key=key, topic=topic, kind="board", at=NOW)


async def all_sent(member: Member) -> None:
    async def none_left() -> bool:
        async with member.database.read() as tx:
            return not (await outbox.waiting(tx))[0]

    await until(none_left, "an empty outbox", lambda: member.sent)


@pytest.mark.slow
async def test_what_a_dead_process_had_begun_is_taken_up_as_begun_and_in_order(two: tuple[Member, Member]) -> None:
    one, other = two
    await put(one, ("match:1", "a"), ("match:1", "b"), ("match:2", "c"))
    one.gate.clear()
    async with one.sending():
        await one.begun.wait()
        await one.freeze()
        await _gone(other, one)
        assert one.sent == []
        async with other.sending():
            await all_sent(other)
            # The removed process began both, so the other one looks for what it may have posted.
            assert sorted(other.sent) == [("a", 1), ("b", 0), ("c", 1)]
            assert other.sent.index(("a", 1)) < other.sent.index(("b", 0))


@pytest.mark.slow
async def test_a_process_that_was_replaced_does_nothing_more(two: tuple[Member, Member]) -> None:
    one, other = two
    await put(one, ("match:1", "a"))
    async with one.database.write():
        # The others do not remove it while it writes.
        await one.freeze()
        await asyncio.sleep(1.5 * LEASE.total_seconds())
        async with other.database.read() as tx:
            assert len(await processes.every(tx)) == 2
    await _gone(other, one)
    with pytest.raises(LeaseLost):
        async with one.database.write() as tx:
            await outbox.mark(tx, 1, OutboxState.SENT)
    await one.thaw()
    await asyncio.wait_for(one.lost.wait(), 60)
    async with other.database.read() as tx:
        assert [row.state for row in await tx.execute(table.select())] == [OutboxState.PENDING]


@pytest.mark.slow
async def test_a_process_suspended_before_it_executes_what_it_prepared_holds_nothing_for_long(
    two: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "IDLE_SECONDS", 1)
    one, other = two

    async def suspended() -> None:
        async with one.database.write() as tx:
            driver: Any = (await tx.get_raw_connection()).driver_connection
            await driver.prepare("SELECT 42")
            await one.freeze()
            await _gone(other, one)

    with pytest.raises(CommitUnknown):
        await suspended()


async def test_only_connections_of_bots_that_stood_still_for_long_are_ended(two: tuple[Member, Member]) -> None:
    one, other = two
    async with one.database.write() as tx, other.database.engine.connect() as beside:
        await beside.execution_options(isolation_level="AUTOCOMMIT")
        driver: Any = (await tx.get_raw_connection()).driver_connection
        home = one.database.url
        stranger = await asyncpg.connect(host=home.host, port=home.port, user=home.username, database=home.database)
        try:
            async with stranger.transaction():
                await stranger.prepare("SELECT 42")
                assert await processes.end_suspended(beside, 0) == 0, "nothing waits to be executed but a stranger's"
                prepared = await driver.prepare("SELECT 43")
                assert await processes.end_suspended(beside, 3600) == 0
                assert await prepared.fetchval() == 43
                assert await stranger.fetchval("SELECT 44") == 44
        finally:
            await stranger.close()


@pytest.mark.slow
async def test_nobody_is_taken_for_dead_where_nobody_could_renew_their_lease(two: tuple[Member, Member]) -> None:
    one, other = two
    for _ in range(3):
        async with one.database.write() as tx:
            # As after an outage of the database, or a change of its clock.
            await tx.execute(text("UPDATE processes SET alive_until = now() - interval '1 minute'"))
        await asyncio.sleep(LEASE.total_seconds() / 2)
    assert not one.lost.is_set()
    assert not other.lost.is_set()


@pytest.mark.slow
async def test_whoever_connects_anew_leaves_the_others_the_time_to_do_so_too(two: tuple[Member, Member]) -> None:
    one, other = two
    for member in two:
        await member.freeze()
    async with one.database.write() as tx:
        await tx.execute(text("UPDATE processes SET alive_until = now() - interval '1 minute'"))
        await tx.execute(update(processes_table).where(processes_table.c.id == one.database.token).values(LASTING))
    begun = time.monotonic()
    await one.thaw()
    await _gone(one, other)
    assert time.monotonic() - begun >= other.lease.total_seconds()


@pytest.mark.slow
async def test_a_connection_whose_server_hangs_is_given_up_and_the_lease_renewed_over_another(
    two: tuple[Member, Member],
) -> None:
    one, other = two
    await other.freeze()
    async with one.database.read() as tx:
        # What has just renewed a lease, and perhaps removed those who have not.
        query = "SELECT pid FROM pg_stat_activity WHERE query ~ '^(UPDATE|DELETE FROM) processes'"
        hanging = (await tx.execute(text(f"{query} ORDER BY query_start DESC LIMIT 1"))).scalar_one()
    os.kill(hanging, signal.SIGSTOP)
    try:
        await until(lambda: not one.registration.current(), "a lease that is not renewed")
        await until(one.registration.current, "a lease that is renewed")
    finally:
        os.kill(hanging, signal.SIGCONT)


@UNHURRIED
async def test_a_process_that_stops_in_order_tells_the_others_at_once(two: tuple[Member, Member]) -> None:
    one, other = two
    other.news.clear()
    await one.registration.close()
    await asyncio.wait_for(other.news.wait(), 60)
    async with other.database.read() as tx:
        assert [process.id for process in await processes.every(tx)] == [other.database.token]


@pytest.mark.slow
async def test_news_of_one_process_reach_the_others_and_a_lost_connection_is_made_anew(
    two: tuple[Member, Member],
) -> None:
    one, other = two
    for _ in range(2):
        for member in two:
            member.news.clear()
        one.registration.tell()
        await asyncio.wait_for(other.news.wait(), 60)
        assert not one.news.is_set()
        other.news.clear()
        async with one.database.write() as tx:
            query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            await tx.execute(text(f"{query} AND backend_type = 'client backend'"))
        # Both look for missed news as soon as they listen again.
        for member in two:
            await asyncio.wait_for(member.news.wait(), 60)


@pytest.mark.slow
async def test_a_lease_is_not_renewed_over_its_connection_while_news_is_told_over_it(
    two: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    tell, renew = registration._notify, processes.renew
    telling: set[int] = set()
    renewed_meanwhile: list[bool] = []

    async def told_slowly(connection: AsyncConnection, *told: Any) -> None:
        telling.add(id(connection))
        await connection.execute(text(f"SELECT pg_sleep({one.lease.total_seconds() / 2})"))
        await tell(connection, *told)
        telling.discard(id(connection))

    async def renewed(connection: AsyncConnection, *asked: Any) -> Any:
        renewed_meanwhile.append(id(connection) in telling)
        return await renew(connection, *asked)

    monkeypatch.setattr(registration, "_notify", told_slowly)
    monkeypatch.setattr(processes, "renew", renewed)
    for _ in range(3):
        other.news.clear()
        one.registration.tell()
        await asyncio.wait_for(other.news.wait(), 60)
    assert renewed_meanwhile
    assert not any(renewed_meanwhile)


@pytest.mark.slow
async def test_a_connection_that_could_not_listen_in_time_is_not_given_back_to_the_pool(
    two: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    await one.freeze()
    begun = asyncio.Event()

    async def never_listens(connection: asyncpg.Connection, *_: object) -> None:
        begun.set()
        await connection.fetch("SELECT pg_sleep(3)")

    monkeypatch.setattr(asyncpg.Connection, "add_listener", never_listens)
    monkeypatch.setattr(one.registration, "lease", timedelta(seconds=0.5))
    with pytest.raises(TimeoutError):
        async with one.registration._connection():
            pytest.fail("it listens")
    assert begun.is_set()
    async with other.database.read() as tx:
        left = text("SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'")
        async with asyncio.timeout(60):
            while (await tx.execute(left)).scalars().all():
                await tx.execute(text("SELECT pg_stat_clear_snapshot()"))
                await asyncio.sleep(0.02)


async def test_an_interaction_that_several_hear_of_is_claimed_by_one_and_by_nobody_who_was_replaced(
    two: tuple[Member, Member],
) -> None:
    one, other = two

    async def claimed(member: Member, interaction_id: int) -> int | None:
        async with member.database.write() as tx:
            return interaction_id if await interactions.reserve(tx, interaction_id) else None

    heard = range(10**18, 10**18 + 50)
    won = await asyncio.gather(*(claimed(member, interaction_id) for interaction_id in heard for member in two))
    assert sorted(interaction_id for interaction_id in won if interaction_id is not None) == list(heard)
    await until(one.registration.current, "a lease that is renewed in time")
    assert not one.registration.has_lapsed()
    await one.freeze()
    await _gone(other, one)
    assert not one.registration.current()
    assert one.registration.has_lapsed()
    with pytest.raises(LeaseLost):
        await claimed(one, 1)
    async with other.database.write() as tx:
        await interactions.forget_reservations(tx, timedelta(0))
    assert await claimed(other, heard[0])


@pytest.mark.slow
@pytest.mark.parametrize("clock", ["running", "of_day"])
async def test_a_process_does_not_believe_its_lease_if_either_clock_says_that_the_machine_was_paused(
    two: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    one, _ = two
    await one.freeze()
    now = Stopwatch.started
    monkeypatch.setattr(one.registration, "lease", timedelta(hours=1))
    assert one.registration.current()
    slept = staticmethod(lambda: replace(now(), **{clock: getattr(now(), clock) + 3600}))
    monkeypatch.setattr(Stopwatch, "started", slept)
    assert not one.registration.current()
    assert one.registration.has_lapsed()


@pytest.mark.slow
@pytest.mark.parametrize(("ahead", "words"), [(30, "30 seconds ahead of"), (-30, "30 seconds behind")])
async def test_a_clock_that_differs_from_the_databases_is_told(
    two: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch, ahead: int, words: str
) -> None:
    one, _ = two
    assert one.registration.warning is None
    wrong = SimpleNamespace(
        time=lambda: time.time() + ahead, monotonic=time.monotonic, clock_gettime=time.clock_gettime
    )
    monkeypatch.setattr(registration, "time", wrong)
    sentence = f"the clock of this machine is {words} the database's"
    # Where the answer comes late, the difference may be smaller than it looks.
    await until(lambda: sentence in (one.registration.warning or ""), sentence, lambda: one.registration.warning)
    assert abs(metrics.CLOCK_SKEW_SECONDS._value.get() - ahead) < 5
    monkeypatch.undo()
    await until(lambda: one.registration.warning is None, "no warning", lambda: one.registration.warning)


async def _gone(one: Member, other: Member) -> None:
    async def gone() -> bool:
        async with one.database.read() as tx:
            return not await processes.alive(tx, other.database.token)

    await until(gone, "the removal of the process that stands still")
