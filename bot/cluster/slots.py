"""Which of Discord's shards this process connects: it takes a slot from the database as soon as one is free."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from functools import partial
from math import ceil

import structlog

from bot.cluster.gateway import Gateway
from bot.settings import Settings
from bot.storage import guilds, locks, slots
from bot.storage.database import Database
from bot.storage.errors import ImpossibleSetting
from bot.storage.slots import Slot
from bot.storage.transactions import cancel_all, retried, retry_until_stored
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LOOKED_EVERY = 1.0
"""Seconds between two looks for a free slot, unless another process tells of one."""
IDENTIFIES = timedelta(seconds=5)
"""The time between two connections of a bucket. Discord counts ``max_concurrency`` buckets."""
PROMPT = timedelta(seconds=1)
"""A connection that was allowed longer ago than this asks again: another one may have identified itself meanwhile."""


class SlotTaker:
    """Takes a slot for a registered process. Call ``wake`` when a slot may have become free."""

    def __init__(self, database: Database, gateway: Gateway, settings: Settings) -> None:
        self._database = database
        self._gateway = gateway
        self._settings = settings
        self._news = asyncio.Event()
        self._noting: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        """Look for a free slot soon."""
        self._news.set()

    async def take(self) -> Slot:
        """Wait for a free slot, or for a holder that hands one over, and take it. ``holder`` is that process then.

        Waits while the database or Discord is away. Raises ``ImpossibleSetting`` if other processes divide the shards
        differently.
        """
        limits = await self._gateway.learn()
        standing_by = False
        while True:
            self._news.clear()
            slot = await retry_until_stored(
                partial(self._take, self._settings.slots, self._settings.shards, limits.shards)
            )
            if slot is not None:
                self._gateway.stand_by_no_longer()
                partition = slot.partition
                event = "slot taken" if slot.successor is None else "slot being taken over"
                metrics.SLOTS_TAKEN.labels("free" if slot.successor is None else "handed over").inc()
                log.info(event, slot=partition.slot, slots=partition.slots, shards=partition.shards)
                return slot
            if not standing_by:
                log.info("standing by: every slot is taken")
                standing_by = True
            await self._gateway.stand_by(ceil((self._settings.shards or limits.shards) / self._settings.slots))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOKED_EVERY)

    @retried
    async def _take(self, count: int, shards: int | None, recommended: int) -> Slot | None:
        token = self._database.token
        assert token is not None
        async with self._database.write() as tx:
            await locks.layout(tx)
            found = await slots.layout(tx)
            in_use = found is not None and await slots.any_held(tx)
            if in_use and found is not None:
                recommended = found[1]
            wanted = count, recommended if shards is None else shards
            if count > wanted[1]:
                raise ImpossibleSetting(f"SLOTS is {count}, but there are no more than {wanted[1]} shards to divide.")
            if found != wanted:
                if in_use and found is not None:
                    raise ImpossibleSetting(
                        f"The bots that run on this database have SLOTS={found[0]} and SHARDS={found[1]}: "
                        "give this one the same, or stop them first."
                    )
                await guilds.spread_heartbeats(tx, count)
                await slots.lay_out(tx, *wanted)
            return await slots.take(tx, token)

    async def may_identify(self, shard_id: int) -> None:
        """Wait until a shard may identify itself, which it then does at once. All processes take turns.

        A shard reserves no moment: discord.py gives up after a minute, and would waste a moment that was reserved. What
        counts is when the IDENTIFY is sent. So a shard that was paused since it was allowed asks again, and notes the
        time once more when it has sent it.
        """
        limits = self._gateway.limits
        bucket = shard_id % (1 if limits is None else limits.max_concurrency)
        clock = asyncio.get_running_loop().time
        while True:
            asked_at = clock()
            wait = await retry_until_stored(partial(self._identification, bucket))
            if not wait and clock() - asked_at < PROMPT.total_seconds():
                break
            await asyncio.sleep(wait.total_seconds())
        # This task sends the IDENTIFY before it lets another one run.
        noting = asyncio.create_task(self._note(bucket), name=f"IDENTIFY of shard {shard_id}")
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)

    @retried
    async def _identification(self, bucket: int) -> timedelta:
        async with self._database.write() as tx:
            return await slots.begin_identification(tx, bucket, IDENTIFIES + PROMPT)

    async def _note(self, bucket: int) -> None:
        try:
            async with self._database.write() as tx:
                await slots.note_identification(tx, bucket, IDENTIFIES)
        except Exception as error:
            log.warning("the next connection waits a little longer", error=repr(error))

    async def close(self) -> None:
        """Stop what is under way."""
        await cancel_all(self._noting)
