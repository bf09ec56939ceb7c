"""Discord limits the channels of one server; the boards of another are not late for it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp import web

from tests.operation.conftest import Start
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import begun, played

MATCHES = 12
"""Matches in the server that is limited: more than one server has places."""


class Limiting(Loopback):
    """A Discord with a second server. It answers 429 to every message for the channels and threads in ``limited``."""

    def __init__(self) -> None:
        super().__init__()
        self.limited: set[int] = set()
        self.seconds = 0.0
        """For which each refused call is told to wait: up to 30 seconds discord.py waits inside the call."""
        self.refused = 0
        self.other = self.backend.create_guild("Another place")
        for person in (self.alice, self.bob):
            self.backend.add_member(self.other.id, person.id)
        self.there = self.backend.create_channel(self.other.id, "games").id

    async def _call(self, request: web.Request) -> web.StreamResponse:
        place = request.match_info["path"].split("/")[1:2]
        if request.method == "POST" and place and place[0].isdigit() and int(place[0]) in self.limited:
            self.refused += 1
            self.served()
            content = {"message": "You are being rate limited.", "retry_after": self.seconds, "global": False}
            headers = {"Retry-After": str(self.seconds), "Content-Type": "application/json", "Via": "1.1 google"}
            return web.Response(status=429, body=json.dumps(content), headers=headers)
        return await super()._call(request)


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[Limiting]:
    loopback = Limiting()
    await loopback.open()
    yield loopback
    await loopback.close()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [20.0, 300.0])
async def test_a_server_whose_channels_are_limited_for_minutes_does_not_hold_up_the_boards_of_another(
    discord: Limiting, start: Start, seconds: float
) -> None:
    await (await start()).ready()
    threads = [await begun(discord) for _ in range(MATCHES)]
    home, discord.channel = discord.channel, discord.there
    elsewhere = await begun(discord)
    discord.channel, discord.seconds, discord.limited = home, seconds, set(threads)
    for thread in threads:
        await discord.answered(discord.ask(discord.alice, thread, "move", move="a1"))
    await discord.until(lambda: discord.refused >= 8)
    began = time.monotonic()
    await played(discord, elsewhere, "a1", "a5", "b1")
    took = (time.monotonic() - began) / 3
    assert took < 5
    # A limit of a few seconds is not told to every message of the server.
    assert discord.refused < 2 * MATCHES
    discord.limited = set()
    if seconds > 30:
        return
    for thread in threads:
        await discord.control(thread, r"play:\d+:1")
