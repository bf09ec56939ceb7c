"""The health page on its own: what it says of the database, the outbox and a compute queue in which a job waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text, update

from bot.cluster.health import LONGEST_WAIT, LOOPBACK, MISSED_ROUNDS, OVERDUE, HealthPage, PortError
from bot.compute.job import JobSpec, Pool
from bot.compute.queue import ComputeQueue
from bot.storage import guilds, outbox, tables
from bot.storage.database import Database
from bot.storage.records import OutboxState
from tests.operation.conftest import port
from tests.support.compute_jobs import Gate, ask
from tests.support.manual_time import Time
from tests.support.processes.health_page import page

__all__ = ["port"]

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEARTBEAT, SECOND = timedelta(minutes=1), timedelta(seconds=1)
WELL = (200, '{"status": "well"}')


@asynccontextmanager
async def served(
    folder: Path, port: int, longest_wait: Callable[[], float] = lambda: 0.0, host: str = LOOPBACK
) -> AsyncIterator[Database]:
    """Serve the page of an active bot that is connected, on a new database; give that."""
    database = Database(f"sqlite+aiosqlite:///{folder / 'tavoliere.db'}")
    health = HealthPage(database, port, lambda: NOW, HEARTBEAT, longest_wait, host)
    health.connected = health.active = lambda: True
    try:
        await database.open()
        await health.open()
        yield database
    finally:
        await health.close()
        await database.close()


async def test_it_is_unwell_while_nothing_is_stored_or_sent_but_for_what_discord_puts_off(
    tmp_path: Path, port: int
) -> None:
    late, told = NOW - OVERDUE - SECOND, partial(page, port, "health")
    async with served(tmp_path, port) as database:

        async def change(key: str, **times: datetime) -> None:
            async with database.write() as tx:
                await tx.execute(update(tables.outbox).where(tables.outbox.c.key == key).values(**times))

        async with database.write() as tx:
            await guilds.beat(tx, NOW - MISSED_ROUNDS * HEARTBEAT - SECOND)
        assert await told() == (503, '{"status": "nothing was stored for 181 seconds"}')
        assert "\ntavoliere_unserved 1.0\n" in (await page(port, "metrics"))[1]
        async with database.write() as tx:
            await guilds.beat(tx, NOW)
            for key, topic in (("first", "match:1"), ("behind", "match:1"), ("sent", "match:2")):
                await outbox.add(tx, key=key, topic=topic, kind="board", at=late)
            await outbox.mark(tx, 3, OutboxState.SENT, done_at=NOW)
        assert await told() == WELL, "another message was sent a moment ago"
        assert "\ntavoliere_unserved 0.0\n" in (await page(port, "metrics"))[1]
        await change("sent", done_at=late)
        assert await told() == (503, '{"status": "outbox messages are not being sent: 1 overdue"}')
        await change("first", due_at=NOW + timedelta(hours=1))
        assert await told() == WELL


async def test_it_is_unwell_while_the_database_does_not_answer_and_tells_other_figures_all_the_same(
    tmp_path: Path, port: int
) -> None:
    async with served(tmp_path, port) as database:
        async with database.write() as tx:
            await tx.execute(text("ALTER TABLE outbox RENAME TO gone"))
        assert await page(port, "health") == (503, '{"status": "the database does not answer"}')
        status, told = await page(port, "metrics")
        assert (status, "\ntavoliere_outbox_pending " in told, "\ntavoliere_process{" in told) == (200, False, True)
        async with database.write() as tx:
            await tx.execute(text("ALTER TABLE gone RENAME TO outbox"))
        assert await page(port, "health") == WELL
        assert "\ntavoliere_outbox_pending 0.0\n" in (await page(port, "metrics"))[1]


async def test_it_is_unwell_while_somebody_waits_too_long_for_a_worker(tmp_path: Path, port: int) -> None:
    gate, time = Gate(), Time()
    async with ComputeQueue(clock=time) as queue, served(tmp_path, port, queue.longest_wait):
        waiting = [ask(queue, who, JobSpec(Pool.INTERACTIVE), gate.job(who)) for who in ("alice", "bob")]
        await gate.until_begun(1)
        told = partial(page, port, "health")
        time.now = LONGEST_WAIT
        assert await told() == WELL
        time.now = LONGEST_WAIT + 1
        assert await told() == (503, '{"status": "work is waiting for 11 seconds"}')
        gate.opened.set()
        await asyncio.gather(*waiting)
        assert await told() == WELL


async def test_an_address_that_is_not_this_machines_is_named(tmp_path: Path, port: int) -> None:
    # One of those that are for documentation, and nobody's.
    with pytest.raises(PortError, match=f"METRICS_PORT is {port} and METRICS_HOST 192.0.2.1, but that address cannot"):
        async with served(tmp_path, port, host="192.0.2.1"):
            pytest.fail("it is served")
