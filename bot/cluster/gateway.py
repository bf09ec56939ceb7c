"""Discord's limits for connecting a bot: how many shards it recommends, and how many connections are left today.

Discord counts each IDENTIFY, and takes a token from a bot that uses up those of a day. So a start leaves some of them
for connections that break, and waits for the next day otherwise.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

import aiohttp
import discord
import structlog

from bot.calls import NotCalled
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

RESERVE = 50
"""Connections of a day that a start leaves for connections that break."""
IDENTIFIES_APART = 5.0
"""Seconds between two connections of a bucket. Discord counts ``max_concurrency`` buckets."""
ASKED_AGAIN = 5.0
"""Seconds between two attempts to ask Discord."""
SPARE_ASKS_EVERY = 300.0
"""Seconds after which a process that stands by asks Discord again how many connections are left."""
MANY_SERVERS = 2_000
"""Servers of one shard from which on it is time for more shards: Discord connects none with more than 2,500."""
UNAUTHORIZED = 401
CLOSED_FOR_GOOD = {4004, 4010, 4011, 4012, 4013, 4014}
"""Codes with which Discord closes a connection that another attempt cannot open."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """How many shards Discord recommends, how many connections are left, and until when; ``shards`` counts all."""

    shards: int
    remaining: int
    reset_after: timedelta
    max_concurrency: int


class Gateway:
    """Asks Discord for the limits of the token, and keeps its last answer."""

    def __init__(self, http: discord.http.HTTPClient) -> None:
        self._http = http
        self.limits: SessionLimits | None = None
        """Discord's last answer, less the connections that this process has begun since."""
        self._waits_until: float | None = None
        self._asked_at = 0.0
        self._spare_for: int | None = None
        self._identifies_from: dict[int, float] = {}
        """When the next connection of a bucket may identify itself, by the event loop's clock."""

    @property
    def waiting(self) -> str | None:
        """Return why this process does not connect now, or could not take over; None if it may."""
        if self.limits is None:
            return None
        remaining = f"only {self.limits.remaining} connections to Discord left today"
        if self._waits_until is not None:
            minutes = max(0.0, self._waits_until - time.monotonic()) / 60
            return f"{remaining}, connecting in {minutes:.0f} minutes"
        if self._spare_for is not None and self.limits.remaining < RESERVE + self._spare_for:
            return f"standing by, but {remaining}: too few to take over"
        return None

    async def stand_by(self, shards: int) -> None:
        """Refresh the session limit every few minutes, for a take-over that would connect ``shards``."""
        self._spare_for = shards
        if time.monotonic() < self._asked_at + SPARE_ASKS_EVERY:
            return
        try:
            async with asyncio.timeout(ASKED_AGAIN):
                await self.ask()
        except discord.LoginFailure:
            raise
        except (NotCalled, discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            self._asked_at = time.monotonic()
            log.warning("Discord does not say how many connections are left", error=repr(error))

    def stand_by_no_longer(self) -> None:
        """Note that this process connects."""
        self._spare_for = None

    async def ask(self) -> SessionLimits:
        """Ask Discord once. Raises the errors of discord.py and aiohttp, and ``LoginFailure`` for a revoked token."""
        try:
            shards, _, limit = await self._http.get_bot_gateway()
            self.limits = SessionLimits(
                int(shards),
                int(limit["remaining"]),
                timedelta(milliseconds=limit["reset_after"]),
                max(1, limit["max_concurrency"]),
            )
        except discord.GatewayNotFound as error:
            if isinstance(error.__cause__, discord.HTTPException) and error.__cause__.status == UNAUTHORIZED:
                raise discord.LoginFailure("Discord no longer accepts the token.") from error
            raise
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            # What answers may be a server between Discord and the bot.
            raise discord.GatewayNotFound from error
        self._asked_at = time.monotonic()
        metrics.IDENTIFIES_LEFT.set(self.limits.remaining)
        return self.limits

    async def learn(self) -> SessionLimits:
        """Ask Discord until it answers, and say meanwhile what is in the way. Raises ``LoginFailure``."""
        while True:
            try:
                return await self.ask()
            except discord.LoginFailure:
                raise
            except NotCalled as error:
                log.warning("Discord not asked how to connect, tried again soon", reason=str(error))
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                log.warning("Discord does not say how to connect, tried again soon", error=repr(error))
            await asyncio.sleep(ASKED_AGAIN)

    async def wait_for_connections(self, shards: int) -> None:
        """Wait for the daily reset if connecting ``shards`` would eat the reserve for reconnects."""
        limits = await self.learn()
        while limits.remaining < RESERVE + shards:
            seconds = limits.reset_after.total_seconds()
            log.error("too few connections left today", remaining=limits.remaining, seconds=round(seconds))
            self._waits_until = time.monotonic() + seconds
            await asyncio.sleep(seconds)
            limits = await self.learn()
        self._waits_until = None

    async def wait_to_identify(self, shard_id: int) -> None:
        """Wait until Discord lets a shard identify itself, which it then does at once."""
        bucket = shard_id % (1 if self.limits is None else self.limits.max_concurrency)
        clock = asyncio.get_running_loop().time
        while (wait := self._identifies_from.get(bucket, 0.0) - clock()) > 0:  # noqa: ASYNC110 (no event)
            await asyncio.sleep(wait)
        self._identifies_from[bucket] = clock() + IDENTIFIES_APART

    def identified(self) -> None:
        """Count a connection that this process begins."""
        if self.limits is not None:
            self.limits = replace(self.limits, remaining=self.limits.remaining - 1)
            metrics.IDENTIFIES_LEFT.set(self.limits.remaining)


def servers_per_shard(guilds: Iterable[discord.Guild]) -> Counter[int]:
    return Counter(guild.shard_id for guild in guilds)


def fullest_shard(guilds: Iterable[discord.Guild]) -> int:
    """Return the number of servers of the shard that has most."""
    return max(servers_per_shard(guilds).values(), default=0)


def warnings(servers: int, shards: int | None = None, limits: SessionLimits | None = None) -> Collection[str]:
    """Return warnings for the operator about limits that are nearly reached.

    ``servers`` are those of the fullest shard, ``shards`` all shards there are now, if that is known.
    """
    texts = []
    if servers >= MANY_SERVERS:
        now = "" if shards is None else f"; now {shards}"
        if shards is not None and limits is not None and limits.shards > shards:
            now += f", Discord recommends {limits.shards}"
        texts.append(
            f"a shard has {servers} servers, and Discord connects none with more than 2500: restart the bot with more "
            f"shards (SHARDS left out{now})"
        )
    if limits is not None and limits.remaining < RESERVE:
        remaining = f"only {limits.remaining} connections to Discord left today"
        texts.append(f"{remaining}: find out what used them, and restart nothing")
    return texts
