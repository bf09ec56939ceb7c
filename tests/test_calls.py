"""How fast a process calls Discord, which answers are invalid, and that it stops before a ban: over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web
from prometheus_client import REGISTRY

from bot.calls import INVALID_WINDOW, MAX_INVALID, RATE, CallLimits, LeaseExpired, TooManyInvalid
from bot.demo.discord_server import led_to

ALLOWED = 50
"""The calls that Discord allows within a second."""
BANNED = 10_000
"""Invalid answers within ten minutes that get a bot banned."""
LIMITED, UNLIMITED = "/api/v10/channels/1", "/api/v10/interactions/1/token/callback"


class Time:
    """Time that passes only in sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


class Server:
    """Answers every call with a status and headers, and notes when it came."""

    def __init__(self) -> None:
        self.status = 200
        self.headers: dict[str, str] = {}
        self.address = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if self.status == 0:
            assert request.transport is not None
            request.transport.abort()
        return web.Response(status=self.status, headers=self.headers)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    """Something to be called, in place of Discord."""
    server, app = Server(), web.Application()
    app.router.add_route("*", "/{path:.*}", server.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.address = f"127.0.0.1:{runner.addresses[0][1]}"
    with led_to(server.address):
        yield server
    await runner.cleanup()


async def call(server: Server, limits: CallLimits, path: str, method: str = "GET") -> int:
    """Make a call and return the status it is answered with."""
    async with (
        aiohttp.ClientSession(trace_configs=[limits.trace()]) as session,
        session.request(method, f"http://{server.address}{path}") as answer,
    ):
        return answer.status


def count(kind: str, outcome: str) -> float:
    """Return how many calls have ended so."""
    name = "tavoliere_discord_calls_total"
    return REGISTRY.get_sample_value(name, {"kind": kind, "outcome": outcome}) or 0.0


async def times(limits: CallLimits, time: Time, seconds: float) -> list[float]:
    """Return the times of the calls of a process that always wants to call."""
    until, made = time.now + seconds, list[float]()
    while True:
        await limits._wait_for_turn()
        if time.now >= until:
            return made
        made.append(time.now)


async def test_no_more_calls_are_made_in_any_second_than_discord_allows() -> None:
    time = Time()
    limits = CallLimits(clock=time.clock, sleep=time.sleep)
    made = await times(limits, time, 20)
    assert len(made) == pytest.approx(20 * RATE, abs=7)
    time.now += 60.0
    made += await times(limits, time, 20)
    busiest = max(sum(first <= at < first + 1 for at in made) for first in made)
    # One call may be sent late.
    assert busiest + 1 <= ALLOWED


async def test_calls_that_waited_while_the_process_stood_still_do_not_go_out_all_at_once() -> None:
    time = Time()

    async def sleep_too_long(_seconds: float) -> None:
        await time.sleep(5.0)

    limits = CallLimits(clock=time.clock, sleep=sleep_too_long)
    made = await times(limits, time, 20)
    assert max(made.count(at) for at in made) <= 7


@pytest.mark.parametrize("path", [UNLIMITED, "/api/v10/webhooks/1/token/messages/@original", "/gateway", "/cdn"])
async def test_answers_to_interactions_and_requests_to_others_wait_for_nothing(server: Server, path: str) -> None:
    async def never(_seconds: float) -> None:
        await asyncio.Event().wait()

    limits = CallLimits(sleep=never)
    limits._next_at += 1000.0
    waiting = asyncio.create_task(call(server, limits, LIMITED))
    assert await call(server, limits, path) == 200
    assert not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    proxied = CallLimits(proxied=True, sleep=never)
    proxied._next_at += 1000.0
    assert await call(server, proxied, LIMITED) == 200


@pytest.mark.parametrize(
    ("status", "headers", "outcome"),
    [
        (200, {}, "answered"),
        (404, {}, "answered"),
        (500, {}, "answered"),
        (429, {"X-RateLimit-Scope": "shared"}, "answered"),
        (401, {}, "invalid"),
        (403, {}, "invalid"),
        (429, {"X-RateLimit-Scope": "user", "Retry-After": "3"}, "invalid"),
        (429, {"X-RateLimit-Scope": "global", "Retry-After": "7.5"}, "invalid"),
        (0, {}, "unanswered"),
    ],
)
@pytest.mark.parametrize(("kind", "path"), [("other", LIMITED), ("interaction", UNLIMITED)])
async def test_the_answers_that_count_as_invalid_are_those_that_discord_counts(
    server: Server,
    status: int,
    headers: dict[str, str],
    outcome: str,
    kind: str,
    path: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.status, server.headers = status, headers
    time = Time()
    monkeypatch.setattr("bot.calls.MAX_INVALID", 1)
    limits = CallLimits(clock=time.clock, sleep=time.sleep)
    before = count(kind, outcome)
    try:
        assert await call(server, limits, path) == status
    except aiohttp.ClientError:
        assert status == 0
    assert count(kind, outcome) == before + 1
    server.status, server.headers = 200, {}
    if outcome == "invalid":
        with pytest.raises(TooManyInvalid):
            await call(server, limits, path)
    else:
        assert await call(server, limits, path) == 200


async def test_a_process_whose_calls_are_all_refused_gets_half_of_what_gets_one_banned(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.calls.MAX_INVALID", 100)
    assert MAX_INVALID <= BANNED // 2
    server.status, time = 403, Time()
    limits = CallLimits(clock=time.clock, sleep=time.sleep)

    async def refused() -> int:
        number = 0
        while True:
            try:
                await call(server, limits, LIMITED)
            except TooManyInvalid:
                return number
            number += 1

    assert await refused() == 100
    before = count("interaction", "held back")
    with pytest.raises(TooManyInvalid):
        await call(server, limits, UNLIMITED)
    assert count("interaction", "held back") == before + 1
    # Addresses that are not Discord's are not concerned.
    assert await call(server, limits, "/gateway") == 403
    time.now += INVALID_WINDOW - 60
    assert await refused() == 0
    time.now += 61
    assert await refused() == 100


async def test_a_process_whose_lease_has_expired_posts_nothing_but_can_read_and_answer(server: Server) -> None:
    limits, expired = CallLimits(), asyncio.Event()
    limits.lease_expired = expired.is_set
    assert await call(server, limits, LIMITED, "POST") == 200
    expired.set()
    before = count("other", "held back")
    with pytest.raises(LeaseExpired):
        await call(server, limits, LIMITED, "POST")
    assert count("other", "held back") == before + 1
    assert await call(server, limits, LIMITED) == 200
    assert await call(server, limits, UNLIMITED, "POST") == 200
    expired.clear()
    assert await call(server, limits, LIMITED, "POST") == 200
