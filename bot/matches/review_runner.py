"""Has the reviews that are asked for made in the background; one that was begun before a crash goes on where it was."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

import structlog

from bot.matches.idle import Idle
from bot.matches.model.refusals import Refusal
from bot.matches.services import Services

log = structlog.get_logger(__name__)

AT_ONCE = 4
"""Reviews a process takes upon itself where there are several."""
POLLED_EVERY = 5.0
"""Seconds after which is looked again for what another process has stored, should its news not come through."""
FIRST_WAIT, LONGEST_WAIT = 2.0, 120.0
"""Seconds until a review that could not go on is tried again: the first time, and when that has failed often."""


class ReviewRunner:
    """Reviews until it is closed. ``wake`` tells it that another may be wanted.

    Where other processes review, too, this one takes ``AT_ONCE`` upon itself; those of the role ``leave_to`` go first.
    """

    def __init__(self, services: Services, idle: Callable[[], Idle], leave_to: str | None = None) -> None:
        self._reviews = services.reviews
        self._idle = idle
        self._leave_to = leave_to
        self._shared = services.context.database.token is not None
        self._news = asyncio.Event()
        self._begun: dict[int, asyncio.Task[None]] = {}

    def wake(self) -> None:
        """Look soon for reviews that are wanted."""
        self._news.set()

    async def run(self) -> None:
        """Review for ever; cancel it to stop, and close it."""
        while True:
            self._news.clear()
            pause = (POLLED_EVERY if self._shared else None) if await self._begin_all() else FIRST_WAIT
            with contextlib.suppress(TimeoutError):
                await self._idle()(self._wait(pause), reason="no review is wanted")

    async def close(self) -> None:
        """Stop every review; they go on after the next start."""
        tasks = list(self._begun.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wait(self, pause: float | None) -> None:
        async with asyncio.timeout(pause):
            await self._news.wait()

    async def _begin_all(self) -> bool:
        """Begin the reviews that are wanted and not begun; return whether the database could be asked."""
        try:
            pending = await self._reviews.take(AT_ONCE - len(self._begun), leave_to=self._leave_to)
        except Exception:
            log.exception("reviews that are wanted unreadable")
            return False
        for match_id in pending:
            if match_id not in self._begun:
                task = asyncio.create_task(self._review(match_id), name=f"review {match_id}")
                self._begun[match_id] = task
                task.add_done_callback(partial(self._ended, match_id))
        return True

    def _ended(self, match_id: int, _task: asyncio.Task[None]) -> None:
        del self._begun[match_id]
        if self._shared:
            self.wake()

    async def _review(self, match_id: int) -> None:
        """Have a match reviewed, however often that has to be tried."""
        wait = FIRST_WAIT
        while True:
            try:
                return await self._reviews.judge(match_id)
            except Refusal as refusal:
                log.info("review put off", match=match_id, reason=str(refusal))
            except Exception:
                log.exception("review failed, will be tried again", match=match_id)
            await self._idle()(asyncio.sleep(wait), reason="a review is put off")
            wait = min(2 * wait, LONGEST_WAIT)
