"""How many of Discord's answers may be invalid: 401 and 403, and 429 unless the limit is shared with others. Whoever
gets 10,000 of them within ten minutes is banned for a while.

Every call takes one from an allowance before it is made, and gives it back when its answer is valid. What is in the
allowance was drawn from what all processes together may have within ten minutes, so the ban cannot be reached: not by
mistakes, not by a token that was revoked, not by many at once.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

import aiohttp

WINDOW = 600
"""Seconds within which Discord counts."""
LIMIT = 5_000
"""What all processes together may draw within that time."""
HELD, MOST, LEAST = 2_000, 100, 10
"""What the holders of all slots together may have drawn and not used, and the bounds of what one may."""
STEP = 20
"""What is drawn at once."""
PAUSE = 10.0
"""Seconds after which is asked again where nothing could be drawn."""

Draw = Callable[[int], Awaitable[int]]
"""Draws at most so many invalid answers; returns how many were to be had."""


class HeldBack(aiohttp.ClientError):
    """A call was not made, because too many of late were answered with an error."""

    def __init__(self) -> None:
        super().__init__("Discord was not called: too many calls of the last ten minutes were refused")


class Window:
    """What one process draws that has no others beside it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._drawn: deque[tuple[float, int]] = deque()

    async def draw(self, wanted: int) -> int:
        """Draw at most so many; return how many were to be had."""
        now = self._clock()
        while self._drawn and self._drawn[0][0] <= now - WINDOW:
            self._drawn.popleft()
        drawn = min(wanted, LIMIT - sum(number for _, number in self._drawn))
        self._drawn.append((now, drawn))
        return drawn


class Allowance:
    """How many invalid answers this process may still get; ``slots`` is how many processes serve."""

    def __init__(self, draw: Draw, slots: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self._draw = draw
        self._size = max(LEAST, min(MOST, HELD // slots))
        self._clock = clock
        self._left = 0
        self._in_flight = 0
        self._asked_in_vain: float | None = None
        self._drawing = asyncio.Lock()
        self._ended = asyncio.Event()

    async def reserve(self) -> None:
        """Take one for a call, which is made next and ended with ``release``. Raises ``HeldBack``."""
        while self._left <= self._in_flight:
            if self._left < self._size:
                await self._refill()
            else:
                self._ended.clear()
                await self._ended.wait()
        self._in_flight += 1

    def release(self, *, invalid: bool) -> None:
        """Note the answer to a call, or that there is none."""
        self._in_flight -= 1
        self._left -= invalid
        self._ended.set()

    async def _refill(self) -> None:
        async with self._drawing:
            if self._left > self._in_flight:
                return
            now = self._clock()
            if self._asked_in_vain is not None and now < self._asked_in_vain + PAUSE:
                raise HeldBack
            drawn = await self._draw(min(STEP, self._size - self._left))
            self._left += drawn
            self._asked_in_vain = None if self._left > self._in_flight else now
