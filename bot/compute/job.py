"""What is asked of the compute queue: a job, the pool it belongs to, and why one may come to nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any


class Pool(StrEnum):
    """Whose workers do a job; the work of one pool never waits for that of another."""

    TURNS = "turns"
    """What a turn needs: parsing, playing, its board. Small, in threads."""
    PICTURES = "pictures"
    """What somebody looks at or chooses from: replays, charts, diagrams, choices of a move. In processes."""
    THINKING = "thinking"
    """Computer players and analysis. In processes of their own."""


class Priority(IntEnum):
    """The order within a pool: lower values first, until a job has aged."""

    MOVE = 0
    LOOK = 1
    BACKGROUND = 2


@dataclass(frozen=True, slots=True)
class JobSpec:
    """The specification of a job: its pool, its priority, and what it shares with other jobs."""

    pool: Pool = Pool.TURNS
    priority: Priority = Priority.MOVE
    key: Hashable | None = None
    """What has the same key has the same result: it is made once, and kept for a while."""
    topic: str | None = None
    """A newer job of the same requester on the same topic takes the place of the older one."""
    within: float | None = None
    """Seconds after which nobody waits for the beginning any more."""
    long: bool = False
    """It may take seconds: where there are several workers, one is kept free of such jobs."""


class JobDropped(Exception):
    """The job was not done because nobody waits for it any more."""


class QueueFull(Exception):
    """Whoever asks has too much waiting already. Nothing was queued."""


class WorkerLost(Exception):
    """The worker process died, and so did the one that tried again."""


@dataclass(eq=False, slots=True)
class Job:
    """A piece of work that somebody waits for. ``queued_at`` is a monotonic time in seconds."""

    requester: Hashable
    spec: JobSpec
    function: Callable[[], Any]
    queued_at: float
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def expired(self, now: float) -> bool:
        """Return whether it has waited for longer than anybody waits for it."""
        return self.spec.within is not None and now - self.queued_at > self.spec.within

    def drop(self) -> None:
        """Answer that nobody waits any more."""
        if not self.answer.done():
            self.answer.set_exception(JobDropped())


_requester: ContextVar[Hashable] = ContextVar("requester", default=None)


def requester() -> Hashable:
    """Return for whom the current task works: a person's id, or what else shares the workers on equal terms."""
    return _requester.get()


@contextmanager
def on_behalf_of(who: Hashable) -> Iterator[None]:
    """Have what is computed in the block count as asked for by ``who``."""
    token = _requester.set(who)
    try:
        yield
    finally:
        _requester.reset(token)
