"""Which calls are paced, which answers count as invalid, and what is none of this: over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web
from prometheus_client import REGISTRY

from bot.calls.budget import CallBudget, Lapsed
from bot.calls.invalid_responses import Allowance, HeldBack, Window
from bot.demo.discord_server import led_to
from bot.storage.database import Database

GLOBAL = {"X-RateLimit-Scope": "global", "Retry-After": "7.5"}


class Server:
    """Answers every call with a status and headers."""

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


async def called(server: Server, budget: CallBudget, path: str, method: str = "GET") -> int:
    """Make a call and return the status it is answered with."""
    async with (
        aiohttp.ClientSession(trace_configs=[budget.trace()]) as session,
        session.request(method, f"http://{server.address}{path}") as answer,
    ):
        return answer.status


def counted(kind: str, outcome: str) -> float:
    """Return how many calls have ended so."""
    name = "tavoliere_discord_calls_total"
    return REGISTRY.get_sample_value(name, {"kind": kind, "outcome": outcome}) or 0.0


@pytest.mark.parametrize(
    "path",
    ["/api/v10/interactions/1/token/callback", "/api/v10/webhooks/1/token/messages/@original", "/gateway", "/cdn"],
)
async def test_answers_to_interactions_and_what_is_no_call_wait_for_nothing(server: Server, path: str) -> None:
    budget = CallBudget(alone=True)
    budget.hold(1000.0)
    assert await called(server, budget, path) == 200


async def test_other_calls_wait_while_none_are_wanted_unless_a_proxy_sees_to_that(server: Server) -> None:
    budget, path = CallBudget(alone=True), "/api/v10/channels/1"
    budget.hold(1000.0)
    calling = asyncio.create_task(called(server, budget, path))
    await asyncio.sleep(0.1)
    assert not calling.done()
    calling.cancel()
    await asyncio.gather(calling, return_exceptions=True)
    proxied = CallBudget(alone=True, proxied=True)
    proxied.hold(1000.0)
    assert await called(server, proxied, path) == 200


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
        (429, GLOBAL, "invalid"),
        (0, {}, "unanswered"),
    ],
)
@pytest.mark.parametrize(("kind", "path"), [("other", "/api/v10/channels/1"), ("interaction", "/api/v10/webhooks/1/x")])
async def test_what_counts_as_invalid_is_what_discord_counts(
    server: Server, status: int, headers: dict[str, str], outcome: str, kind: str, path: str
) -> None:
    server.status, server.headers = status, headers
    told: list[float] = []
    budget = CallBudget(alone=True)
    budget._tell = told.append
    before = counted(kind, outcome)
    try:
        assert await called(server, budget, path) == status
    except aiohttp.ClientError:
        assert status == 0
    assert counted(kind, outcome) == before + 1
    assert budget._allowance._in_flight == 0
    # A limit of the whole token is everybody's business, one of a route is not.
    assert told == ([7.5] if headers is GLOBAL else [])
    assert (budget.held > 0) is (headers is GLOBAL)


async def test_whoever_may_have_been_replaced_posts_nothing_more_but_can_say_so(server: Server) -> None:
    budget, lapsed = CallBudget(alone=False), asyncio.Event()
    database = Database("sqlite+aiosqlite://")
    budget.join(database, 1, 9.0, print, lapsed.is_set)
    budget._allowance = Allowance(Window().draw)
    path = "/api/v10/channels/1"
    assert await called(server, budget, path, "POST") == 200
    lapsed.set()
    before = counted("other", "held back")
    with pytest.raises(Lapsed):
        await called(server, budget, path, "POST")
    assert counted("other", "held back") == before + 1
    assert await called(server, budget, path) == 200
    assert await called(server, budget, "/api/v10/interactions/1/token/callback", "POST") == 200
    lapsed.clear()
    assert await called(server, budget, path, "POST") == 200
    await database.close()


async def test_where_too_many_were_refused_nothing_is_called_not_even_to_answer(server: Server) -> None:
    async def nothing(_wanted: int) -> int:
        return 0

    budget = CallBudget(alone=True)
    budget._allowance = Allowance(nothing)
    for path in ("/api/v10/channels/1", "/api/v10/interactions/1/token/callback"):
        with pytest.raises(HeldBack):
            await called(server, budget, path)
    assert await called(server, budget, "/gateway") == 200
