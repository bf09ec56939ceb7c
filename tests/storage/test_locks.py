"""Locks on a real PostgreSQL server: what a result waits for, and the order in which locks are taken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.game import Result
from bot.matches.writing import results
from bot.storage import locks, matches
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql

PEOPLE = range(1, 21)
_WAITING = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
_KEYS = "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted"


async def waits(crowd: Crowd, work: asyncio.Task[None]) -> int | None:
    """Return the process of the server that waits for a lock while ``work`` goes on; None if ``work`` ends first."""
    async with asyncio.timeout(60):
        while not work.done():
            async with crowd.database.read() as tx:
                pid = (await tx.execute(text(_WAITING))).scalar_one_or_none()
            if pid is not None:
                return int(pid)
    await work
    return None


HELD: dict[str, Callable[[AsyncConnection], Awaitable[None]]] = {
    "ratings": lambda tx: locks.ratings(tx, GUILD),
    "the winner": lambda tx: locks.people(tx, [ALICE.id]),
    "the loser": lambda tx: locks.people(tx, [BOB.id]),
}


@pytest.mark.parametrize("held", HELD)
async def test_a_rated_result_waits_for_others_who_change_the_ratings_it_changes(crowd: Crowd, held: str) -> None:
    match_id = await crowd.begin()
    await crowd.move_twice(match_id)

    async def finish() -> None:
        async with crowd.database.write() as tx:
            match = await matches.get(tx, match_id, lock=True)
            assert match is not None
            await results.finish(tx, match, Result(frozenset({0}), "four in a row"), [], crowd.now)

    async with crowd.database.write() as tx:
        await HELD[held](tx)
        finishing = asyncio.create_task(finish())
        assert await waits(crowd, finishing) is not None
    await finishing


async def test_locks_of_several_people_are_taken_in_one_order_so_that_no_two_wait_in_a_circle(crowd: Crowd) -> None:
    keys: dict[int, int] = {}
    for person in PEOPLE:
        async with crowd.database.write() as tx:
            await locks.people(tx, [person])
            key = int((await tx.execute(text(_KEYS))).scalar_one())
            keys[key if key < 2**63 else key - 2**64] = person

    async def lock_all() -> None:
        async with crowd.database.write() as tx:
            await locks.people(tx, PEOPLE)

    # What waits for the first of all locks in their order holds none of the others.
    async with crowd.database.write() as tx:
        await locks.people(tx, [keys[min(keys)]])
        locking = asyncio.create_task(lock_all())
        pid = await waits(crowd, locking)
        assert pid is not None
        own = await tx.execute(text(f"{_KEYS} AND pid = {pid}"))
        assert own.all() == []
    await locking
