"""Processes that call a Discord together, through discord.py and with the budget of a bot."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import discord
from aiohttp import TraceRequestStartParams
from discord.http import HTTPClient
from sqlalchemy import event

from bot.calls import invalid_responses
from bot.calls.budget import CallBudget
from bot.calls.invalid_responses import HeldBack
from bot.demo.discord_server import led_to
from bot.storage.database import Database
from bot.storage.registration import BOT, Registration
from tests.support.forkserver import forkserver
from tests.support.processes.limited import SENT
from tests.support.processes.loopback import TEST_SECONDS, TOKEN

AT_ONCE = 12
"""Calls a process makes at the same time."""
LEASE = timedelta(seconds=6)
BUSY = 7
"""The channel whose call Discord answers with a hold on all calls."""


@dataclass
class Caller:
    """One of the processes: its budget, its calls, and the number of its queries."""

    number: int
    http: HTTPClient
    budget: CallBudget
    database: Database
    statements: int = 0
    calls: int = 0
    held_back: int = 0
    fastest: float = 0.0

    async def call(self, place: int) -> None:
        """Make a call that is answered with 404, or refused. Raises ``HeldBack``."""
        with contextlib.suppress(discord.HTTPException):
            await self.http.get_channel(place)
        self.calls += 1
        self.fastest = max(self.fastest, self.budget.rate)

    async def each(self, work: Callable[[int], Awaitable[None]]) -> None:
        """Run a function several times at once, each with another route."""
        await asyncio.gather(*(work(100 * self.number + at) for at in range(AT_ONCE)))


Act = Callable[[Caller], Awaitable[None]]


async def many(calls: int, caller: Caller) -> None:
    """Make so many calls as fast as the budget allows."""

    async def some(place: int) -> None:
        for _ in range(calls // AT_ONCE):
            await caller.call(place)

    await caller.each(some)


async def until_fast(rate: float, caller: Caller) -> None:
    """Make calls, in the first process only, until it may make so many a second; the others wait for that."""
    if caller.number:
        return
    while caller.budget.rate >= rate:
        # It has not heard of the others.
        await asyncio.sleep(0.02)

    async def some(place: int) -> None:
        while caller.budget.rate < rate:
            await caller.call(place)

    await caller.each(some)


async def until_held_back(caller: Caller) -> None:
    """Make calls until no more are made."""

    async def some(place: int) -> None:
        try:
            while True:
                await caller.call(place)
        except HeldBack:
            caller.held_back += 1

    await caller.each(some)


async def until_held(caller: Caller) -> None:
    """Call once, in the first process only, and wait until Discord wants no calls."""
    calling = asyncio.create_task(caller.call(BUSY)) if caller.number == 0 else None
    while caller.budget.held <= 0:
        await asyncio.sleep(0.02)
    if calling is not None:
        calling.cancel()


def together(act: Act, number: int, database: str, address: str, limit: int | None = None) -> list[dict[str, Any]]:
    """Have some processes run a function on a Discord and a database; return the outcome of each."""
    barrier, results = forkserver.Barrier(number), forkserver.SimpleQueue()
    processes = [
        forkserver.Process(target=_run, args=(act, at, database, address, limit, barrier, results), daemon=True)
        for at in range(number)
    ]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    assert not [one for one in found if isinstance(one, str)], found
    return sorted(found, key=lambda one: one["number"])


def _run(act: Act, number: int, url: str, address: str, limit: int | None, barrier: Any, results: Any) -> None:
    if limit is not None:
        invalid_responses.LIMIT = limit
    try:
        with led_to(address):
            results.put(asyncio.run(_called(act, number, url, barrier)))
    except BaseException as error:
        barrier.abort()
        results.put(f"process {number}: {error!r}")


async def _called(act: Act, number: int, url: str, barrier: Any) -> dict[str, Any]:
    database, calls = Database(url), CallBudget(alone=False)
    calls.serving = True
    trace = calls.trace()
    trace.on_request_start.append(_stamp)
    http = HTTPClient(asyncio.get_running_loop(), http_trace=trace)
    registration = Registration(database, BOT, lambda: None, lambda: None, LEASE, calls)
    try:
        calls.join(database, barrier.parties, LEASE.total_seconds(), registration.hold)
        await registration.open()
        await http.static_login(TOKEN)
        caller = Caller(number, http, calls, database)
        event.listen(database.engine.sync_engine, "before_cursor_execute", partial(_count, caller))
        await asyncio.to_thread(barrier.wait, TEST_SECONDS)
        async with asyncio.timeout(TEST_SECONDS):
            await act(caller)
        await asyncio.to_thread(barrier.wait, TEST_SECONDS)
        names = ("number", "statements", "calls", "held_back", "fastest")
        return {name: getattr(caller, name) for name in names}
    finally:
        await http.close()
        await registration.close()
        await database.close()


async def _stamp(_session: object, _context: object, request: TraceRequestStartParams) -> None:
    request.headers[SENT] = str(time.monotonic())


def _count(caller: Caller, _connection: object, _cursor: object, statement: str, *_: object) -> None:
    # A process renews its lease, and watches those of others, even if it makes no calls.
    caller.statements += not statement.startswith(("UPDATE processes", "DELETE FROM processes"))
