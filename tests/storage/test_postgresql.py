"""Transactions on a real PostgreSQL server, which several processes use at once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.compute.queue import ComputeQueue
from bot.matches.audit import audit
from bot.storage import engines, interactions
from bot.storage.database import Database
from bot.storage.errors import DatabaseAway, ImpossibleSetting, StorageError, explain_errors, leaves_open
from tests.matches.conftest import ALICE, BOB, Crowd
from tests.support.postgresql import needs_postgresql, running_server
from tests.support.waiting import until

pytestmark = needs_postgresql


@pytest_asyncio.fixture
async def two(server: str) -> AsyncIterator[tuple[Database, Database]]:
    """Two engines for one empty database, as two processes have."""
    one, other = Database(server), Database(server)
    try:
        await one.open()
        await other.open()
        yield one, other
    finally:
        await one.close()
        await other.close()


async def test_an_interaction_is_claimed_by_one_process_only(two: tuple[Database, Database]) -> None:
    async def claimed(database: Database, number: int) -> bool:
        async with database.write() as tx:
            found = await interactions.mark_processed(tx, number, Crowd.now)
            await asyncio.sleep(0)
            return found

    for number in range(20):
        assert sorted(await asyncio.gather(*(claimed(database, number) for database in two))) == [False, True]


async def test_ratings_follow_from_the_matches_though_two_processes_end_them_at_once(
    two: tuple[Database, Database],
) -> None:
    async with ComputeQueue() as queue:
        halls = [Crowd(database, queue) for database in two]
        halls[1]._interactions = iter(range(10**6, 2 * 10**6))
        begun = [await halls[at % 2].begin() for at in range(12)]
        resigned = (halls[at % 2].resign(match_id, (ALICE, BOB)[at // 2 % 2]) for at, match_id in enumerate(begun))
        await asyncio.gather(*resigned)
    assert await audit(two[0]) == []


async def test_a_server_that_stops_answering_is_an_outage_of_storage(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_server() as gone:
        database = Database(gone)
        async with database.read():
            pass
    with pytest.raises(DBAPIError) as met:
        async with database.read() as tx:
            await tx.execute(text("SELECT 1"))
    assert leaves_open(met.value)
    monkeypatch.setattr(engines, "TRUSTED_SECONDS", 0.0)
    for opened in (database.read, database.write):
        with pytest.raises(StorageError, match=r"^The database postgres on 127"):
            async with opened():
                pytest.fail("there is no server")
    await database.close()


async def test_a_connection_is_pinged_only_after_it_was_idle(
    two: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect, pings = two[0].engine.dialect, list[Any]()
    ping = dialect.do_ping

    def counted(connection: Any) -> bool:
        pings.append(connection)
        return ping(connection)

    monkeypatch.setattr(dialect, "do_ping", counted)
    monkeypatch.setattr(engines, "TRUSTED_SECONDS", math.inf)
    for _ in range(3):
        async with two[0].read():
            pass
    assert pings == []
    monkeypatch.setattr(engines, "TRUSTED_SECONDS", 0.0)
    async with two[0].read():
        pass
    assert len(pings) == 1


@pytest.mark.parametrize("trusted", [0.0, math.inf])
async def test_a_connection_that_the_server_has_ended_is_replaced(
    two: tuple[Database, Database], trusted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "TRUSTED_SECONDS", trusted)
    async with two[0].read() as tx:
        ended = (await tx.execute(text("SELECT pg_backend_pid()"))).scalar_one()
        driver = (await tx.get_raw_connection()).driver_connection
    async with two[1].read() as tx:
        await tx.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": ended})
    await until(lambda: driver is not None and driver.is_closed(), "the end of the connection")
    async with two[0].read() as tx:
        assert (await tx.execute(text("SELECT pg_backend_pid()"))).scalar_one() != ended


async def test_a_server_that_is_not_there_is_named_without_its_password(server: str) -> None:
    address, _, _ = server.replace("tavoliere@", "tavoliere:hush-hush@").rpartition("/")
    wanted = Database(f"{address}/no-such-database")
    with pytest.raises(ImpossibleSetting) as refused:
        await wanted.open()
    await wanted.close()
    assert str(refused.value).startswith("The database no-such-database on 127.0.0.1 cannot be used: ")
    assert "does not exist" in str(refused.value)
    assert "hush-hush" not in str(refused.value)


async def test_a_connection_that_is_ended_in_the_middle_of_something_is_a_database_that_is_away(server: str) -> None:
    database = Database(server)
    try:
        with pytest.raises(DatabaseAway, match="terminating connection"), explain_errors(database.url):
            async with database.engine.connect() as connection:
                await connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    finally:
        await database.close()
