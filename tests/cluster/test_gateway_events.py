"""No event of Discord's gateway ends the process, whatever it looks like: the real client reads them from a socket."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import discord
import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.client import Tavoliere, create_bot
from bot.cluster.gateway_events import EventSocket
from bot.demo.discord_server import led_to
from bot.settings import Settings
from bot.telemetry import metrics
from tests.cluster.gateway_payloads import CHANNEL, EVENTS, GUILD, GUILD_DATA, JOINED, READY, THREAD_DATA, damaged
from tests.support.processes.loopback import TOKEN, Loopback

HEALTHY: dict[str, Any] = GUILD_DATA | JOINED
FLUSHED = b"\x00\x00\xff\xff"
"""What every compressed message of the gateway ends with."""


class Line:
    """A bot that is connected to a Discord on the loopback interface."""

    def __init__(self, server: Loopback, bot: Tavoliere, connected: asyncio.Future[None]) -> None:
        self.server = server
        self.bot = bot
        self.connected = connected

    async def answers(self) -> None:
        """Have a person ask for help, and wait for the answer on the connection that was there from the beginning."""
        await self.server.answered(self.server.ask(self.server.alice, self.server.channel, "help"))
        assert not self.connected.done()
        assert self.server.identified == [0]


@pytest_asyncio.fixture
async def line(settings: Settings) -> AsyncIterator[Line]:
    """A bot that is ready."""
    server = Loopback()
    await server.open()
    with led_to(server.address):
        bot = create_bot(settings)
        await bot.login(TOKEN)
        connected = asyncio.ensure_future(bot.connect())
        await bot.wait_until_ready()
        try:
            yield Line(server, bot, connected)
        finally:
            await bot.close()
            with suppress(asyncio.CancelledError):
                await connected
            await server.close()


def unread(event: str) -> float:
    """Return how many events of a name could not be read."""
    return float(metrics.GATEWAY_EVENTS_UNREADABLE.labels(event)._value.get())


async def test_an_event_that_cannot_be_read_is_left_out_counted_and_logged_without_its_content(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EventSocket, "_logged", set())
    before = unread("THREAD_CREATE")
    thread = {name: value for name, value in THREAD_DATA.items() if name != "message_count"}
    await line.server.send_event("GUILD_CREATE", HEALTHY)
    with capture_logs() as logs:
        for _ in range(2):
            await line.server.send_event("THREAD_CREATE", thread | {"name": "a secret"})
        await line.answers()
    assert unread("THREAD_CREATE") == before + 2
    (line_of_log,) = (one for one in logs if "gateway" in one["event"])
    assert line_of_log["gateway_event"] == "THREAD_CREATE"
    assert line_of_log["error"].startswith("KeyError in threads.py:")
    assert '"name": "str"' in line_of_log["shape"]
    assert "secret" not in str(line_of_log)


async def test_a_server_with_an_odd_part_is_known_without_that_part(line: Line) -> None:
    sounds = [HEALTHY["soundboard_sounds"][0], {"sound_id": None}]
    odd = HEALTHY | {"soundboard_sounds": sounds, "stage_instances": None, "roles": [{}, *HEALTHY["roles"]]}
    await line.server.send_event("GUILD_CREATE", odd)
    await line.answers()
    guild = line.bot.get_guild(int(GUILD))
    assert guild is not None
    assert guild.name == "Friends"
    assert len(guild.soundboard_sounds) == 1
    assert len(guild.roles) == 2
    assert isinstance(guild.get_channel(int(CHANNEL)), discord.TextChannel)
    await line.server.send_event(
        "GUILD_UPDATE", GUILD_DATA | {"name": "Renamed", "roles": [*HEALTHY["roles"], {"id": "x"}]}
    )
    await line.answers()
    assert guild.name == "Renamed"
    assert len(guild.roles) == 2


ODD_READY: tuple[dict[str, Any], ...] = (
    {"user": None},
    {"user": {"id": 5}},
    {"shard": None},
    {"guilds": None},
    {"guilds": [{"id": GUILD, "unavailable": True}, None, {"id": "x"}]},
    {"session_id": ...},
    {"resume_gateway_url": None},
    {"application": None},
)


async def test_a_bot_becomes_ready_with_an_odd_ready(line: Line) -> None:
    own = line.bot.user
    assert own is not None
    own_user = own._to_minimal_user_json()
    for odd in ODD_READY:
        ready = READY | {"user": own_user, "resume_gateway_url": f"ws://{line.server.address}/gateway"} | odd
        again = asyncio.ensure_future(line.bot.wait_for("ready", timeout=30))
        await asyncio.sleep(0)
        await line.server.send_event("READY", {name: value for name, value in ready.items() if value is not ...})
        await line.server.send_event("GUILD_CREATE", HEALTHY)
        await again
        await line.answers()
        assert line.bot.get_guild(int(GUILD)) is not None, odd
        assert line.bot.user == own, odd


async def test_a_session_that_is_resumed_with_an_odd_event_goes_on(line: Line) -> None:
    odds: tuple[Any, ...] = (None, [], "odd")
    for odd in odds:
        resumed = asyncio.ensure_future(line.bot.wait_for("resumed", timeout=30))
        await asyncio.sleep(0)
        await line.server.send_event("RESUMED", odd)
        await resumed
    await line.answers()


async def test_a_connection_that_sends_no_events_is_opened_again(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.backoff.ExponentialBackoff, "delay", lambda self: 0.0)
    monkeypatch.setattr(line.bot, "before_identify_hook", _at_once)
    odds: tuple[str | bytes, ...] = (
        "no JSON",
        '{"op": 10, "d": {}}',
        '{"op": 0, "t": "READY", "s": 1, "d": null}',
        "[]",
        '{"op": 0, "t": {"odd": 1}}',
        "[" * 100_000,
        b"cannot be decompressed" + FLUSHED,
    )
    for odd in odds:
        again = [asyncio.ensure_future(line.bot.wait_for(event, timeout=30)) for event in ("resumed", "ready")]
        for gateway in list(line.server._gateways):
            await (gateway.send_bytes(odd) if isinstance(odd, bytes) else gateway.send_str(odd))
        done, others = await asyncio.wait(again, return_when=asyncio.FIRST_COMPLETED)
        assert done.pop().exception() is None
        for other in others:
            other.cancel()
        line.server.identified[:] = [0]
        await line.answers()


async def _at_once(_shard_id: int | None, *, initial: bool = False) -> None:
    """Do not wait five seconds before another connection."""


@pytest.mark.slow
@pytest.mark.parametrize(("event", "payload"), EVENTS, ids=[event for event, _ in EVENTS])
async def test_every_event_may_look_as_it_likes(
    line: Line, caplog: pytest.LogCaptureFixture, event: str, payload: dict[str, Any]
) -> None:
    before, tried = unread(event), 0
    for tried, odd in enumerate(damaged(payload), 1):
        if event.startswith(("GUILD_DELETE", "CHANNEL_DELETE")) or tried % 20 == 1:
            await line.server.send_event("GUILD_CREATE", HEALTHY)
        await line.server.send_event(event, odd)
    await line.answers()
    assert unread(event) - before <= tried
    gc.collect()  # asyncio logs the error of a task when the task is collected.
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    print(f"{event}: {tried} tried, {unread(event) - before:.0f} left out")  # with -s it is a table
