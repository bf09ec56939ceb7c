"""How workers wait for something that may never come."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol


class Idle(Protocol):
    """A way to wait. Replaced where time is simulated, so that the simulation knows that nothing is being done."""

    def __call__(self, awaitable: Awaitable[Any], /, *, reason: str) -> Awaitable[Any]: ...


async def plain_idle(awaitable: Awaitable[Any], /, *, reason: str) -> Any:
    """Wait without telling anybody."""
    return await awaitable
