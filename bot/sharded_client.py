"""The bot with several connections to Discord: all its shards, or on PostgreSQL those of a slot that it takes."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from discord.ext import commands

from bot.client import SHUTDOWN_TIMEOUT, Tavoliere
from bot.handover import Handover
from bot.settings import Settings
from bot.slots import SlotTaker
from bot.storage.database import Database
from bot.storage.errors import LeaseLost, explained
from bot.storage.registration import BOT, Registration
from bot.storage.slots import Partition
from bot.storage.transactions import retry_until_stored


class ShardedTavoliere(Tavoliere, commands.AutoShardedBot):
    """One of several bots, or one bot with several connections."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._slots: SlotTaker | None = None
        self._handover: Handover | None = None
        self._out_of_reach: set[int] = set()
        """The shards that were connected and are not now."""
        self._stopping: asyncio.Task[None] | None = None
        self._taking_over = asyncio.Lock()

    async def _take_share(self, database: Database) -> Partition:
        if database.sqlite:
            share = await super()._take_share(database)
        else:
            share = await self._take_slot(database)
        self.shard_count, self.shard_ids = share.shards, share.shard_ids
        return share

    async def _take_slot(self, database: Database) -> Partition:
        self._slots = SlotTaker(database, self.http, self.settings)
        self._registration = Registration(database, BOT, self._wake_here, self._lose, calls=self.calls)
        lease = self._registration.lease.total_seconds()
        told = self._registration
        self.calls.join(database, self.settings.slots, lease, told.hold, told.lapsed)
        self._handover = Handover(database, self._registration)
        if self._health is not None:
            self._health.share = None
        with explained(database.url):
            await self._registration.open()
            slot = await self._slots.take()
        self._handover.take(slot)
        self.calls.serving = True
        if self._health is not None and not self._handover.pending:
            self._health.share = slot.share
        return slot.share

    async def _begin(self) -> None:
        """Begin to serve, unless another bot does until this one is ready."""
        if self._handover is None or not self._handover.pending:
            await super()._begin()

    async def on_ready(self) -> None:
        """Begin to serve, and tell a bot that waits for that with its stop."""
        async with self._taking_over:
            succeeds = self._handover is not None and self._handover.pending
            if succeeds and not await self._taken_over():
                self._lose()
                return
        await super().on_ready()
        if succeeds:
            # Not before: the other one, of an older version, would have been asked for commands it does not know.
            await self._register_commands()

    async def _taken_over(self) -> bool:
        """Begin to serve in another bot's place; return whether that was still to be had."""
        assert self._handover is not None
        try:
            if not await self._handover.succeed():
                return False
            await retry_until_stored(self._begin_work)
        except LeaseLost:
            return False
        if self._health is not None:
            self._health.share = self.context.services.context.share
        return True

    async def _claim(self, interaction: discord.Interaction[Any]) -> bool:
        return self._handover is None or await self._handover.claim(interaction)

    async def hand_over(self, at_once: asyncio.Event) -> None:
        """Let a bot that stands by take over; what this one has claimed by then it still answers."""
        if self._handover is None or self._downtime is None:
            return
        if await self._handover.give(self._downtime.beat, at_once):
            await self.context.in_flight.finished(SHUTDOWN_TIMEOUT)

    async def close(self) -> None:
        """Close everything."""
        if self._stopping is not None and self._stopping is not asyncio.current_task():
            await asyncio.gather(self._stopping, return_exceptions=True)
        if self._handover is not None:
            await self._handover.close()
        await super().close()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord lets one more connection identify itself, whichever process that belongs to."""
        if self._slots is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._slots.identified(shard_id)

    async def on_disconnect(self) -> None:
        """Leave it to what is told of each shard."""

    async def on_resumed(self) -> None:
        """Leave it to what is told of each shard."""

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Let nothing fall due while any of the shards is out of reach."""
        self._out_of_reach.add(shard_id)
        self._disconnected()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Go on once all are there again."""
        self._shard_connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Go on once all are there again."""
        self._shard_connected(shard_id)

    def _shard_connected(self, shard_id: int) -> None:
        if shard_id in self._out_of_reach:
            self._out_of_reach.remove(shard_id)
            if not self._out_of_reach:
                self._connected()

    def _wake_here(self) -> None:
        super()._wake_here()
        if self._slots is not None:
            self._slots.wake()
        if self._handover is not None:
            self._handover.wake()

    def _lose(self) -> None:
        """Stop: others have taken over from this bot while it did not answer for itself."""
        if not self.lost.is_set():
            self.lost.set()
            self._stopping = asyncio.create_task(self.close())
