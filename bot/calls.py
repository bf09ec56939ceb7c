"""Keeps the calls of a process within what Discord allows the bot, and away from a ban. It sees every call before it is
made, and the status of its answer. discord.py keeps the limits of each route.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import aiohttp
import structlog
from discord.http import Route
from yarl import URL

from bot.telemetry import metrics

log = structlog.get_logger(__name__)

RATE = 45.0
"""Calls per second. Discord allows 50; the rest is room for bursts, and for calls that are sent a moment after
they were allowed."""
BURST = 4.0
"""Calls that may be made at once on top of that."""
INVALID_WINDOW = 600.0
"""The seconds in which Discord counts invalid answers. It bans an address after 10,000."""
MAX_INVALID = 5_000
"""Invalid answers in that time after which no call is made. The rest is room for others at the same address."""

UNLIMITED_PATHS = ("/interactions/", "/webhooks/")
"""Calls whose path begins so answer interactions. Discord's limit of calls a second does not count them."""


class NotCalled(aiohttp.ClientError):
    """A call was not made. The message says why."""


class LeaseExpired(NotCalled):
    """A call was not made, because another process may already have made it."""

    def __init__(self) -> None:
        super().__init__("Discord was not called: the lease of this process was not renewed in time")


class TooManyInvalid(NotCalled):
    """A call was not made, because Discord refused too many recent calls."""

    def __init__(self) -> None:
        super().__init__("Discord was not called: too many calls of the last ten minutes were refused")


class CallLimits:
    """The limits of the calls of one process. discord.py reports each call to ``trace``.

    With ``proxied``, a proxy keeps the limit of calls a second.
    """

    def __init__(
        self,
        *,
        proxied: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._proxied, self._clock, self._sleep = proxied, clock, sleep
        self._interval = 1 / RATE
        self._burst_seconds = (BURST - 1.0) * self._interval
        self._turn = asyncio.Lock()
        self._next_at = clock()
        """When the next call is due if calls are made without a pause."""
        self._invalid_at: deque[float] = deque()
        self.lease_expired: Callable[[], bool] = lambda: False
        """Whether other processes may have taken over from this one, as after a long sleep. Then it must not post what
        it began before, but it may read."""

    def trace(self) -> aiohttp.TraceConfig:
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._on_start)
        trace.on_request_end.append(self._on_end)
        trace.on_request_exception.append(self._on_error)
        return trace

    async def _on_start(self, _session: object, call: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        """Wait until a call may be made. Raises ``NotCalled``."""
        call.kind = None
        url, base = str(params.url), str(URL(Route.BASE))
        if not url.startswith(base):
            return
        kind = "interaction" if url.removeprefix(base).startswith(UNLIMITED_PATHS) else "other"
        if kind == "other" and not self._proxied:
            with metrics.CALL_WAIT_SECONDS.time():
                await self._wait_for_turn()
        try:
            if kind == "other" and params.method != "GET" and self.lease_expired():
                raise LeaseExpired
            while self._invalid_at and self._invalid_at[0] <= self._clock() - INVALID_WINDOW:
                self._invalid_at.popleft()
            if len(self._invalid_at) >= MAX_INVALID:
                raise TooManyInvalid
        except NotCalled:
            metrics.CALLS.labels(kind, "held back").inc()
            raise
        call.kind = kind

    async def _wait_for_turn(self) -> None:
        """Wait until the next call is due, in the order in which calls were requested."""
        async with self._turn:
            # After a pause some calls may follow at once, but not all that the pause had room for.
            self._next_at = max(self._next_at, self._clock() - self._burst_seconds)
            while (wait := self._next_at - self._clock()) > 0:
                await self._sleep(wait)
            self._next_at = max(self._next_at, self._clock() - self._burst_seconds) + self._interval

    async def _on_end(self, _session: object, call: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        if call.kind is None:
            return
        status, headers = params.response.status, params.response.headers
        scope = headers.get("X-RateLimit-Scope")
        invalid = status in (401, 403) or (status == 429 and scope != "shared")
        metrics.CALLS.labels(call.kind, "invalid" if invalid else "answered").inc()
        if invalid:
            self._invalid_at.append(self._clock())
            if len(self._invalid_at) == MAX_INVALID:
                log.error("Discord refused too many calls: no more calls for now", refused=len(self._invalid_at))
        if status == 429 and (headers.get("X-RateLimit-Global") or scope == "global"):
            # discord.py makes no calls until the time is over.
            metrics.CALLS_HELD.inc()

    async def _on_error(
        self, _session: object, call: SimpleNamespace, _params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if call.kind is not None:
            metrics.CALLS.labels(call.kind, "unanswered").inc()
