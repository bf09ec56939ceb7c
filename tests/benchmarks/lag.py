"""How long an event loop takes to get to something new."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Lag:
    """How long the event loop takes to get to what it is told, asked again and again from another thread."""

    seconds: list[float] = field(default_factory=list)

    def _answered(self, asked: float) -> None:
        self.seconds.append(time.perf_counter() - asked)

    @contextmanager
    def measured(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        over = threading.Event()

        def ask() -> None:
            while not over.wait(0.01):
                loop.call_soon_threadsafe(self._answered, time.perf_counter())

        thread = threading.Thread(target=ask)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
