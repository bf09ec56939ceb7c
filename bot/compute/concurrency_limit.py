"""How many requests of one person the event loop works on at once, so that a flood takes no more than its share of it.

Like the fair queue, but for work on the loop itself. A request that waits for a worker gives its permit back meanwhile,
so a move is not held up by a replay that the same person asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from weakref import WeakValueDictionary

AT_ONCE = 1
"""With more, each step of another person's move waits for as many steps of the flood."""


class _Permit:
    """One place at a semaphore, which the tasks that share it can give back and take again."""

    def __init__(self, semaphore: asyncio.Semaphore) -> None:
        self._semaphore = semaphore
        self._held = False

    async def take(self) -> None:
        await self._semaphore.acquire()
        if self._held:  # another task with the same permit was faster
            self._semaphore.release()
        self._held = True

    def give_back(self) -> None:
        if self._held:
            self._held = False
            self._semaphore.release()


_permit: ContextVar[_Permit | None] = ContextVar("permit", default=None)


class ConcurrencyLimit:
    """Permits for ``at_once`` requests of each person. Further requests wait in the order in which they came."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._people: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def acquire(self, who: Hashable) -> AsyncIterator[None]:
        """Begin the block when fewer than ``at_once`` requests of this person are being worked on."""
        permit = _Permit(self._people.setdefault(who, asyncio.Semaphore(self._at_once)))
        await permit.take()
        token = _permit.set(permit)
        try:
            yield
        finally:
            _permit.reset(token)
            permit.give_back()


@asynccontextmanager
async def permit_given_back() -> AsyncIterator[None]:
    """Let another request of the same person go on while this one waits for a worker in the block."""
    permit = _permit.get()
    if permit is None:
        yield
        return
    permit.give_back()
    try:
        yield
    finally:
        await permit.take()
