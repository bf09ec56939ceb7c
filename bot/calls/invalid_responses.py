"""How many of Discord's answers may be invalid: 401 and 403, and 429 unless the limit is shared with others. Discord
bans an address for a while after 10,000 invalid answers within ten minutes.

Every call takes one invalid answer from an allowance before it is made, and gives it back when its answer is valid. The
allowance is drawn from the number that all processes together may have within ten minutes. So not even a mistake, a
revoked token or many processes at once can cause the ban.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

import aiohttp

WINDOW = 600
"""The seconds over which Discord counts."""
LIMIT = 5_000
"""Invalid answers that all processes together may draw within that time."""
HELD, MOST, LEAST = 2_000, 100, 10
"""The most that the holders of all slots together may have drawn and not used, and the bounds for one of them."""
STEP = 20
"""Invalid answers drawn at once."""
PAUSE = 10.0
"""Seconds until the next attempt after a draw of nothing."""

Draw = Callable[[int], Awaitable[int]]
"""Draws at most so many invalid answers; returns how many it got. Raises ``Uncounted``."""


class NotCalled(aiohttp.ClientError):
    """A call was not made. The message says why."""


class HeldBack(NotCalled):
    """A call was not made, because Discord refused too many recent calls."""

    def __init__(self) -> None:
        super().__init__("Discord was not called: too many calls of the last ten minutes were refused")


class Uncounted(NotCalled):
    """A call was not made, because the database, which counts the calls that Discord may refuse, is away."""

    def __init__(self) -> None:
        super().__init__("Discord was not called: the database is away, and it counts the calls that were refused")


class Window:
    """The draws of a process that has no others beside it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._drawn: deque[tuple[float, int]] = deque()

    async def draw(self, wanted: int) -> int:
        """Draw at most so many; return how many it got."""
        now = self._clock()
        while self._drawn and self._drawn[0][0] <= now - WINDOW:
            self._drawn.popleft()
        drawn = min(wanted, LIMIT - sum(number for _, number in self._drawn))
        self._drawn.append((now, drawn))
        return drawn


class Allowance:
    """The invalid answers this process may still get. ``slots`` is the number of processes that serve."""

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
        """Take one for the next call, which ends with ``release``. Raises ``HeldBack`` or ``Uncounted``."""
        while self._left <= self._in_flight:
            if self._left < self._size:
                await self._refill()
            else:
                self._ended.clear()
                await self._ended.wait()
        self._in_flight += 1

    def release(self, *, invalid: bool) -> None:
        """Note that a call was answered, or got no answer."""
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
