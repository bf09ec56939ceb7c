"""One pool: takes the next job from the fair queue whenever a worker is free, and answers its requesters."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.compute.fair_queue import FairQueue
from bot.compute.job import Job, Pool, QueueFull
from bot.compute.result_cache import ResultCache
from bot.compute.workers import Call, Workers
from bot.telemetry import metrics

Charge = Callable[[Hashable, float], None]
"""Called with a requester and their seconds of computing."""


@dataclass(eq=False, slots=True)
class _Run:
    """A call and the jobs that wait for its result. The first of them began it."""

    call: Call
    jobs: list[Job]

    def awaited(self) -> list[asyncio.Future[Any]]:
        """Return the answers that are still awaited."""
        return [job.answer for job in self.jobs if not job.answer.done()]


class WorkPool:
    """Jobs of one kind and their workers. Only the event loop changes it."""

    def __init__(
        self, name: Pool, workers: Workers, queue: FairQueue, clock: Callable[[], float], timeout: float, charge: Charge
    ) -> None:
        self._name = name
        self._workers = workers
        self._queue = queue
        self._clock = clock
        self._timeout = timeout
        self._charge = charge
        self._cache = ResultCache(clock)
        self._runs: dict[Job, _Run] = {}
        self._shared: dict[Hashable, _Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def result(self, job: Job) -> Any:
        """Return the result of a job. Raises ``QueueFull``, ``JobDropped``, ``WorkerLost``, or as its function does."""
        cached = self._cache.get(job.spec.key) if job.spec.key is not None else None
        if cached is not None:
            return cached
        for older in [*self._queue, *self._runs] if job.spec.topic is not None else []:
            # A newer job of the same requester on the same topic takes their place.
            if older.requester == job.requester and older.spec.topic == job.spec.topic and not older.answer.done():
                older.drop()
                self._count_dropped("superseded")
                self._forget(older)
        try:
            self._queue.add(job)
        except QueueFull:
            self._count_dropped("refused")
            raise
        self._dispatch()
        try:
            return await job.answer
        except asyncio.CancelledError:
            self._count_dropped("cancelled")
            raise
        finally:
            self._forget(job)

    def longest_wait(self) -> float:
        """Return the longest time in seconds that a requester has been waiting."""
        return self._queue.longest_wait(self._clock())

    async def close(self) -> None:
        """Give everything up and end the workers."""
        for job in self._queue.remove(lambda _: True):
            job.drop()
        for run in self._runs.values():
            run.call.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._workers.close()

    def _forget(self, job: Job) -> None:
        """Note that a job is no longer awaited, because it is answered or its requester has gone."""
        self._queue.remove(lambda waiting: waiting is job)
        run = self._runs.get(job)
        if run is not None and not run.awaited():
            run.call.cancel()
            self._share_no_longer(run)
        self._show()

    def _dispatch(self) -> None:
        """Drop the jobs that have waited for too long, and begin as many as there are free workers."""
        now = self._clock()
        for late in self._queue.remove(lambda waiting: waiting.expired(now)):
            late.drop()
            self._count_dropped("expired")
        while len(self._tasks) < self._workers.size and (job := self._queue.next(self._clock())) is not None:
            metrics.COMPUTE_WAIT_SECONDS.labels(self._name).observe(self._clock() - job.queued_at)
            if job.spec.key is not None and job.spec.key in self._shared:
                self._join(job, self._shared[job.spec.key])
            else:
                run = _Run(Call(job.function, self._timeout), [])
                self._join(job, run)
                if job.spec.key is not None:
                    self._shared[job.spec.key] = run
                task = asyncio.create_task(self._perform(run), name=f"compute {self._name}")
                self._tasks.add(task)
                task.add_done_callback(partial(self._on_end, run))
        self._show()

    def _join(self, job: Job, run: _Run) -> None:
        run.jobs.append(job)
        self._runs[job] = run

    async def _perform(self, run: _Run) -> None:
        began, requester = self._clock(), run.jobs[0].requester
        try:
            result, seconds = await self._workers.run(run.call)
        except Exception as error:
            self._charge(requester, self._clock() - began)
            for answer in run.awaited():
                answer.set_exception(error)
            return
        finally:
            self._share_no_longer(run)
        self._charge(requester, seconds)
        metrics.COMPUTE_SECONDS.labels(self._name).observe(seconds)
        key = run.jobs[0].spec.key
        if key is not None:
            self._cache.keep(key, result)
            for job in self._queue.remove(lambda waiting: waiting.spec.key == key):
                if not job.answer.done():
                    job.answer.set_result(result)
        for answer in run.awaited():
            answer.set_result(result)

    def _on_end(self, run: _Run, task: asyncio.Task[None]) -> None:
        """Note that a worker is free again."""
        self._tasks.discard(task)
        for job in run.jobs:
            self._runs.pop(job, None)
            self._queue.note_finished(job, self._clock())
        self._dispatch()

    def _share_no_longer(self, run: _Run) -> None:
        """Let no further job join a run that is given up or has ended."""
        key = run.jobs[0].spec.key
        if key is not None and self._shared.get(key) is run:
            del self._shared[key]

    def _count_dropped(self, reason: str) -> None:
        metrics.COMPUTE_DROPPED.labels(self._name, reason).inc()

    def _show(self) -> None:
        metrics.COMPUTE_WAITING.labels(self._name).set(len(self._queue))
        metrics.COMPUTE_RUNNING.labels(self._name).set(len(self._tasks))
