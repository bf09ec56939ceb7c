"""Wakes up when something falls due: challenges that expire, and what was answered long ago and can be forgotten."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Protocol

import structlog

from bot.matches.challenges import Challenges
from bot.matches.context import Context
from bot.storage.queries import challenges, outbox

log = structlog.get_logger(__name__)

REMEMBERED = timedelta(days=2)
"""How long answered interactions and said errands are kept; Discord's own tokens live fifteen minutes."""
LONGEST_SLEEP = timedelta(hours=6)
AFTER_FAILURE = timedelta(seconds=30)


class Idle(Protocol):
    """How to wait for something that may never come. Replaced where time is simulated."""

    def __call__(self, awaitable: Awaitable[Any], /, *, reason: str) -> Awaitable[Any]: ...


class Timekeeper:
    """Sleeps until the next due time, does what is due, and starts over."""

    def __init__(self, context: Context, service: Challenges, idle: Callable[[], Idle]) -> None:
        self._context = context
        self._service = service
        self._idle = idle
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

    async def _do_due(self) -> timedelta:
        now = self._context.clock()
        async with self._context.database.read() as tx:
            due = await challenges.next_expiry(tx)
        if due is not None and due <= now:
            await self._service.expire()
            return timedelta(0)
        async with self._context.database.write() as tx:
            await outbox.forget(tx, now - REMEMBERED)
        return LONGEST_SLEEP if due is None else min(due - now, LONGEST_SLEEP)
