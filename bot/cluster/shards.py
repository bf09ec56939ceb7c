"""The connections of a process to Discord: which are out of reach, how full they are, and how many are left today."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

import aiohttp
import discord
import structlog

from bot.cluster.gateway import CLOSED_FOR_GOOD, Gateway, fullest_shard, servers_per_shard, warnings
from bot.matches.service_context import Idle
from bot.storage.shards import Shard
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LIMITS_ASKED_EVERY = 600.0
"""Seconds between two looks at how many connections are left."""
WARNED_EVERY = 86_400.0
"""Seconds between two warnings in the log."""


class Shards:
    """The shards of a client. ``clock_warning`` returns what there is to say of the machine's clock, if anything."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        gateway: Gateway,
        idle: Callable[[], Idle],
        clock_warning: Callable[[], str | None],
    ) -> None:
        self._client = client
        self._gateway = gateway
        self._idle = idle
        self._clock_warning = clock_warning
        self._out_of_reach: set[int] = set()
        """The shards that were connected and are not now."""
        self._warned_at: float | None = None

    def disconnected(self, shard_id: int) -> None:
        """Note that a shard is out of reach."""
        self._out_of_reach.add(shard_id)

    def connected(self, shard_id: int) -> bool:
        """Note that a shard is connected; return whether it was out of reach."""
        was_out = shard_id in self._out_of_reach
        self._out_of_reach.discard(shard_id)
        return was_out

    @property
    def out_of_reach(self) -> list[Shard]:
        """Each shard that was connected and is not now."""
        count = self._client.shard_count or 1
        return [Shard(number, count) for number in sorted(self._out_of_reach)]

    @property
    def all_out_of_reach(self) -> bool:
        """Whether no shard of this process is connected any more."""
        return len(self._out_of_reach) >= max(1, len(self._client.shards))

    def close_code(self) -> int | None:
        """Return the code with which Discord has closed the connection of a shard for good, if it has."""
        # The queue in which discord.py keeps such an end is private, and read only after the last shard.
        codes = [shard._parent.ws.socket.close_code for shard in self._client.shards.values() if shard.is_closed()]
        return next((code for code in codes if code in CLOSED_FOR_GOOD), None)

    async def watch(self) -> None:
        """Ask now and then how many connections are left, and warn the operator."""
        while True:
            await self._idle()(asyncio.sleep(LIMITS_ASKED_EVERY), reason="the limits are known")
            try:
                await self._gateway.ask()
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                log.info("Discord does not say how many connections are left", error=repr(error))
            self.warn()

    def warn(self) -> None:
        """Log the warnings for the operator, once a day."""
        now = time.monotonic()
        if (texts := self.warnings()) and (self._warned_at is None or now >= self._warned_at + WARNED_EVERY):
            self._warned_at = now
            for warning in texts:
                log.warning(warning)

    def warnings(self) -> list[str]:
        """Return warnings for the operator about limits that are nearly reached."""
        texts = [*warnings(fullest_shard(self._client.guilds), self._client.shard_count or 1, self._gateway.limits)]
        return texts if (clock := self._clock_warning()) is None else [*texts, clock]

    def refresh_metrics(self) -> None:
        """Tell Prometheus of the connections and their servers."""
        shards = self._client.shards
        metrics.SHARDS.set(len(self._client.shard_ids or ()))
        metrics.SHARDS_CONNECTED.set(sum(not shard.is_closed() for shard in shards.values()))
        servers = servers_per_shard(self._client.guilds)
        for shard_id, shard in shards.items():
            metrics.SERVERS.labels(str(shard_id)).set(servers[shard_id])
            if math.isfinite(shard.latency):
                metrics.GATEWAY_LATENCY_SECONDS.labels(str(shard_id)).set(shard.latency)
