"""Ends tasks that may be asking the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

CANCELLED_AGAIN = 5.0
"""Seconds after which a task that goes on is cancelled once more."""


async def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until all have ended, however.

    A task whose connection to a server breaks just as it is cancelled may never hear of that: where a connection taken
    from the pool is tried first, the error about it takes the place of the cancellation, and another one is opened.
    """
    running = cancelled = set(tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=CANCELLED_AGAIN)
    await asyncio.gather(*cancelled, return_exceptions=True)
