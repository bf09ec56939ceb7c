"""The bot that fits its settings: with several connections to Discord, one for each of its shards, or with one."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Collection

import aiohttp
import discord
import structlog
from discord.ext import commands

from bot.cluster.gateway import CLOSED_FOR_GOOD, fullest_shard, servers_per_shard, warnings
from bot.settings import Settings
from bot.single_client import Tavoliere
from bot.storage.database import Database, in_sqlite
from bot.storage.slots import Partition
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LIMITS_ASKED_EVERY = 600.0
"""Seconds between two looks at how many connections are left."""
WARNED_EVERY = 86_400.0
"""Seconds between two warnings in the log."""


class ShardedTavoliere(Tavoliere, commands.AutoShardedBot):
    """The bot with several connections to Discord: all its shards, or on PostgreSQL the shards of its slot."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._out_of_reach: set[int] = set()
        """The shards that were connected and are not now."""
        self.turned_away = asyncio.Event()
        """Set when Discord has closed a connection for good with ``close_code`` while other shards still connect."""
        self.close_code: int | None = None
        self._warned_at: float | None = None

    async def _take_partition(self, database: Database) -> Partition:
        partition = await super()._take_partition(database)
        if database.sqlite:
            limits = await self.gateway.learn()
            partition = Partition(shards=self.settings.shards or limits.shards)
            await self.gateway.wait_for_connections(partition.shards)
        self.shard_count, self.shard_ids = partition.shards, partition.shard_ids
        return partition

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord lets one more connection identify itself, counted over all processes."""
        if self._membership is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._membership.wait_to_identify(shard_id)
        if self._closed_for_good():
            # Discord will not let this shard in either. ``launch_shards`` would go on to the last one.
            self.turned_away.set()
            await asyncio.Event().wait()
        self.gateway.identified()

    def _closed_for_good(self) -> bool:
        """Return whether Discord has closed the connection of a shard for good, and note its code."""
        # The queue in which discord.py keeps such an end is private, and read only after the last shard.
        codes = [shard._parent.ws.socket.close_code for shard in self.shards.values() if shard.is_closed()]
        self.close_code = next((code for code in codes if code in CLOSED_FOR_GOOD), None)
        return self.close_code is not None

    async def _open(self) -> Database:
        database = await super()._open()
        if self._health is not None:
            self._health.warnings, self._health.refresh = self.warnings, self.refresh_metrics
        return database

    async def setup_hook(self) -> None:
        """Build everything, and look now and then how many connections are left and how full the shards are."""
        await super().setup_hook()
        self._workers.start(self._watch_limits(), "limits")

    async def on_ready(self) -> None:
        """Begin to serve, and say how full the shards are."""
        await super().on_ready()
        self._warn()

    async def _watch_limits(self) -> None:
        while True:
            await self.idle(asyncio.sleep(LIMITS_ASKED_EVERY), reason="the limits are known")
            try:
                await self.gateway.ask()
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                log.info("Discord does not say how many connections are left", error=repr(error))
            self._warn()

    def _warn(self) -> None:
        """Log the warnings for the operator, once a day."""
        now = time.monotonic()
        if (warnings := self.warnings()) and (self._warned_at is None or now >= self._warned_at + WARNED_EVERY):
            self._warned_at = now
            for warning in warnings:
                log.warning(warning)

    def warnings(self) -> Collection[str]:
        """Return warnings for the operator about limits that are nearly reached."""
        found = [*warnings(fullest_shard(self.guilds), self.shard_count or 1, self.gateway.limits)]
        if self._membership is not None and (clock := self._membership.warning) is not None:
            found.append(clock)
        return found

    def refresh_metrics(self) -> None:
        """Tell Prometheus of the connections and their servers."""
        known = self.shards
        metrics.SHARDS.set(len(self.shard_ids or ()))
        metrics.SHARDS_CONNECTED.set(sum(not shard.is_closed() for shard in known.values()))
        servers = servers_per_shard(self.guilds)
        for shard_id, shard in known.items():
            metrics.SERVERS.labels(str(shard_id)).set(servers[shard_id])
            if math.isfinite(shard.latency):
                metrics.GATEWAY_LATENCY_SECONDS.labels(str(shard_id)).set(shard.latency)

    async def on_disconnect(self) -> None:
        """Do nothing: ``on_shard_disconnect`` hears of each shard."""

    async def on_resumed(self) -> None:
        """Do nothing: ``on_shard_resumed`` hears of each shard."""

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Let nothing fall due while any shard is out of reach."""
        self._out_of_reach.add(shard_id)
        self._disconnected()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Go on once all shards are connected again."""
        self._shard_connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Go on once all shards are connected again."""
        self._shard_connected(shard_id)

    def _shard_connected(self, shard_id: int) -> None:
        if shard_id in self._out_of_reach:
            self._out_of_reach.remove(shard_id)
            if not self._out_of_reach:
                self._connected()


def create_bot(settings: Settings, *, sharded: bool = False) -> Tavoliere:
    """Return a bot for these settings; start it with its token, or attach it to a simulated Discord.

    On SQLite a ``sharded`` bot asks Discord how many connections its servers need; another one has a single connection.
    """
    if settings.discord_api_url:
        # All HTTP calls go there, with answers to interactions; the gateway does not.
        discord.http.Route.BASE = settings.discord_api_url
    several = sharded or (settings.shards is not None and settings.shards > 1)
    return ShardedTavoliere(settings) if several or not in_sqlite(settings.database_url) else Tavoliere(settings)
