"""Gauges that are read when Prometheus scrapes.

Only the active bot reports figures of the whole database; otherwise sums over processes would count them several times.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, Gauge

from bot.games import GAMES
from bot.storage import guilds, match_lists, outbox, processes
from bot.storage.database import Database
from bot.storage.processes import BOT, Process
from bot.storage.records import BotState, Rules
from bot.telemetry import metrics

LAG_MEASURED_EVERY = 0.5
"""Seconds between two measurements of how late the event loop is."""


async def of_database(database: Database, now: datetime, served_within: timedelta) -> CollectorRegistry:
    """Return the figures of the whole database; none if another process reports them.

    The bot counts as serving if its last heartbeat is not older than ``served_within``.
    """
    registry = CollectorRegistry()
    async with database.read() as tx:
        if not database.sqlite and await processes.first(tx, BOT) != database.token:
            return registry
        active = next((process for process in await processes.every(tx) if process.state is BotState.ACTIVE), None)
        waiting = await outbox.waiting(tx, rules_of(active))
        beat = await guilds.last_heartbeat(tx)
        running = await match_lists.running_everywhere(tx)
    served = (database.sqlite or active is not None) and beat is not None and beat >= now - served_within
    age = 0.0 if waiting.stored_since is None else max(0.0, (now - waiting.stored_since).total_seconds())
    for name, (description, value) in {
        "tavoliere_outbox_pending": (
            "Outbox messages still to be sent, of all servers",
            waiting.total - waiting.without_game,
        ),
        "tavoliere_outbox_oldest_seconds": ("Age of the oldest of them", age),
        "tavoliere_outbox_without_game": (
            "Outbox messages that wait for a game, which is not installed",
            waiting.without_game,
        ),
        "tavoliere_matches_running": ("Matches not yet over, of all servers", running),
        "tavoliere_unserved": ("1 while no bot serves people, otherwise 0", int(not served)),
    }.items():
        Gauge(name, description, registry=registry).set(value)
    return registry


def rules_of(process: Process | None) -> Rules | None:
    """Return the rules that a process can play by, or None if it does not say; those of this one if none is there."""
    if process is None:
        return GAMES.rules
    return None if process.games is None else frozenset(process.games)


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
