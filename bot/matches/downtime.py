"""Notices time in which nobody could play, however it came about, and gives it back to every clock, once.

The bot was not running, it was suspended, it could not store anything, Discord was out of reach, or the machine's clock
was set. A heartbeat notes that people could play: what lies between two of them, beyond the usual, was lost to all.
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
"""Shorter gaps are none."""
NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment by the machine's clock, which may be set, and by one in seconds that only goes on."""

    at: datetime
    monotonic: float


class Downtime:
    """Keeps the heartbeats. ``heartbeat`` is the usual time between two; ``monotonic`` never goes back.

    Whoever decides something by the time has ``credit_missed`` done first: after a suspension that may be the first
    to notice it.
    """

    def __init__(
        self,
        context: ServiceContext,
        heartbeat: timedelta,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        self._context = context
        self._heartbeat = heartbeat
        # Looked up now, because simulations replace it.
        self._monotonic = time.monotonic if monotonic is None else monotonic
        self._last: Moment | None = None
        self._crediting = asyncio.Lock()
        self.away = False
        """Whether Discord is out of reach now."""
        self._was_away = False

    def begin(self) -> None:
        """Judge nothing that was before now, but time without Discord that lasts still."""
        if not self.away:
            self._last = None

    def disconnected(self) -> None:
        """Note that Discord is out of reach, until ``connected``."""
        if not self.away and self._missed() == NOTHING:
            self._last = self._now()
        self.away = self._was_away = True

    def connected(self) -> None:
        """Note that Discord is there again."""
        self.away = False

    @retried
    async def credit_downtime(self) -> timedelta:
        """Give the time since the last heartbeat of an earlier life back; return how long that was."""
        now = self._now()
        async with self._context.database.write() as tx:
            last = await guilds.last_heartbeat(tx, self._context.share.slot)
            gap = NOTHING if last is None else now.at - last
            missed = gap if gap > FORGIVEN else NOTHING
            await self._shift(tx, missed)
            await guilds.beat(tx, now.at, self._context.share.slot)
        self._credited(now, missed)
        return missed

    @retried
    async def credit_missed(self) -> None:
        """Give the time back in which nobody could play since the last heartbeat, if there is any."""
        if self._missed() == NOTHING:
            self._was_away = self.away
            return
        async with self._crediting:
            now, missed = self._now(), self._missed()
            if missed != NOTHING:
                jump = self._jump(now)
                async with self._context.database.write() as tx:
                    await self._shift(tx, missed)
                    await challenges.shift_open(tx, jump, self._context.share)
                    await guilds.beat(tx, now.at, self._context.share.slot)
                self._credited(now, missed)

    @retried
    async def beat(self) -> None:
        """Note that people can play, if there is nothing to be credited."""
        async with self._crediting:
            now = self._now()
            if self._missed() != NOTHING:
                return
            async with self._context.database.write() as tx:
                await guilds.beat(tx, now.at, self._context.share.slot)
            self._last = now
            self._was_away = self.away

    def until_next_beat(self) -> timedelta:
        """Return when the next heartbeat is due."""
        if self._last is None:
            return NOTHING
        return self._heartbeat - timedelta(seconds=self._monotonic() - self._last.monotonic)

    def _now(self) -> Moment:
        return Moment(self._context.clock(), self._monotonic())

    def _missed(self) -> timedelta:
        """Return how far the clocks have to be moved: back, where the machine's clock was set back."""
        if self._last is None:
            return NOTHING
        now = self._now()
        elapsed = timedelta(seconds=now.monotonic - self._last.monotonic)
        usual = FORGIVEN if self._was_away else self._heartbeat + FORGIVEN
        return self._jump(now) + (elapsed if elapsed > usual else NOTHING)

    def _jump(self, now: Moment) -> timedelta:
        """Return by how much the machine's clock was set since the last heartbeat, or stood still in a suspension."""
        if self._last is None:
            return NOTHING
        jump = now.at - self._last.at - timedelta(seconds=now.monotonic - self._last.monotonic)
        return jump if abs(jump) > FORGIVEN else NOTHING

    async def _shift(self, tx: AsyncConnection, by: timedelta) -> None:
        if by != NOTHING:
            await clocks.shift(tx, await due.with_clock(tx, self._context.share), by)

    def _credited(self, now: Moment, missed: timedelta) -> None:
        self._last = now
        self._was_away = self.away
        if missed != NOTHING:
            log.info("downtime credited to every clock", seconds=missed.total_seconds())
