"""The courier: takes errands out of the outbox one topic at a time, has them done and remembers that they were.

An errand is marked as begun before Discord is touched. One found begun after a crash may have been done: whoever does
it looks for what it would have posted before posting it again. What is to be remembered of an errand, such as where a
message stands, is stored in the transaction that notes it as done.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import metrics
from bot.matches.idle import Idle
from bot.storage.database import Database
from bot.storage.queries import outbox
from bot.storage.records import Errand, OutboxState

log = structlog.get_logger(__name__)

AT_ONCE = 8
"""Topics served at the same time."""
PATIENCE = 10.0
"""Seconds a stop waits for what is being said."""
FIRST_WAIT = timedelta(seconds=2)
LONGEST_WAIT = timedelta(minutes=2)
KEPT = timedelta(days=2)
"""How long what was said is remembered."""


class GoneError(Exception):
    """Discord refuses for good (403, 404) and there is no other place to say it."""


class MalformedError(Exception):
    """Discord does not take what was to be said (400, 413). Saying it again would not help, and hold up the topic."""


class LaterError(Exception):
    """Discord cannot do it now (429, 5xx, unreachable). ``after`` is how long it asks to be left alone, in seconds."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


@dataclass(frozen=True, slots=True)
class Done:
    """An errand that was done, and what stores what is to be remembered of it."""

    remember: Callable[[AsyncConnection], Awaitable[None]] | None = None


class Errands(Protocol):
    """Does errands in Discord."""

    def repeatable(self, errand: Errand) -> bool:
        """Return whether doing it twice is the same as doing it once, so that nobody needs to know it was begun."""

    async def run(self, errand: Errand) -> Done | None:
        """Do an errand; None when there was nothing left to say.

        Raises ``GoneError``, ``MalformedError`` or ``LaterError``.
        """


class Courier:
    """Serves the outbox until it is closed. ``wake`` tells it that there is something new."""

    def __init__(
        self, database: Database, errands: Errands, clock: Callable[[], datetime], idle: Callable[[], Idle]
    ) -> None:
        self._database = database
        self._errands = errands
        self._clock = clock
        self._idle = idle
        self._news = asyncio.Event()
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._closing = False

    def wake(self) -> None:
        """Look into the outbox soon."""
        self._news.set()

    async def run(self) -> None:
        """Serve the outbox for ever; cancel it to stop."""
        while not self._closing:
            self._news.clear()
            pause = await self._serve_due()
            with contextlib.suppress(TimeoutError):
                await self._idle()(self._wait(pause), reason="the outbox is empty")

    async def close(self) -> None:
        """Begin nothing new and let what is being said be finished."""
        self._closing = True
        if self._busy:
            await asyncio.wait(list(self._busy.values()), timeout=PATIENCE)

    async def _wait(self, pause: float | None) -> None:
        async with asyncio.timeout(pause):
            await self._news.wait()

    async def _serve_due(self) -> float | None:
        """Begin what is due; return the seconds until something else will be, None for never."""
        try:
            async with self._database.read() as tx:
                errands = await outbox.heads(tx, busy=self._busy.keys(), limit=2 * AT_ONCE)
        except Exception:
            log.exception("outbox unreadable")
            return FIRST_WAIT.total_seconds()
        now = self._clock()
        for errand in errands:
            if errand.due_at > now:
                return max(0.01, (errand.due_at - now).total_seconds())
            if len(self._busy) >= AT_ONCE:
                return None
            task = asyncio.create_task(self._serve(errand), name=f"errand {errand.key}")
            self._busy[errand.topic] = task
            task.add_done_callback(partial(self._served, errand.topic))
        return None

    def _served(self, topic: str, _task: asyncio.Task[None]) -> None:
        self._busy.pop(topic, None)
        self._news.set()

    async def _serve(self, errand: Errand) -> None:
        began = time.perf_counter()
        bound = log.bind(errand=errand.key, **errand.payload)
        try:
            if not self._errands.repeatable(errand):
                async with self._database.write() as tx:
                    await outbox.mark(tx, errand.id, OutboxState.SENDING, attempts=errand.attempts + 1)
            done = await self._errands.run(errand)
            async with self._database.write() as tx:
                if done is not None and done.remember is not None:
                    await done.remember(tx)
                await outbox.mark(tx, errand.id, _outcome(done), done_at=self._clock(), error=None)
        except LaterError as error:
            metrics.ERRANDS.labels(errand.kind, "later").inc()
            await self._postpone(errand, str(error), error.after)
            bound.warning("discord unavailable, will try again", error=str(error), attempts=errand.attempts + 1)
        except GoneError as error:
            metrics.ERRANDS.labels(errand.kind, "nowhere").inc()
            await self._mark(errand, OutboxState.FAILED, done_at=self._clock(), error=str(error))
            bound.warning("could not be said anywhere", error=str(error))
        except MalformedError as error:
            metrics.ERRANDS.labels(errand.kind, "malformed").inc()
            await self._mark(errand, OutboxState.FAILED, done_at=self._clock(), error=str(error)[:500])
            bound.exception("discord does not take this, it is left unsaid")
        except Exception as error:
            metrics.ERRANDS.labels(errand.kind, "failed").inc()
            await self._postpone(errand, repr(error), 0.0)
            bound.exception("errand failed, will try again", attempts=errand.attempts + 1)
        else:
            metrics.ERRANDS.labels(errand.kind, "said" if done else "skipped").inc()
            bound.info("said" if done else "nothing left to say")
        metrics.ERRAND_SECONDS.observe(time.perf_counter() - began)

    async def _postpone(self, errand: Errand, error: str, after: float) -> None:
        wait = min(FIRST_WAIT * 2 ** min(errand.attempts, 12), LONGEST_WAIT)
        due = self._clock() + max(wait, timedelta(seconds=after))
        await self._mark(errand, OutboxState.SENDING, attempts=errand.attempts + 1, due_at=due, error=error[:500])

    async def _mark(self, errand: Errand, state: OutboxState, **values: Any) -> None:
        """Store the outcome; where even that fails the errand stays begun, and is looked at again."""
        try:
            async with self._database.write() as tx:
                await outbox.mark(tx, errand.id, state, **values)
        except Exception:
            log.exception("outbox unwritable", errand=errand.key)
            await self._idle()(asyncio.sleep(FIRST_WAIT.total_seconds()), reason="the outbox is unwritable")


def _outcome(done: Done | None) -> OutboxState:
    return OutboxState.SKIPPED if done is None else OutboxState.SENT
