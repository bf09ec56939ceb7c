"""A server that acknowledges what it is sent and answers nothing: nobody waits for it for long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from sqlalchemy import text

from bot.storage import patience
from bot.storage.database import Database
from bot.storage.errors import CommitUnknown, DatabaseAway, DatabaseBusy
from bot.storage.patience import PERSON, Patience, person_waits
from tests.support.cutting_relay import CuttingRelay, cutting_relay
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql

CONNECTIONS = 15
"""As many as the pool has."""
LONGEST = 20.0
"""Seconds within which even a busy machine has given up. Without limits a statement waits for ever."""


@pytest_asyncio.fixture
async def relayed(server: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[CuttingRelay, Database]]:
    """A database behind a relay, and people who wait long for a connection, and three seconds for what they do."""
    monkeypatch.setattr(patience, "PERSON", Patience(60.0, 3.0))
    async with cutting_relay(server) as (relay, address):
        database = Database(address, limited=True)
        try:
            await database.open()
            yield relay, database
        finally:
            relay.flowing.set()
            await database.close()


async def one(database: Database) -> int:
    async with database.read() as tx:
        return int((await tx.execute(text("SELECT 1"))).scalar_one())


def test_a_person_waits_two_to_three_seconds_for_a_connection() -> None:
    assert PERSON.connection is not None
    assert 2 <= PERSON.connection <= 3


async def test_a_statement_that_is_not_answered_is_given_up(relayed: tuple[CuttingRelay, Database]) -> None:
    relay, database = relayed
    relay.silent_before = b"SELECT 1"
    with person_waits():
        async with asyncio.timeout(LONGEST):
            with pytest.raises(DatabaseAway) as raised:
                await one(database)
    assert not isinstance(raised.value, (DatabaseBusy, CommitUnknown))
    relay.flowing.set()
    assert await one(database) == 1


@pytest.mark.slow
async def test_a_commit_that_is_not_answered_leaves_open_whether_it_is_stored(
    relayed: tuple[CuttingRelay, Database],
) -> None:
    relay, database = relayed

    async def write() -> None:
        async with database.write() as tx:
            await tx.execute(text("DELETE FROM bars"))
            # A transaction begins with this word in the name of its isolation level, too.
            relay.silent_before = b"COMMIT"

    with person_waits():
        async with asyncio.timeout(LONGEST):
            with pytest.raises(CommitUnknown):
                await write()


@pytest.mark.slow
async def test_a_person_does_not_wait_for_connections_that_all_hang(
    relayed: tuple[CuttingRelay, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PERSON", Patience(1.0, 60.0))
    relay, database = relayed
    hanging = asyncio.Barrier(CONNECTIONS + 1)

    async def work() -> None:
        async with database.read() as tx:
            await hanging.wait()
            await tx.execute(text("SELECT 1"))

    working = [asyncio.create_task(work()) for _ in range(CONNECTIONS)]
    await hanging.wait()
    relay.flowing.clear()
    with person_waits():
        async with asyncio.timeout(LONGEST):
            with pytest.raises(DatabaseBusy):
                await one(database)
    assert not any(task.done() for task in working)
    relay.flowing.set()
    await asyncio.gather(*working)
    assert await one(database) == 1


async def test_the_server_itself_ends_statements_of_a_bot_and_not_of_a_command(server: str) -> None:
    found = []
    for limited in (True, False):
        database = Database(server, limited=limited)
        async with database.read() as tx:
            found.append((await tx.execute(text("SHOW statement_timeout"))).scalar_one())
        await database.close()
    assert found == ["1min", "0"]
