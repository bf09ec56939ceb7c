"""Jobs that wait until a test releases them, and requests for such jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from threading import Event, Lock
from typing import Any

from bot.compute.job import JobSpec, on_behalf_of
from bot.compute.queue import ComputeQueue


class Gate:
    """Jobs that note their beginning, and wait until the test releases them."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.opened = Event()
        self._lock = Lock()

    def job(self, name: str) -> Callable[[], str]:
        def work() -> str:
            with self._lock:
                self.begun.append(name)
            self.opened.wait()
            return name

        return work

    async def until_begun(self, count: int) -> None:
        while len(self.begun) < count:
            await asyncio.sleep(0.001)


def ask(queue: ComputeQueue, who: Hashable, spec: JobSpec, function: Callable[[], Any]) -> asyncio.Task[Any]:
    """Request a job for a person, as the bot does: in a task of its own."""
    with on_behalf_of(who):
        return asyncio.create_task(queue.run(spec, function))
