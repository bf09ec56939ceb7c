"""Wakes up when something falls due: reminders, deadlines, challenges that expire, what can be forgotten.

It also notes again and again that the bot is alive, so that the next start knows how long nobody could move.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from bot.matches import clocks
from bot.matches.idle import Idle
from bot.matches.services import Services
from bot.storage.queries import challenges, guilds, matches, outbox

log = structlog.get_logger(__name__)

REMEMBERED = timedelta(days=2)
"""How long answered interactions and said errands are kept; Discord's own tokens live fifteen minutes."""
KEPT_UNSAID = timedelta(days=60)
"""How long it is kept what there was no place for: a server may let the bot speak again."""
FORGIVEN = timedelta(seconds=5)
"""Shorter gaps between two lives are no downtime."""
AFTER_FAILURE = timedelta(seconds=30)


class Timekeeper:
    """Sleeps until the next due time, does what is due, and starts over."""

    def __init__(self, services: Services, idle: Callable[[], Idle], heartbeat: timedelta) -> None:
        self._context = services.context
        self._services = services
        self._idle = idle
        self._heartbeat = heartbeat
        self._next_beat: datetime | None = None
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look at the due times again, because there may be an earlier one."""
        self._news.set()

    async def run(self) -> None:
        """Keep time for ever; cancel it to stop."""
        while True:
            self._news.clear()
            try:
                pause = await self._do_due()
            except Exception:
                log.exception("could not do what is due")
                pause = AFTER_FAILURE
            with contextlib.suppress(TimeoutError):
                await self._idle()(self._wait(pause.total_seconds()), reason="nothing is due")

    async def _wait(self, seconds: float) -> None:
        async with asyncio.timeout(seconds):
            await self._news.wait()

    async def credit_downtime(self) -> timedelta:
        """Give every running clock the time back in which the bot was not there; return how long that was."""
        now = self._context.clock()
        async with self._context.database.write() as tx:
            last = await guilds.last_heartbeat(tx)
            gap = timedelta(0) if last is None else max(now - last, timedelta(0))
            if gap > FORGIVEN:
                await clocks.shift(tx, await matches.with_clock(tx), gap)
            await guilds.beat(tx, now)
        if gap > FORGIVEN:
            log.info("downtime credited to every clock", seconds=gap.total_seconds())
        return gap

    async def beat(self) -> None:
        """Note that the bot is alive."""
        async with self._context.database.write() as tx:
            await guilds.beat(tx, self._context.clock())

    async def _do_due(self) -> timedelta:
        """Do what is due; return for how long nothing else will be."""
        now = self._context.clock()
        due = await self._next_due()
        if due is not None and due <= now:
            await self._services.challenges.expire()
            await self._services.leaving.remind()
            await self._services.leaving.notice_late()
            due = await self._next_due()
        if self._next_beat is None or self._next_beat <= now:
            async with self._context.database.write() as tx:
                await guilds.beat(tx, now)
                await outbox.forget(tx, now - REMEMBERED, now - KEPT_UNSAID)
            self._next_beat = now + self._heartbeat
            # Another process may have brought something that has to be said, as an import does.
            self._context.wake()
        until = self._next_beat if due is None else min(due, self._next_beat)
        return max(timedelta(0), until - self._context.clock())

    async def _next_due(self) -> datetime | None:
        async with self._context.database.read() as tx:
            times = (await challenges.next_expiry(tx), await matches.next_due(tx))
        return min((time for time in times if time is not None), default=None)
