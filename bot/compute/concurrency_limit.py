"""How many requests of one person the event loop works on at once, so that a flood takes no more than its share of it.

Like the fair queue, but for work on the loop itself. A request that waits for a worker gives its permit back meanwhile,
so a move is not held up by a replay that the same person asked for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from weakref import WeakValueDictionary

REQUESTS_AT_ONCE = 1
"""Requests of one person worked on together. With more, each step of another's move waits for as many of the flood."""
PAUSE_RATIO, LONGEST_PAUSE = 3.0, 0.25
"""The pause between a person's requests that overlap: how many times as long as the last one took, and the longest in
seconds. A flood then takes a quarter of the loop, and less the busier the loop is.
"""


class _Share:
    """One person's share of the loop."""

    def __init__(self, at_once: int, longest_pause: float) -> None:
        self.permits = asyncio.Semaphore(at_once)
        self.longest_pause = longest_pause
        self.pause_ends = 0.0


class _Permit:
    """One of a person's permits, which the tasks that share it can give back and take again."""

    def __init__(self, share: _Share) -> None:
        self._share = share
        self._taken: float | None = None

    async def take(self) -> None:
        await self._share.permits.acquire()
        self._taken = time.monotonic()

    def give_back(self) -> bool:
        """Return whether it was held."""
        if self._taken is None:
            return False
        now = time.monotonic()
        worked = max(0.0, now - max(self._taken, self._share.pause_ends))
        self._share.pause_ends = now + min(PAUSE_RATIO * worked, self._share.longest_pause)
        self._taken = None
        self._share.permits.release()
        return True


_permit: ContextVar[_Permit | None] = ContextVar("permit", default=None)


class ConcurrencyLimit:
    """Permits for ``at_once`` requests of each person. Further requests wait in the order in which they came.

    Between requests that overlap there is a pause of at most ``longest_pause`` seconds; after the last there is none.
    """

    def __init__(self, at_once: int = REQUESTS_AT_ONCE, longest_pause: float = LONGEST_PAUSE) -> None:
        self._at_once = at_once
        self._longest_pause = longest_pause
        self._people: WeakValueDictionary[Hashable, _Share] = WeakValueDictionary()

    @asynccontextmanager
    async def acquire(self, who: Hashable) -> AsyncIterator[None]:
        """Begin the block when fewer than ``at_once`` requests of this person are being worked on."""
        share = self._people.setdefault(who, _Share(self._at_once, self._longest_pause))
        permit = _Permit(share)
        await permit.take()
        token = _permit.set(permit)
        try:
            if (pause := share.pause_ends - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            yield
        finally:
            _permit.reset(token)
            permit.give_back()


@asynccontextmanager
async def permit_given_back() -> AsyncIterator[None]:
    """Let another request of the same person go on while this one waits for a worker in the block."""
    permit = _permit.get()
    if permit is None or not permit.give_back():
        yield
        return
    try:
        yield
    finally:
        await permit.take()
