"""Keeps the calls of this process within the limits of the token, which several processes share. It sees every call
before it is made, and its answer. discord.py keeps the limits of each route.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from types import SimpleNamespace

import aiohttp
import structlog
from discord.http import Route
from sqlalchemy.exc import SQLAlchemyError
from yarl import URL

from bot.calls import invalid_responses
from bot.calls.invalid_responses import Allowance, NotCalled, Uncounted, Window
from bot.calls.pace import RATE, STANDING_BY, UNKNOWN, Pace, Quota
from bot.storage import commits, processes
from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.patience import person_waits
from bot.storage.transactions import retried
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

FREE = ("/interactions/", "/webhooks/")
"""Paths with these beginnings answer interactions, and count against no limit of the token."""
INVALID = {401, 403}


class Lapsed(NotCalled):
    """A call was not made, because another process may already have made it."""

    def __init__(self) -> None:
        super().__init__("Discord was not called: the lease of this process was not renewed in time")


class CallBudget:
    """The calls of one process. discord.py reports each call to ``trace``.

    With ``proxied``, a proxy keeps Discord's limits and calls are not paced. With ``alone``, no other process calls.
    """

    def __init__(self, *, alone: bool, proxied: bool = False) -> None:
        self._proxied = proxied
        self._quota: Quota | None = None
        self._pace = Pace(RATE if alone else UNKNOWN, time.monotonic())
        self._allowance = Allowance(Window().draw)
        self._database: Database | None = None
        self._tell: Callable[[float], None] | None = None
        self._lapsed: Callable[[], bool] = lambda: False
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        self._made = self._waiting = 0
        """Calls made since this process was weighed last, and calls that wait."""
        self._weight = 0.0
        self._weighed_at = time.monotonic()
        self.serving = False
        """Whether this process serves people; otherwise it stands by."""

    @property
    def rate(self) -> float:
        """Calls a second that this process may make now."""
        return self._pace.rate if self._quota is None else self._quota.rate(time.monotonic())

    @property
    def held(self) -> float:
        """Seconds for which Discord accepts no calls."""
        return self._pace.held(time.monotonic())

    def trace(self) -> aiohttp.TraceConfig:
        """Return the trace that reports every call to this budget."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._before)
        trace.on_request_end.append(self._answered)
        trace.on_request_exception.append(self._failed)
        return trace

    def join(
        self,
        database: Database,
        slots: int,
        lease: float,
        tell: Callable[[float], None],
        lapsed: Callable[[], bool] = lambda: False,
    ) -> None:
        """Share the calls with the other processes on a database from now on.

        The weights of the others count for ``lease`` seconds. ``tell`` tells them that Discord accepts no calls for
        some seconds. ``lapsed`` returns whether they may have taken over from this process: after a long sleep it must
        not post what it began before, but it may read.
        """
        self._database, self._tell, self._lapsed = database, tell, lapsed
        self._quota = Quota(lease)
        self._allowance = Allowance(self._draw, slots)

    def weight(self) -> float:
        """Return the weight of this process when calls are divided: the calls it wanted since the last request."""
        now = time.monotonic()
        wanted = self._made + self._waiting
        weight = Quota.weight(wanted, now - self._weighed_at) if self.serving else STANDING_BY
        self._made, self._weighed_at = 0, now
        self._weight = 0.0 if self._proxied else weight
        return self._weight

    def renewed(self, others: float, held: float) -> None:
        """Note the weight of all other processes, and for how many seconds Discord accepts no calls."""
        assert self._quota is not None
        now = time.monotonic()
        self._quota.renewed(self._weight, others, now)
        self._pace.hold(held, now)
        if not self._proxied:
            metrics.CALL_RATE.set(self.rate)
        self._changed.set()

    def hold(self, seconds: float) -> None:
        """Make no calls for some seconds, except calls that answer interactions."""
        self._pace.hold(seconds, time.monotonic())

    async def _before(self, _session: object, call: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        call.allowance = None
        url, base = str(params.url), str(URL(Route.BASE))
        if not url.startswith(base):
            return
        kind = "interaction" if url.removeprefix(base).startswith(FREE) else "other"
        if kind == "other" and not self._proxied:
            await self._paced()
        if kind == "other" and params.method != "GET" and self._lapsed():
            metrics.CALLS.labels(kind, "held back").inc()
            raise Lapsed
        allowance = self._allowance
        try:
            await allowance.reserve()
        except NotCalled:
            metrics.CALLS.labels(kind, "held back").inc()
            raise
        call.kind, call.allowance = kind, allowance

    async def _paced(self) -> None:
        """Wait until this call may be made, in the order in which calls were requested."""
        self._waiting += 1
        try:
            with metrics.CALL_WAIT_SECONDS.time():
                async with self._turn:
                    while (wait := self._wait()) > 0:
                        self._changed.clear()
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(self._changed.wait(), wait)
                    self._pace.take(time.monotonic())
                    self._made += 1
        finally:
            self._waiting -= 1

    def _wait(self) -> float:
        now = time.monotonic()
        self._pace.set_rate(self.rate, now)
        return self._pace.wait(now)

    async def _answered(self, _session: object, call: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        if call.allowance is None:
            return
        status, headers = params.response.status, params.response.headers
        shared = headers.get("X-RateLimit-Scope") == "shared"
        invalid = status in INVALID or (status == 429 and not shared)
        call.allowance.release(invalid=invalid)
        metrics.CALLS.labels(call.kind, "invalid" if invalid else "answered").inc()
        if status == 429 and (headers.get("X-RateLimit-Global") or headers.get("X-RateLimit-Scope") == "global"):
            self._refused_to_all(_seconds(headers.get("Retry-After", "")))

    async def _failed(
        self, _session: object, call: SimpleNamespace, _params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if call.allowance is not None:
            call.allowance.release(invalid=False)
            metrics.CALLS.labels(call.kind, "unanswered").inc()

    def _refused_to_all(self, seconds: float) -> None:
        log.warning("Discord accepts no calls with this token for now", seconds=seconds)
        metrics.CALLS_HELD.inc()
        self.hold(seconds)
        if self._tell is not None:
            self._tell(seconds)

    async def _draw(self, wanted: int) -> int:
        try:
            with person_waits():
                return await self._drawn(wanted)
        except (SQLAlchemyError, StorageError, OSError) as error:
            log.warning("recently refused calls not counted", error=repr(error))
            raise Uncounted from error

    @retried
    async def _drawn(self, wanted: int) -> int:
        assert self._database is not None
        with commits.aside():
            async with self._database.write() as tx:
                return await processes.draw_invalid_responses(
                    tx, wanted, invalid_responses.LIMIT, invalid_responses.WINDOW
                )


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0
