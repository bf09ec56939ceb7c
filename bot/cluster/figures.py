"""Figures for Prometheus that are read when it asks, beside those that a process counts all the time.

Only one process, the bot that registered first among those alive, reports figures of the whole database: if all
reported them, their sum would count everything several times.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, Gauge
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import guilds, match_lists, outbox, processes, slots
from bot.storage.database import Database
from bot.storage.registration import BOT
from bot.storage.slots import Partition, Slot
from bot.telemetry import metrics

LAG_MEASURED_EVERY = 0.5
"""Seconds between two measurements of how late the event loop is."""


async def of_database(database: Database, now: datetime, served_within: timedelta) -> CollectorRegistry:
    """Return the figures of the whole database; none if another process reports them.

    A slot counts as served if its last heartbeat is not older than ``served_within``.
    """
    registry = CollectorRegistry()
    async with database.read() as tx:
        if not database.sqlite and await processes.first(tx, BOT) != database.token:
            return registry
        pending, oldest = await outbox.unsent(tx)
        laid_out = await slots.every(tx) or [Slot(Partition(), None)]
        unserved = [slot for slot in laid_out if not await _served(tx, slot, now - served_within, database.sqlite)]
        running = await match_lists.running_everywhere(tx)
    age = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
    for name, (description, value) in {
        "tavoliere_outbox_pending": ("Outbox messages still to be sent, of all servers", pending),
        "tavoliere_outbox_oldest_seconds": ("Age of the oldest of them", age),
        "tavoliere_matches_running": ("Matches not yet over, of all servers", running),
        "tavoliere_slots": ("Slots that the servers are divided into", len(laid_out)),
        "tavoliere_slots_unserved": ("Slots that no process serves", len(unserved)),
    }.items():
        Gauge(name, description, registry=registry).set(value)
    return registry


async def _served(tx: AsyncConnection, slot: Slot, since: datetime, alone: bool) -> bool:
    beat = await guilds.last_heartbeat(tx, slot.partition.slot)
    return (alone or slot.holder is not None) and beat is not None and beat >= since


def of_pool(database: Database) -> None:
    """Note how many connections to the database are in use, and how many are kept."""
    pool = database.engine.pool
    for state, name in (("in use", "checkedout"), ("idle", "checkedin")):
        count = getattr(pool, name, None)
        if count is not None:
            metrics.DATABASE_CONNECTIONS.labels(state).set(count())


@asynccontextmanager
async def measured_lag() -> AsyncIterator[None]:
    """Measure in the block how late the event loop does what is due."""
    loop = asyncio.get_running_loop()

    measuring: list[asyncio.TimerHandle] = []

    def begin() -> None:
        due = loop.time() + LAG_MEASURED_EVERY
        measuring[:] = [loop.call_at(due, measure, due)]

    def measure(due: float) -> None:
        metrics.EVENT_LOOP_LAG_SECONDS.observe(loop.time() - due)
        begin()

    begin()
    try:
        yield
    finally:
        measuring[0].cancel()
