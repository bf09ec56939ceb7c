"""Measures how long the event loop is held: the processor time of its longest step, whatever else the machine does."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass
class LongestStep:
    """The longest step so far, in seconds of the loop's thread, without collections of garbage."""

    seconds: float = 0.0


@contextmanager
def longest_step() -> Iterator[LongestStep]:
    """Measure the steps of the running loop while the block runs."""
    longest, run = LongestStep(), asyncio.Handle._run

    def measured(handle: Any) -> None:
        begun = time.thread_time()
        run(handle)
        longest.seconds = max(longest.seconds, time.thread_time() - begun)

    gc.disable()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio.Handle, "_run", measured)
            yield longest
    finally:
        gc.enable()
