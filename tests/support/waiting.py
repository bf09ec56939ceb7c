"""Waits for conditions without an event, with a limit that a slow machine keeps, and an error that says what is there
instead.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0
"""Seconds after which a wait fails. A busy machine takes a small part of them."""
EVERY = 0.005
"""Seconds between two looks."""


async def until(so: Callable[[], Any], wanted: str, seen: Callable[[], object] | None = None) -> None:
    """Wait until ``so``, a function or a coroutine function, returns something true.

    Raises ``AssertionError`` after ``PATIENCE`` with what was ``wanted``, and what is ``seen`` instead.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                found = so()
                if await found if inspect.isawaitable(found) else found:
                    return
                await asyncio.sleep(EVERY)
    except TimeoutError:
        instead = "" if seen is None else f"; there is {seen()}"
        raise AssertionError(f"waited {PATIENCE:.0f} seconds in vain for {wanted}{instead}") from None
