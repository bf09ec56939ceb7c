"""Wakes up when something falls due: reminders, deadlines, challenges that expire, cups that begin, old rows to delete.

It also writes the heartbeats by which downtime is found and given back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta

import structlog

from bot.matches.downtime import Downtime
from bot.matches.service_context import Idle, call_each, wait_at_most
from bot.matches.services import Services
from bot.matches.services.page_access import KEY_SIGNS, LINK_VALID
from bot.storage import abuse_counters, due, interactions, outbox, page_access, responses
from bot.storage.shards import Shard
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

PROCESSED_KEPT = timedelta(days=2)
"""How long processed interactions and sent messages are kept; Discord's own tokens live fifteen minutes."""
KEPT_DROPPED = timedelta(days=60)
"""How long dropped messages are kept, in case a server lets the bot post again."""
AFTER_FAILURE = timedelta(seconds=5)


class DueScheduler:
    """Sleeps until the next due time, does what is due, and starts over.

    It sleeps for one heartbeat at most, measured by the monotonic clock. What can wait is done ``every`` so often, and
    not at the start.
    """

    def __init__(
        self,
        services: Services,
        idle: Callable[[], Idle],
        downtime: Downtime,
        every: timedelta = timedelta(minutes=1),
    ) -> None:
        self._services = services
        self._idle = idle
        self._downtime = downtime
        self._every = every.total_seconds()
        self._rest_due = downtime.monotonic() + self._every
        self._failure = ""
        self._news = asyncio.Event()
        services.database.signals.on_due.append(self.wake)

    def wake(self) -> None:
        """Look at the due times again: there may be an earlier one."""
        self._news.set()

    def disconnected(self) -> None:
        """Let nothing fall due while Discord is out of reach, because no player could react."""
        self._downtime.disconnected()

    def connected(self, out_of_reach: Collection[Shard] = ()) -> None:
        """Go on, but not in the servers of single shards ``out_of_reach``, and credit the time without Discord."""
        if self._downtime.connected(out_of_reach):
            self.wake()

    async def run(self) -> None:
        """Do what falls due, until cancelled."""
        self._downtime.begin()
        while True:
            self._news.clear()
            try:
                pause = await self._do_due()
                self._failure = ""
            except Exception as error:
                if repr(error) != self._failure:
                    log.exception("due work failed")
                self._failure, pause = repr(error), AFTER_FAILURE
            with contextlib.suppress(TimeoutError):
                await self._idle()(wait_at_most(pause.total_seconds(), self._news), reason="nothing is due")

    async def _do_due(self) -> timedelta:
        """Do what is due; return the time until the next due time.

        A failure does not keep the rest from being done; it is raised at the end.
        """
        if self._downtime.away:
            return AFTER_FAILURE
        await self._downtime.credit_missed()
        next_due = await self._next_due()
        services, work = self._services, list[Callable[[], Awaitable[object]]]()
        is_due = next_due is not None and next_due <= services.clock()
        if is_due:
            work += services.challenges.expire, services.forfeits.remind, services.forfeits.notice_late
            work.append(services.forfeits.tell_held)
            work += services.daily_puzzles.post_due, services.cups.begin_due
            work.append(services.absences.take_off_boards)
            work += services.ladders.queue_due, services.personal_settings.end_quiet_hours, services.digests.send_due
        if self._downtime.until_next_beat() <= timedelta(0):
            work.append(self._downtime.beat)
        if (now := self._downtime.monotonic()) >= self._rest_due:
            self._rest_due = now + self._every
            work += (
                self._forget,
                services.departures.delete_departed,
                services.cups.go_on,
                services.challenges.ask_who_left,
                services.database.empty_log,
            )
            # A command of an operator tells no bot of what it stores.
            services.database.signals.received()
        await call_each("due work that failed", work)
        if is_due:
            next_due = await self._next_due()
        pause = self._downtime.until_next_beat()
        return max(timedelta(0), pause if next_due is None else min(next_due - self._services.clock(), pause))

    @retried
    async def _forget(self) -> None:
        now = self._services.clock()
        async with self._services.database.write() as tx:
            await interactions.delete_old(tx, now - PROCESSED_KEPT)
            await outbox.delete_old(tx, now - PROCESSED_KEPT, now - KEPT_DROPPED)
            await responses.delete_expired(tx, now)
            await page_access.delete_old(tx, now, now - KEY_SIGNS - LINK_VALID)
            await abuse_counters.forget(tx, now)

    async def _next_due(self) -> datetime | None:
        async with self._services.database.read() as tx:
            return await due.next_due(tx, self._services.quarantined, self._services.away)
