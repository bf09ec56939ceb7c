"""Which of Discord's shards this process connects: it takes a slot from the database as soon as one is free."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import discord
import structlog

from bot.settings import Settings
from bot.storage import guilds, locks, slots
from bot.storage.database import Database
from bot.storage.errors import ImpossibleSetting, LeaseLost, StorageError
from bot.storage.slots import Partition, Slot
from bot.storage.transactions import retried, retry_until_stored

log = structlog.get_logger(__name__)

LOOKED_EVERY = 1.0
"""Seconds between two looks for a free slot, unless another process tells of one."""
IDENTIFIES = timedelta(seconds=5)
"""Discord lets ``max_concurrency`` connections identify themselves within this time."""
RESERVE = 50
"""Connections of a day that takeovers leave for connections that break."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """What Discord says about connecting: how many shards it recommends, and how many connections it allows."""

    shards: int
    remaining: int
    reset_after: timedelta
    max_concurrency: int


class SlotTaker:
    """Takes a slot for a registered process. Call ``wake`` when a slot may have become free."""

    def __init__(self, database: Database, http: discord.http.HTTPClient, settings: Settings) -> None:
        self._database = database
        self._http = http
        self._settings = settings
        self._news = asyncio.Event()
        self._max_concurrency = 1

    def wake(self) -> None:
        """Look for a free slot soon."""
        self._news.set()

    async def take(self) -> Slot:
        """Wait for a free slot, or for a holder that hands one over, and take it. ``holder`` is that process then.

        Waits while the database is away. Raises ``StorageError`` if other processes divide the shards differently.
        """
        gateway = await self._gateway()
        standing_by = False
        while True:
            self._news.clear()
            slot = await retry_until_stored(
                partial(self._take, self._settings.slots, self._settings.shards, gateway.shards)
            )
            if slot is not None:
                partition = slot.partition
                event = "slot taken" if slot.successor is None else "slot being taken over"
                log.info(event, slot=partition.slot, slots=partition.slots, shards=partition.shards)
                await self._wait_for_connections(partition)
                return slot
            if not standing_by:
                log.info("standing by: every slot is taken")
                standing_by = True
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOKED_EVERY)

    @retried
    async def _take(self, count: int, shards: int | None, recommended: int) -> Slot | None:
        token = self._database.token
        assert token is not None
        async with self._database.write() as tx:
            await locks.layout(tx)
            found = await slots.layout(tx)
            in_use = found is not None and await slots.held(tx)
            if in_use and found is not None:
                recommended = found[1]
            wanted = count, recommended if shards is None else shards
            if count > wanted[1]:
                raise ImpossibleSetting(f"SLOTS is {count}, but there are no more than {wanted[1]} shards to divide.")
            if found != wanted:
                if in_use and found is not None:
                    raise StorageError(
                        f"The bots that run on this database have SLOTS={found[0]} and SHARDS={found[1]}: "
                        "give this one the same, or stop them first."
                    )
                await guilds.spread_heartbeats(tx, count)
                await slots.lay_out(tx, *wanted)
            return await slots.take(tx, token)

    async def identified(self, shard_id: int) -> None:
        """Wait until a shard may identify itself. All processes take turns.

        A shard reserves no moment. discord.py gives up after a minute, and would waste a moment that was reserved.
        """
        try:
            while wait := await self._identification(shard_id % self._max_concurrency):  # noqa: ASYNC110 (no event)
                await asyncio.sleep(wait.total_seconds())
        except LeaseLost:
            raise
        except Exception:
            log.exception("cannot tell when other processes connect")
            await asyncio.sleep(IDENTIFIES.total_seconds())

    @retried
    async def _identification(self, bucket: int) -> timedelta:
        async with self._database.write() as tx:
            return await slots.begin_identification(tx, bucket, IDENTIFIES)

    async def _wait_for_connections(self, partition: Partition) -> None:
        """Wait until tomorrow's connections if too few are left today."""
        gateway = await self._gateway()
        if gateway.remaining < RESERVE + len(partition.shard_ids):
            log.error(
                "too few connections left today", remaining=gateway.remaining, seconds=gateway.reset_after.seconds
            )
            await asyncio.sleep(gateway.reset_after.total_seconds())

    async def _gateway(self) -> Gateway:
        shards, _, limit = await self._http.get_bot_gateway()
        self._max_concurrency = max(1, limit["max_concurrency"])
        reset_after = timedelta(milliseconds=limit["reset_after"])
        return Gateway(shards, limit["remaining"], reset_after, self._max_concurrency)
