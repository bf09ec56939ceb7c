"""Wakes up when something falls due: reminders, deadlines, challenges that expire, cups that begin, old rows to delete.

It also writes the heartbeats by which downtime is found and given back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

import structlog

from bot.matches.downtime import Downtime
from bot.matches.service_context import Idle
from bot.matches.services import Services
from bot.matches.services.eligibility import CALLED_OFF_WITHIN
from bot.matches.services.page_access import KEY_SIGNS, LINK_VALID
from bot.storage import challenges, due, interactions, outbox, page_access
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

REMEMBERED = timedelta(days=2)
"""How long processed interactions and sent messages are kept; Discord's own tokens live fifteen minutes."""
KEPT_DROPPED = timedelta(days=60)
"""How long dropped messages are kept, in case a server lets the bot post again."""
AFTER_FAILURE = timedelta(seconds=30)


class DueScheduler:
    """Sleeps until the next due time, does what is due, and starts over.

    It sleeps for one heartbeat at most, measured by the monotonic clock.
    """

    def __init__(self, services: Services, idle: Callable[[], Idle], downtime: Downtime) -> None:
        self._context = services.context
        self._services = services
        self._idle = idle
        self._downtime = downtime
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look at the due times again: there may be an earlier one."""
        self._news.set()

    def disconnected(self) -> None:
        """Let nothing fall due while Discord is out of reach, because no player could react."""
        self._downtime.disconnected()

    def connected(self) -> None:
        """Go on, and credit the time without Discord."""
        self._downtime.connected()
        self.wake()

    async def run(self) -> None:
        """Do what falls due, until cancelled."""
        self._downtime.begin()
        while True:
            self._news.clear()
            try:
                pause = await self._do_due()
            except Exception:
                log.exception("due work failed")
                pause = AFTER_FAILURE
            with contextlib.suppress(TimeoutError):
                await self._idle()(self._wait(pause.total_seconds()), reason="nothing is due")

    async def _wait(self, seconds: float) -> None:
        async with asyncio.timeout(seconds):
            await self._news.wait()

    async def _do_due(self) -> timedelta:
        """Do what is due; return the time until the next due time.

        A failure does not keep the rest from being done; it is raised at the end.
        """
        if self._downtime.away:
            return AFTER_FAILURE
        await self._downtime.credit_missed()
        next_due = await self._next_due()
        services, wanted = self._services, list[Callable[[], Awaitable[object]]]()
        if next_due is not None and next_due <= self._context.clock():
            wanted += services.challenges.expire, services.forfeits.remind, services.forfeits.notice_late
            wanted += services.daily_puzzles.post_due, services.cups.begin_due
        if self._downtime.until_next_beat() <= timedelta(0):
            wanted += self._downtime.beat, self._forget, services.membership.delete_departed, services.cups.go_on
            wanted += (self._context.database.empty_log,)
            # Another process, such as a command, may have added messages to the outbox.
            self._context.wake()
        if wanted:
            await _each(wanted)
            next_due = await self._next_due()
        pause = self._downtime.until_next_beat()
        return max(timedelta(0), pause if next_due is None else min(next_due - self._context.clock(), pause))

    @retried
    async def _forget(self) -> None:
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await interactions.forget(tx, now - REMEMBERED)
            await outbox.forget(tx, now - REMEMBERED, now - KEPT_DROPPED)
            await page_access.forget(tx, now, now - KEY_SIGNS - LINK_VALID)
            await challenges.forget_called_off(tx, now - CALLED_OFF_WITHIN)

    async def _next_due(self) -> datetime | None:
        async with self._context.database.read() as tx:
            return await due.next_due(tx, self._services.quarantined, self._context.partition)


async def _each(wanted: Iterable[Callable[[], Awaitable[object]]]) -> None:
    """Call one after the other; raise the failures at the end."""
    failed: list[Exception] = []
    for do in wanted:
        try:
            await do()
        except Exception as error:
            failed.append(error)
    if failed:
        raise ExceptionGroup("some due work failed", failed)
