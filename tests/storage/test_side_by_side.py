"""Writes side by side on a real PostgreSQL server: a write waits only for rows it touches, and every limit holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.queue import ComputeQueue
from bot.matches.audit import audit
from bot.matches.writing.beginning import start_match
from bot.storage import absences, challenges, locks, match_lists, matches, transactions
from bot.storage.database import Database
from bot.storage.records import ChallengeState, MatchState, NewMatch
from bot.storage.tables import absences as absence_table
from bot.storage.tables import challenges as challenge_table
from bot.storage.tables import ladder_matches
from bot.storage.tables import matches as match_table
from bot.storage.transactions import Conflict, retried
from bot.telemetry import metrics
from tests.matches.conftest import ALICE, BOB, CAROL, CHANNEL, GUILD, Crowd
from tests.support.postgresql import needs_postgresql
from tests.support.processes.hammering import ABSENCE, DAVE, IN_LADDER, LIMITS, TIMED, hammer, prepare
from tests.support.waiting import until

pytestmark = needs_postgresql


@pytest_asyncio.fixture
async def crowd(server: str) -> AsyncIterator[Crowd]:
    """The services on an empty database of that server."""
    database = Database(server)
    async with ComputeQueue() as queue:
        try:
            await database.open()
            yield Crowd(database, queue)
        finally:
            await database.close()


async def counted(crowd: Crowd, *where: object) -> int:
    async with crowd.database.read() as tx:
        return int((await tx.execute(select(func.count()).where(*where))).scalar_one())  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_every_limit_holds_though_many_processes_try_it_at_once(crowd: Crowd, server: str) -> None:
    ready = await prepare(crowd)
    before = (await crowd.match(ready["timed"])).deadline_at
    assert await asyncio.to_thread(hammer, server, ready) == []
    async with crowd.database.read() as tx:
        # Ten open challenges at a time, fifty running matches, one acceptance, one last place.
        assert await challenges.open_of(tx, GUILD, ALICE.id) == LIMITS.challenges
        assert await match_lists.running_count(tx, GUILD, DAVE.id) == LIMITS.matches
        taken = await challenges.get(tx, ready["challenge"])
        lobby = await challenges.get(tx, ready["lobby"])
        away = await absences.since(tx, CAROL.id, crowd.now)
    assert taken is not None
    assert lobby is not None
    assert (taken.state, len(taken.joined)) == (ChallengeState.STARTED, 2)
    assert (lobby.state, len(lobby.joined)) == (ChallengeState.STARTED, 4)
    # One absence, which stops the clock once; one rematch; one challenge from an interaction sent eight times.
    assert [absence.ends_at for absence in away] == [crowd.now + ABSENCE]
    assert (await crowd.match(ready["timed"])).deadline_at == (before or crowd.now) + ABSENCE
    assert await counted(crowd, absence_table.c.ends_at > crowd.now) == 1
    assert await counted(crowd, challenge_table.c.rematch_of == ready["over"]) == 1
    assert await counted(crowd, challenge_table.c.challenger_id == BOB.id, challenge_table.c.pace.is_not(None)) == 1
    assert await counted(crowd, ladder_matches.c.guild_id == GUILD) == IN_LADDER / 2
    # Every match ended once, and the ratings follow from the results in their order.
    assert await counted(crowd, match_table.c.state == MatchState.OVER) == 10
    assert await audit(crowd.database) == []


async def test_turns_in_two_matches_do_not_wait_for_each_other(crowd: Crowd) -> None:
    one, other, third = await crowd.begin(), await crowd.begin(), await crowd.begin()
    locked, release = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with crowd.database.write() as tx:
            await matches.get(tx, one, lock=True)
            locked.set()
            await release.wait()

    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        tasks.create_task(hold())
        await locked.wait()
        await crowd.play(other, "c3", "a1")
        await crowd.resign(third, BOB)
        waiting = tasks.create_task(crowd.play(one, "c3"))
        await crowd.play(other, "c4", "a2")
        assert not waiting.done()
        release.set()
    assert [move.text for move in await crowd.moves(one)] == ["c3"]


async def test_whoever_has_waited_for_a_match_finds_its_seats_as_they_are_by_then(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    locked, release = asyncio.Event(), asyncio.Event()

    async def change() -> None:
        async with crowd.database.write() as tx:
            await matches.get(tx, match_id, lock=True)
            locked.set()
            await release.wait()
            await matches.change(tx, match_id, ply=7)
            await matches.change_seat(tx, match_id, 1, dropped=True)

    async def look() -> tuple[int, list[bool]]:
        async with crowd.database.write() as tx:
            found = await matches.get(tx, match_id, lock=True)
            assert found is not None
            return found.ply, [seat.dropped for seat in found.seats]

    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        tasks.create_task(change())
        await locked.wait()
        looking = tasks.create_task(look())
        await asyncio.sleep(0.2)
        assert not looking.done()
        release.set()
    assert looking.result() == (7, [False, True])


async def test_who_leaves_waits_for_a_turn_of_theirs_that_is_being_stored(crowd: Crowd, server: str) -> None:
    until_then, stored, release = crowd.now + timedelta(days=3), asyncio.Event(), asyncio.Event()
    other = Database(server)

    async def begin() -> int:
        async with other.write() as tx:
            new = NewMatch(
                guild_id=GUILD,
                channel_id=CHANNEL,
                game="yonmoque",
                variant="standard",
                rated=False,
                pace=TIMED.pace,
            )
            match_id = await start_match(tx, new, [BOB, ALICE], crowd.now)
            stored.set()
            await release.wait()
        return match_id

    async def waits() -> bool:
        async with crowd.database.read() as tx:
            return bool((await tx.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted"))).scalar_one())

    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        beginning = tasks.create_task(begin())
        await stored.wait()
        leaving = tasks.create_task(crowd.services.absences.leave_until(BOB.id, until_then))
        await until(waits, "a wait for the person who leaves", lambda: leaving)
        release.set()
    await other.close()
    assert (await crowd.match(beginning.result())).deadline_at == until_then + timedelta(days=1)


@pytest.mark.slow
async def test_somebody_who_leaves_while_their_turn_begins_has_their_clock_stopped(crowd: Crowd) -> None:
    begun = [await crowd.begin(terms=TIMED) for _ in range(4)]
    until = crowd.now + timedelta(days=3)
    leaving = crowd.services.absences.leave_until(BOB.id, until)
    await asyncio.gather(leaving, *(crowd.play(match_id, "c3") for match_id in begun))
    assert {(await crowd.match(match_id)).deadline_at for match_id in begun} == {until + timedelta(days=1)}


@pytest.mark.slow
async def test_transactions_that_wait_for_each_other_in_a_circle_both_come_to_an_end(crowd: Crowd) -> None:
    begun, meeting = [await crowd.begin() for _ in range(2)], asyncio.Barrier(2)
    tried: list[int] = []

    async def lock(tx: AsyncConnection, match_id: int) -> None:
        await matches.get(tx, match_id, lock=True)

    @retried
    async def crossed(first: int, second: int) -> None:
        tried.append(first)
        async with crowd.database.write() as tx:
            await lock(tx, first)
            if len(tried) <= 2:
                await meeting.wait()
            await lock(tx, second)

    before = metrics.TRANSACTIONS_RETRIED.labels("deadlock")._value.get()
    await asyncio.gather(crossed(*begun), crossed(*reversed(begun)))
    assert len(tried) == 3
    assert metrics.TRANSACTIONS_RETRIED.labels("deadlock")._value.get() == before + 1


@pytest.mark.slow
async def test_an_operation_that_never_gets_through_says_so_in_the_end(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "FIRST_WAIT", 0.0)

    @retried
    async def never() -> None:
        async with crowd.database.write() as tx:
            await locks.people(tx, [ALICE.id])
            raise Conflict

    with pytest.raises(Conflict):
        await never()


async def test_a_reader_sees_one_state_though_somebody_writes(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    async with crowd.database.read() as reading:
        assert await matches.moves_of(reading, match_id) == []
        await crowd.play(match_id, "c3")
        assert await matches.moves_of(reading, match_id) == []
    assert len(await crowd.moves(match_id)) == 1
