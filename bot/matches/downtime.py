"""Finds downtime, whatever its cause, and gives it back to every clock exactly once.

The bot may have been stopped, suspended, or without storage; Discord may have been out of reach; the machine's clock
may have been set. Heartbeats record that people could play. A longer gap between two of them is downtime.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks
from bot.storage import challenges, due, guilds
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

FORGIVEN = timedelta(seconds=5)
"""Shorter gaps are not counted as downtime."""
NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment on two clocks: the machine's, which may be set, and a monotonic one in seconds."""

    at: datetime
    monotonic: float


class Downtime:
    """Writes heartbeats and credits downtime. ``heartbeat`` is the time between two; ``monotonic`` never goes back.

    Code that compares a deadline with the time calls ``credit_missed`` first, because it may be the first code to run
    after a suspension.
    """

    def __init__(
        self,
        context: ServiceContext,
        heartbeat: timedelta,
        monotonic: Callable[[], float] | None = None,
        servers: Callable[[], int] | None = None,
    ) -> None:
        self._context = context
        self._heartbeat = heartbeat
        self._servers = servers
        """Returns how many servers the fullest shard of this process has."""
        # Looked up now, because simulations replace it.
        self._monotonic = time.monotonic if monotonic is None else monotonic
        self._last: Moment | None = None
        self._crediting = asyncio.Lock()
        self.away = False
        """Whether Discord is out of reach at the moment."""
        self._was_away = False

    def begin(self) -> None:
        """Start measuring now, unless Discord has been out of reach since before."""
        if not self.away:
            self._last = None

    def disconnected(self) -> None:
        """Note that Discord is out of reach until ``connected`` is called."""
        if not self.away and self._missed() == NOTHING:
            self._last = self._now()
        self.away = self._was_away = True

    def connected(self) -> None:
        """Note that Discord can be reached again."""
        self.away = False

    @retried
    async def credit_downtime(self) -> timedelta:
        """Credit the time since the last heartbeat of an earlier run of the bot, and return it.

        Clocks stop in matches that this process cannot play, and go on where it can again.
        """
        now = self._now()
        async with self._context.database.write() as tx:
            last = await guilds.last_heartbeat(tx, self._context.partition.slot)
            gap = NOTHING if last is None else now.at - last
            missed = gap if gap > FORGIVEN else NOTHING
            await self._shift(tx, missed)
            await clocks.compare_rules(tx, self._context.rules, self._context.partition, now.at)
            await guilds.beat(tx, now.at, self._context.partition.slot)
        self._credited(now, missed)
        return missed

    @retried
    async def credit_missed(self) -> None:
        """Credit the downtime since the last heartbeat, if there was any."""
        if self._missed() == NOTHING:
            self._was_away = self.away
            return
        async with self._crediting:
            now, missed = self._now(), self._missed()
            if missed != NOTHING:
                jump = self._jump(now)
                async with self._context.database.write() as tx:
                    await self._shift(tx, missed)
                    await challenges.shift_open(tx, jump, self._context.partition)
                    await guilds.beat(tx, now.at, self._context.partition.slot)
                self._credited(now, missed)

    @retried
    async def beat(self) -> None:
        """Store a heartbeat, unless there is downtime to credit first."""
        async with self._crediting:
            now = self._now()
            if self._missed() != NOTHING:
                return
            async with self._context.database.write() as tx:
                servers = None if self._servers is None else self._servers()
                await guilds.beat(tx, now.at, self._context.partition.slot, servers)
            self._last = now
            self._was_away = self.away

    def until_next_beat(self) -> timedelta:
        """Return the time left until the next heartbeat is due."""
        if self._last is None:
            return NOTHING
        return self._heartbeat - timedelta(seconds=self._monotonic() - self._last.monotonic)

    def _now(self) -> Moment:
        return Moment(self._context.clock(), self._monotonic())

    def _missed(self) -> timedelta:
        """Return how far to move the clocks; negative if the machine's clock was set back."""
        if self._last is None:
            return NOTHING
        now = self._now()
        elapsed = timedelta(seconds=now.monotonic - self._last.monotonic)
        usual = FORGIVEN if self._was_away else self._heartbeat + FORGIVEN
        return self._jump(now) + (elapsed if elapsed > usual else NOTHING)

    def _jump(self, now: Moment) -> timedelta:
        """Return the time since the last heartbeat that only the machine's clock counted: it was set, or suspended."""
        if self._last is None:
            return NOTHING
        jump = now.at - self._last.at - timedelta(seconds=now.monotonic - self._last.monotonic)
        return jump if abs(jump) > FORGIVEN else NOTHING

    async def _shift(self, tx: AsyncConnection, by: timedelta) -> None:
        if by != NOTHING:
            await clocks.shift(tx, await due.with_clock(tx, self._context.partition), by)

    def _credited(self, now: Moment, missed: timedelta) -> None:
        self._last = now
        self._was_away = self.away
        if missed != NOTHING:
            log.info("downtime credited to every clock", seconds=missed.total_seconds())
