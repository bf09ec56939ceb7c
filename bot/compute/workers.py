"""The workers: threads for small jobs, processes for heavy ones. Does not decide whose job is next.

A flag cancels a job; the job's loops look at it (``check_cancelled``). For a job in a process the flag is a number in
shared memory: that of the cancelled job. A process that does not look for ``GRACE`` seconds is killed. A process that
dies is replaced, and its job is tried once more.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_uint64
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from threading import Event
from typing import Any, Protocol

import structlog

from bot.compute.job import WorkerLost
from bot.compute.worker_process import SharedNumber, begin, perform, perform_here
from bot.games.cancellation import ComputationCancelled
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

GRACE = 2.0
"""Seconds within which a worker process must notice that its job was cancelled."""
ATTEMPTS = 2
"""How often a job is begun if its worker process dies."""
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process at once; Windows has only one."""


@dataclass(eq=False, slots=True)
class Call:
    """A job that is being done. It may take ``timeout`` seconds."""

    function: Callable[[], Any]
    timeout: float
    cancelled: Event = field(default_factory=Event)
    _listeners: list[Callable[[], None]] = field(default_factory=list)

    def cancel(self) -> None:
        """Make its worker stop soon."""
        self.cancelled.set()
        for listener in self._listeners:
            listener()

    def on_cancel(self, listener: Callable[[], None]) -> None:
        """Have ``listener`` called when the job is cancelled."""
        self._listeners.append(listener)


class Workers(Protocol):
    """A group of workers. Each does one call at a time."""

    size: int

    async def run(self, call: Call) -> tuple[Any, float]:
        """Return the result of a call and the seconds of computing it took, once the worker is free again.

        Raises what the function raises, ``ComputationCancelled`` or ``WorkerLost``.
        """

    async def close(self) -> None:
        """End all workers, after every running call has been cancelled."""


class ThreadWorkers:
    """Threads of this process. They share one interpreter lock, so nothing long belongs here."""

    def __init__(self, size: int, name: str) -> None:
        self.size = size
        self._executor = ThreadPoolExecutor(size, thread_name_prefix=name)

    async def run(self, call: Call) -> tuple[Any, float]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._executor, perform, call.function, lambda: not call.cancelled.is_set(), call.timeout
        )

    async def close(self) -> None:
        """Wait for the running calls, and end the threads."""
        await asyncio.to_thread(self._executor.shutdown, wait=True)


class ProcessWorkers:
    """Processes of their own, each started when it is first needed. Functions, arguments and results are pickled."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._idle = [WorkerProcess() for _ in range(size)]
        self._all = tuple(self._idle)

    async def run(self, call: Call) -> tuple[Any, float]:
        """Do a call in the process that was used last, so that no more processes start than are needed."""
        worker = self._idle.pop()
        try:
            return await worker.run(call)
        finally:
            self._idle.append(worker)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(*(worker.close() for worker in self._all))


class WorkerProcess:
    """One process, or its replacement. It does one call at a time."""

    def __init__(self) -> None:
        self.pid: int | None = None
        self._context = get_context("spawn")
        self._cancelled: SharedNumber = self._context.RawValue(c_uint64, 0)
        self._executor: ProcessPoolExecutor | None = None
        self._numbers = count(1)
        self._current = 0

    async def run(self, call: Call) -> tuple[Any, float]:
        """Do a call. Raises what its function raises, ``ComputationCancelled`` or ``WorkerLost``."""
        for _ in range(ATTEMPTS):
            try:
                return await self._attempt(call)
            except BrokenProcessPool:
                if self._executor is not None:
                    self._executor.shutdown(wait=False)
                self._executor = self.pid = None
                if call.cancelled.is_set():
                    raise ComputationCancelled from None
                log.warning("worker process died, job started again in a new one")
                metrics.COMPUTE_WORKERS_LOST.inc()
        raise WorkerLost

    async def close(self) -> None:
        """End the process; kill it if it does not end by itself."""
        executor = self._executor
        if executor is None:
            return
        self._call_off(self._current)
        killing = asyncio.get_running_loop().call_later(GRACE, self._kill, self._current)
        await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)
        killing.cancel()
        self._executor = self.pid = None

    async def _attempt(self, call: Call) -> tuple[Any, float]:
        if self._executor is None:
            await asyncio.to_thread(self._start)
        assert self._executor is not None
        number = self._current = next(self._numbers)
        call.on_cancel(lambda: self._stop(number))
        if call.cancelled.is_set():
            raise ComputationCancelled
        overdue = asyncio.get_running_loop().call_later(call.timeout + GRACE, self._overrun, call, number)
        try:
            submitted = self._executor.submit(perform_here, number, call.function, call.timeout)
            return await asyncio.wrap_future(submitted)
        finally:
            overdue.cancel()
            self._current = 0

    def _start(self) -> None:
        """Start the process, which takes a second on a slow machine. Raises ``BrokenProcessPool``."""
        executor = ProcessPoolExecutor(1, self._context, begin, (self._cancelled,))
        self._executor = executor
        self.pid = executor.submit(os.getpid).result()

    def _call_off(self, number: int) -> None:
        self._cancelled.value = number

    def _stop(self, number: int) -> None:
        """Cancel a job, and kill its process if it does not end."""
        if number == self._current:
            self._call_off(number)
            asyncio.get_running_loop().call_later(GRACE, self._kill, number)

    def _overrun(self, call: Call, number: int) -> None:
        """Kill a process whose job has taken too long without checking whether it may go on."""
        call.cancelled.set()
        self._kill(number)

    def _kill(self, number: int) -> None:
        if number == self._current and self.pid is not None:
            log.warning("worker process killed, it did not stop", worker=self.pid)
            os.kill(self.pid, _KILL)
