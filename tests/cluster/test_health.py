"""The health page on its own, with a compute queue in which a job waits."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

import discord
import pytest

from bot.cluster.health import LONGEST_WAIT, HealthPage, PortError
from bot.compute.job import JobSpec, Pool
from bot.compute.queue import ComputeQueue
from bot.storage.database import Database
from tests.operation.conftest import port
from tests.support.compute_jobs import Gate, ask
from tests.support.manual_time import Time
from tests.support.processes.health_page import page

__all__ = ["port"]


async def test_it_is_unwell_while_somebody_waits_too_long_for_a_worker(tmp_path: Path, port: int) -> None:
    gate, time = Gate(), Time()
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}")
    await database.open()
    async with ComputeQueue(clock=time) as queue:
        health = HealthPage(database, port, discord.utils.utcnow, timedelta(days=1), queue.longest_wait)
        await health.open()
        health.connected = health.active = lambda: True
        waiting = [ask(queue, who, JobSpec(Pool.INTERACTIVE), gate.job(who)) for who in ("alice", "bob")]
        await gate.until_begun(1)
        told = partial(page, port, "health")
        time.now = LONGEST_WAIT
        assert await told() == (200, '{"status": "well"}')
        time.now = LONGEST_WAIT + 1
        assert await told() == (503, '{"status": "work is waiting for 11 seconds"}')
        gate.opened.set()
        await asyncio.gather(*waiting)
        assert await told() == (200, '{"status": "well"}')
        await health.close()
    await database.close()


async def test_an_address_that_is_not_this_machines_is_named(tmp_path: Path, port: int) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}")
    # One of those that are for documentation, and nobody's.
    health = HealthPage(database, port, discord.utils.utcnow, timedelta(days=1), lambda: 0.0, "192.0.2.1")
    with pytest.raises(PortError, match=f"METRICS_PORT is {port} and METRICS_HOST 192.0.2.1, but that address cannot"):
        await health.open()
    await health.close()
    await database.close()
