"""Writes side by side on a real PostgreSQL server: a write waits only for rows it touches."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing.beginning import start_match
from bot.storage import locks, matches, transactions
from bot.storage.database import Database
from bot.storage.records import NewMatch
from bot.storage.transactions import Conflict, retried
from bot.telemetry import metrics
from tests.matches.conftest import ALICE, BOB, CHANNEL, GUILD, YONMOQUE, Crowd
from tests.support.postgresql import needs_postgresql
from tests.support.waiting import until

pytestmark = needs_postgresql

TIMED = replace(YONMOQUE, pace=86400)


async def test_turns_in_two_matches_do_not_wait_for_each_other(crowd: Crowd) -> None:
    one, other, third = await crowd.begin(), await crowd.begin(), await crowd.begin()
    async with asyncio.timeout(30), crowd.database.engine.begin() as tx:
        await matches.get(tx, one, lock=True)
        await crowd.play(other, "c3", "a1")
        await crowd.resign(third, BOB)
        waiting = asyncio.create_task(crowd.play(one, "c3"))
        await crowd.play(other, "c4", "a2")
        assert not waiting.done()
    await waiting
    assert [move.text for move in await crowd.moves(one)] == ["c3"]


async def test_whoever_has_waited_for_a_match_finds_its_seats_as_they_are_by_then(crowd: Crowd) -> None:
    match_id = await crowd.begin()

    async def look() -> tuple[int, list[bool]]:
        async with crowd.database.write() as tx:
            found = await matches.get(tx, match_id, lock=True)
            assert found is not None
            return found.ply, [seat.dropped for seat in found.seats]

    async with asyncio.timeout(30), crowd.database.engine.begin() as tx:
        await matches.get(tx, match_id, lock=True)
        looking = asyncio.create_task(look())
        await asyncio.sleep(0.2)
        assert not looking.done()
        await matches.change(tx, match_id, ply=7)
        await matches.change_seat(tx, match_id, 1, dropped=True)
    assert await looking == (7, [False, True])


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
