"""A job of the compute queue: its specification, its pool, and the reasons why it may have no result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Final


class Pool(StrEnum):
    """The workers that do a job. Jobs of one pool never wait for jobs of another."""

    TURNS = "turns"
    """Work of a turn: parsing, playing, drawing its board. Small jobs, in threads."""
    INTERACTIVE = "interactive"
    """Things to look at or to choose from: replays, charts, diagrams, choices of a move. In processes."""
    THINKING = "thinking"
    """Computer players and analysis. In processes of their own."""


class Priority(IntEnum):
    """The order within a pool: lower values first, until a job has aged."""

    MOVE = 0
    LOOK = 1
    LONG_REPLY = 2
    """A long thought of a computer player: behind all that people ask for."""
    BACKGROUND = 3
    GUEST = 4
    """Everything that is asked for without an account."""


GUESTS: Final = "guests"
"""The one requester of all that is asked for without an account: behind every player's work, whatever it is."""
GUESTS_WAIT: Final = 4.0
"""Seconds after which a guest's job that has not begun is dropped. None waits for so long that its priority rises."""


@dataclass(frozen=True, slots=True)
class JobSpec:
    """The specification of a job: its pool, its priority, and what it shares with other jobs."""

    pool: Pool = Pool.TURNS
    priority: Priority = Priority.MOVE
    key: Hashable | None = None
    """Jobs with the same key have the same result. It is computed once, and kept for a while."""
    topic: str | None = None
    """A newer job of the same requester on the same topic replaces the older one."""
    max_wait: float | None = None
    """Seconds the job may wait for its beginning; then it is dropped."""
    long: bool = False
    """The job may take seconds. Where there are several workers, one of them takes no such jobs."""


class JobDropped(Exception):
    """The job was not done, because its requester no longer waits."""


class QueueFull(Exception):
    """The requester has too many jobs waiting already. Nothing was queued."""


class WorkerLost(Exception):
    """The worker process died, and the process that tried again died, too."""


@dataclass(frozen=True, slots=True)
class BackgroundRequester:
    """A requester for work that is stored and done for a person in the background, as a reply or a review.

    It shares the workers with what the person asks for, and has its own place in the queue.
    """

    person: Hashable
    work: str


@dataclass(eq=False, slots=True)
class Job:
    """A piece of work and the future its requester waits for. ``queued_at`` is a monotonic time in seconds."""

    requester: Hashable
    spec: JobSpec
    function: Callable[[], Any]
    queued_at: float
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def person(self) -> Hashable:
        """The person whose share of the workers the job takes."""
        return self.requester.person if isinstance(self.requester, BackgroundRequester) else self.requester

    @property
    def priority(self) -> Priority:
        return Priority.GUEST if self.requester == GUESTS else self.spec.priority

    @property
    def has_waiting_person(self) -> bool:
        """Whether a person waits for it, who can be told to ask again later."""
        return self.requester is not None and not isinstance(self.requester, BackgroundRequester)

    def expired(self, now: float) -> bool:
        """Return whether it has waited for longer than its specification allows."""
        max_wait = GUESTS_WAIT if self.requester == GUESTS else self.spec.max_wait
        return max_wait is not None and now - self.queued_at > max_wait

    def drop(self) -> None:
        """Answer with ``JobDropped``."""
        if not self.answer.done():
            self.answer.set_exception(JobDropped())


_requester: ContextVar[Hashable] = ContextVar("requester", default=None)


def requester() -> Hashable:
    """Return the requester of the current task: a person's id, or another key that takes turns with people."""
    return _requester.get()


@contextmanager
def on_behalf_of(who: Hashable) -> Iterator[None]:
    """Make ``who`` the requester of every job in the block."""
    token = _requester.set(who)
    try:
        yield
    finally:
        _requester.reset(token)
