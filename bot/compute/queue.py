"""The compute queue: work of more than a few milliseconds goes through here, away from the event loop."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from bot.compute.concurrency_limit import permit_given_back
from bot.compute.fair_queue import FairQueue
from bot.compute.job import Job, JobSpec, Pool, requester
from bot.compute.work_pool import Charge, WorkPool
from bot.compute.workers import ProcessWorkers, ThreadWorkers, Workers

T = TypeVar("T")

TIMEOUT = 20.0
"""Seconds a job may take. The job checks by itself whether it may go on."""
MOST_AT_ONCE = 2
"""Jobs of one person that run together in one pool. They never take all its workers."""
MOST_WAITING = {Pool.TURNS: 64, Pool.INTERACTIVE: 8, Pool.THINKING: 64}
"""Jobs of one person that may wait in a pool: turns are small, and a person may play many computer players."""


class ComputeQueue:
    """All pools. ``picture_workers`` and ``thinkers`` are processes; with none, their pool has a thread instead.

    ``thinkers`` processes do long jobs. One more process, started when it is first needed, does short ones.

    ``charge`` is called with a requester and their seconds of computing; ``clock`` is monotonic, in seconds.
    """

    def __init__(
        self,
        turn_threads: int = 2,
        picture_workers: int = 0,
        thinkers: int = 0,
        *,
        charge: Charge = lambda _who, _seconds: None,
        clock: Callable[[], float] = monotonic,
        timeout: float = TIMEOUT,
    ) -> None:
        self._clock = clock
        workers: dict[Pool, Workers] = {
            Pool.TURNS: ThreadWorkers(turn_threads, Pool.TURNS),
            Pool.INTERACTIVE: _heavy(picture_workers, Pool.INTERACTIVE),
            Pool.THINKING: _heavy(thinkers and thinkers + 1, Pool.THINKING),
        }
        self._pools = {
            pool: WorkPool(
                pool,
                crew,
                FairQueue(
                    at_once=max(1, min(MOST_AT_ONCE, crew.size - 1)),
                    most=MOST_WAITING[pool],
                    most_long=max(1, crew.size - 1),
                ),
                clock,
                timeout,
                charge,
            )
            for pool, crew in workers.items()
        }

    async def run(self, spec: JobSpec, function: Callable[[], T]) -> T:
        """Return what ``function`` returns, computed in the pool of ``spec`` when its requester's turn has come.

        Raises what it raises, ``ComputationCancelled`` when it takes too long, ``QueueFull``, ``JobDropped`` or
        ``WorkerLost``. Cancelling the waiting task gives the job up.
        """
        job = Job(requester(), spec, function, self._clock())
        async with permit_given_back():
            result: T = await self._pools[spec.pool].result(job)
        return result

    def longest_wait(self) -> float:
        """Return the longest time in seconds that a requester has been waiting for any pool."""
        return max(pool.longest_wait() for pool in self._pools.values())

    async def close(self) -> None:
        """Give up what runs and end all workers."""
        for pool in self._pools.values():
            await pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _heavy(processes: int, pool: Pool) -> Workers:
    return ProcessWorkers(processes) if processes else ThreadWorkers(1, pool)
