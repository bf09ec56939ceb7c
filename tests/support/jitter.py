"""Let what arrives arrive late, and in another order: ``pytest --jitter 1`` finds tests that pass by luck.

What a socket brings and what a thread hands over waits up to ``LATE`` seconds before the event loop hears of it, as on
a busy machine. One socket's bytes and one thread's results keep their order, as they do everywhere. Tests and the bot
may rely on no other order. The number after the option chooses the delays.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from contextvars import Context
from typing import Any

import pytest

LATE = 0.02
"""Seconds that an arrival waits at most. Half of all arrivals do not wait at all."""


class JitteringLoop(asyncio.SelectorEventLoop):
    """An event loop that hears of arrivals late."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._heard_at: dict[tuple[int, int], float] = {}
        self._last_of_thread: dict[int, float] = {}
        super().__init__()

    def _late(self) -> float:
        return max(0.0, self._random.uniform(-LATE, LATE))

    def _process_events(self, event_list: list[Any]) -> None:
        now, heard, first = time.monotonic(), [], 0.0
        for key, mask in event_list:
            if key.fileobj is self._ssock:  # type: ignore[attr-defined]
                heard.append((key, mask))
                continue
            due = self._heard_at.setdefault((key.fd, mask), now + self._late())
            if due <= now:
                del self._heard_at[key.fd, mask]
                heard.append((key, mask))
            else:
                first = min(first or due, due)
        if first and not heard and not self._ready:  # type: ignore[attr-defined]
            time.sleep(min(first - now, 0.001))
        super()._process_events(heard)  # type: ignore[misc]

    def call_soon_threadsafe(  # type: ignore[override]  # ``TypeVarTuple`` would say the same in more words.
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Run ``callback`` soon, but not always at once, unless this thread's own loop asks for it."""
        thread = threading.get_ident()
        if thread == self._thread_id:  # type: ignore[attr-defined]
            return super().call_soon_threadsafe(callback, *args, context=context)
        due = max(self.time() + self._late(), self._last_of_thread.get(thread, 0.0) + 1e-6)
        self._last_of_thread[thread] = due
        return super().call_soon_threadsafe(self._hear, due, callback, args, context)

    def _hear(
        self, due: float, callback: Callable[..., object], args: tuple[Any, ...], context: Context | None
    ) -> None:
        self.call_at(due, callback, *args, context=context)


class _Policy(asyncio.DefaultEventLoopPolicy):
    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return JitteringLoop(self._seed)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take ``--jitter SEED``."""
    parser.addoption("--jitter", type=int, metavar="SEED", help="let what arrives arrive late, in another order")


def pytest_configure(config: pytest.Config) -> None:
    """Give every test such a loop, if asked to."""
    if (seed := config.getoption("--jitter")) is not None:
        asyncio.set_event_loop_policy(_Policy(seed))
