"""Bots whose database is behind PgBouncer in transaction mode: one connection each goes past it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from bot.compute.queue import ComputeQueue
from bot.matches.audit import audit
from bot.storage import engines, match_lists, processes
from bot.storage.database import Database
from bot.storage.errors import CommitUnknown, StorageError
from tests.matches.conftest import ALICE, BOB, Crowd
from tests.operation.conftest import Start, impatient, standing_by
from tests.support.pgbouncer import needs_pgbouncer, pooled
from tests.support.postgresql import needs_postgresql, new_database
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import bot

pytestmark = [needs_postgresql, needs_pgbouncer, pytest.mark.slow]


@pytest.fixture(scope="module")
def pool(shared_server: str) -> Iterator[str]:
    """The address of the same server through a pool of two connections."""
    with pooled(shared_server) as address:
        yield address


@pytest.fixture
def both(shared_server: str, pool: str) -> dict[str, str]:
    """The settings of a bot on an empty database behind the pool."""
    direct = new_database(shared_server, "home")
    through = make_url(pool).set(database="home").render_as_string(hide_password=False)
    return {"database_url": through, "database_direct_url": direct}


async def test_a_match_goes_on_behind_the_pool_when_its_bot_is_killed(
    discord: Loopback, start: Start, tmp_path: Path, both: dict[str, str]
) -> None:
    first = await (await start(bound=impatient, **both)).ready()
    second = await standing_by(start(bound=impatient, **both))
    thread = await begun(discord)
    await played(discord, thread, *FINISHED[:4])
    await first.end(signal.SIGKILL)
    await second.ready()
    await played(discord, thread, *FINISHED[4:], begin=4)
    assert all(discord.posted(thread).count(line) == 1 for line in discord.posted(thread))
    assert await second.end() == 0
    checked = await bot(tmp_path, "check", discord_token=TOKEN, **both)
    assert checked.code == 0, checked.text
    assert (await bot(tmp_path, "backup", "today.dump", **both)).code == 0
    assert (await bot(tmp_path, "restore", "today.dump", **both)).code == 0


async def test_many_transactions_share_few_connections(both: dict[str, str]) -> None:
    database = Database(*both.values())
    await database.open()
    async with ComputeQueue() as queue:
        halls = [Crowd(database, queue) for _ in range(4)]
        for number, hall in enumerate(halls):
            hall._interactions = iter(range((number + 1) * 10**6, (number + 2) * 10**6))

        async def play(hall: Crowd) -> None:
            for _ in range(3):
                match_id = await hall.begin()
                await hall.play(match_id, "c3", "a1", "b2")
                await hall.resign(match_id, BOB)
                assert await hall.services.read(match_lists.running_of, 10, ALICE.id) is not None

        await asyncio.gather(*(play(hall) for hall in halls))
    assert await audit(database) == []
    await database.close()


async def test_a_transaction_that_does_nothing_more_is_ended_behind_the_pool_too(
    both: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(*both.values())
    await database.open()
    async with database.write() as tx:
        token = await processes.add(tx, "here", "bot", timedelta(hours=1))
    database.token = token
    monkeypatch.setattr(engines, "IDLE_SECONDS", 1)

    async def dawdle() -> None:
        async with database.write() as tx:
            await asyncio.sleep(2)
            await tx.execute(text("SELECT 1"))

    with pytest.raises(DBAPIError):
        await dawdle()
    monkeypatch.undo()
    async with database.write() as tx:
        assert (await tx.execute(text("SELECT 1"))).scalar_one() == 1
    await database.close()


async def test_a_transaction_whose_process_stops_before_it_executes_what_it_prepared_is_ended(
    both: dict[str, str],
) -> None:
    database = Database(both["database_url"], both["database_direct_url"])
    await database.open()

    async def stopped() -> None:
        async with database.write() as tx, database.direct.connect() as beside:
            await tx.execute(text("SELECT 1"))
            driver: Any = (await tx.get_raw_connection()).driver_connection
            await driver.prepare("SELECT 42")
            assert await processes.end_suspended(beside, 3600) == 0
            # What prepares waits for its process soon after it has answered, and ends soon after it is told to.
            while not await processes.end_suspended(beside, 0):
                await asyncio.sleep(0.05)
            while await processes.end_suspended(beside, 0):
                await asyncio.sleep(0.05)

    with pytest.raises(CommitUnknown):
        await stopped()
    async with database.write() as tx:
        assert (await tx.execute(text("SELECT 1"))).scalar_one() == 1
    await database.close()


async def test_a_way_past_the_pool_to_the_same_database_is_needed(
    both: dict[str, str], shared_server: str, tmp_path: Path
) -> None:
    other = Database(new_database(shared_server, "other"))
    await other.open()
    await other.close()
    for direct, told in (
        (None, "is behind PgBouncer: name the server itself in DATABASE_DIRECT_URL"),
        (new_database(shared_server, "third"), 'cannot be used: relation "generation" does not exist'),
        (both["database_direct_url"], None),
        (other.url, "lead to two different databases"),
    ):
        database = Database(both["database_url"], direct)
        with nullcontext() if told is None else pytest.raises(StorageError, match=told):
            await database.open()
        await database.close()
    checked = await bot(tmp_path, "check", discord_token=TOKEN, **both | {"database_direct_url": str(other.url)})
    assert checked.code == 1
    assert "database: DATABASE_URL and DATABASE_DIRECT_URL lead to two different databases." in checked.text
