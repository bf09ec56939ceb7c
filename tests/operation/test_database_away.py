"""The database goes away for a while, at moments in which bots that share it need it most."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError

import asyncpg  # type: ignore[import-untyped]
import pytest
import structlog
from sqlalchemy import make_url

from bot.client import Tavoliere
from bot.cluster.membership import Member
from bot.messages import custom_ids
from bot.requests.outcome import SLOW, UNAVAILABLE
from bot.storage import registration
from bot.storage.records import BotState
from bot.storage.registration import Registration
from tests.operation.conftest import Start
from tests.support.cutting_relay import cutting_relay
from tests.support.postgresql import Cluster, needs_postgresql
from tests.support.processes.health_page import page
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running, command

pytestmark = [needs_postgresql, pytest.mark.timeout(300), pytest.mark.slow]

QUICK = timedelta(seconds=6)
"""A lease that tests can wait for; on a busy machine a process may stand still for seconds."""
SILENCE = 30.0
"""Seconds within which an interaction is acknowledged even on a busy machine: Discord's three are for a quiet one."""


def impatient() -> None:
    """Have a process taken for dead after a moment, instead of the seconds it has in earnest."""
    registration.LEASE = QUICK


async def server_gone() -> None:
    """Wait, in the process of a bot, until no server of the database takes connections."""
    server = make_url(os.environ["DATABASE_URL"])
    with suppress(OSError):
        while True:
            _, writer = await asyncio.open_connection(server.host, server.port)
            writer.close()
            await asyncio.sleep(0.05)


def unhurried() -> None:
    """Have a successor say when it is connected, and tell the others so once the database is away."""
    impatient()
    ready, waited = Member._ready, asyncio.Event()

    async def slowly(member: Member) -> BotState:
        if not waited.is_set():
            waited.set()
            structlog.get_logger().info("all shards connected")
            await server_gone()
        return await ready(member)

    Member._ready = slowly  # type: ignore[method-assign, assignment]


def unserving() -> None:
    """Have a bot say when it is active, and begin to serve once the database is away."""
    impatient()
    begin, waited = Tavoliere._begin_work, asyncio.Event()

    async def late(bot: Tavoliere) -> None:
        if not waited.is_set():
            waited.set()
            structlog.get_logger().info("active, not yet serving")
            await server_gone()
        await begin(bot)

    Tavoliere._begin_work = late  # type: ignore[method-assign, assignment]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A server that can be stopped and started."""
    with tempfile.TemporaryDirectory() as folder:
        created = Cluster.create(Path(folder))
        created.start()
        try:
            yield created
        finally:
            with suppress(CalledProcessError):
                created.stop()


@pytest.fixture
def bots(start: Start, cluster: Cluster) -> Callable[..., Awaitable[Running]]:
    """Start a bot on the server."""
    return partial(start, bound=impatient, database_url=cluster.address)


async def standing_by(starting: Awaitable[Running]) -> Running:
    running = await starting
    await running.logged("standing by: another bot is active")
    return running


async def test_bots_outlive_an_outage_longer_than_a_lease_and_one_that_stands_by_still_stands_in(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster
) -> None:
    first = await (await bots()).ready()
    second = await standing_by(bots())
    place = await begun(discord)
    await asyncio.to_thread(cluster.stop)
    await asyncio.sleep(2 * QUICK.total_seconds())
    await asyncio.to_thread(cluster.start)
    await played(discord, place, FINISHED[0])
    assert not second.over.is_set(), second.log
    await first.end(signal.SIGKILL)
    await second.ready()
    await played(discord, place, FINISHED[1], begin=1)
    assert await second.end() == 0


async def test_a_successor_that_is_ready_while_the_database_is_away_is_active_afterwards(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster
) -> None:
    first = await (await bots()).ready()
    second = await standing_by(bots(bound=unhurried))
    place = await begun(discord)
    first.send(signal.SIGTERM)
    await second.logged("all shards connected")
    await asyncio.to_thread(cluster.stop)
    await second.logged("database away, tried again soon")
    await asyncio.to_thread(cluster.start)
    assert await first.ended() == 0
    assert first.told(lambda line: line["event"] == "handed over")
    await second.logged("predecessor gone")
    await played(discord, place, *FINISHED)
    assert await second.end() == 0


async def test_a_successor_that_is_active_serves_after_an_outage(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster
) -> None:
    first = await (await bots()).ready()
    second = await standing_by(bots(bound=unserving))
    place = await begun(discord)
    first.send(signal.SIGTERM)
    await second.logged("active, not yet serving")
    await asyncio.to_thread(cluster.stop)
    await second.logged("database away, tried again soon")
    await asyncio.to_thread(cluster.start)
    await second.ready()
    assert await first.ended() == 0
    await played(discord, place, *FINISHED[:2])
    assert await second.end() == 0


async def test_a_bot_that_was_replaced_while_it_was_connecting_stands_by(
    discord: Loopback, bots: Callable[..., Awaitable[Running]]
) -> None:
    with discord.held("GET /gateway"):
        first = await bots()
        await discord.until(lambda: "GET /gateway" in discord.waiting)
        first.send(signal.SIGSTOP)
        second = await bots()
        await second.logged("active, no other bot is")
        first.send(signal.SIGCONT)
        await first.logged("standing by: another bot is active")
    await second.ready()
    assert await first.end() == 0
    assert await second.end() == 0


async def test_a_bot_whose_connections_break_between_being_active_and_serving_serves_afterwards(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster
) -> None:
    first = await (await bots()).ready()
    place = await begun(discord)
    second = await standing_by(bots(bound=unserving))
    await first.end(signal.SIGKILL)
    await second.logged("active, not yet serving")
    await asyncio.to_thread(cluster.stop)
    await second.logged("database away, tried again soon")
    await asyncio.to_thread(cluster.start)
    await second.ready()
    await played(discord, place, FINISHED[0])
    assert await second.end() == 0


async def test_a_bot_that_starts_while_the_database_is_away_waits_for_it_before_it_asks_discord(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster, port: int, tmp_path: Path
) -> None:
    await asyncio.to_thread(cluster.stop)
    waiting = await bots(metrics_port=port)
    settings = {"database_url": cluster.address, "thinkers": 0, "log_format": "json"}
    thinker = await Running.start(command(tmp_path, "think", bound=impatient, **settings))
    for process in (waiting, thinker):
        await process.logged("database away, tried again soon")
    assert await page(port, "live") == (200, '{"status": "live"}')
    assert await page(port, "ready") == (503, '{"status": "the database does not answer"}')
    assert await page(port, "health") == await page(port, "ready")
    assert not waiting.told(lambda line: line["event"] == "logging in using static token")
    assert await thinker.end() == 0
    await asyncio.to_thread(cluster.start)
    await waiting.ready()
    assert (await page(port, "ready"))[0] == 200
    # It goes away again: no process exits because of it.
    await asyncio.to_thread(cluster.stop)
    assert (await page(port, "live"))[0] == 200
    assert (await page(port, "ready"))[0] == 503
    await asyncio.sleep(2 * QUICK.total_seconds())
    assert not waiting.over.is_set(), waiting.log
    await asyncio.to_thread(cluster.start)
    await played(discord, await begun(discord), FINISHED[0])
    assert await waiting.end() == 0


def unregistered() -> None:
    """Have a process say when it has opened the database, and register once the database is away."""
    impatient()
    register, waited = Registration.open, asyncio.Event()

    async def late(registered: Registration) -> int:
        if not waited.is_set():
            waited.set()
            structlog.get_logger().info("about to register")
            await server_gone()
        return await register(registered)

    Registration.open = late  # type: ignore[method-assign, assignment]


async def test_processes_whose_connections_break_when_they_register_do_so_afterwards(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster, tmp_path: Path
) -> None:
    # So that both find the database up to date.
    first = await (await bots()).ready()
    assert await first.end() == 0
    serving = await bots(bound=unregistered)
    settings = {"database_url": cluster.address, "thinkers": 0, "log_format": "json"}
    thinker = await Running.start(command(tmp_path, "think", bound=unregistered, **settings))
    for process in (serving, thinker):
        await process.logged("about to register")
    await asyncio.to_thread(cluster.stop)
    for process in (serving, thinker):
        await process.logged("database away, tried again soon")
    await asyncio.to_thread(cluster.start)
    await thinker.logged("thinking")
    await serving.ready()
    await played(discord, await begun(discord), FINISHED[0])
    assert await serving.end() == await thinker.end() == 0


NOTHING_CHANGED = (str(UNAVAILABLE), str(SLOW))
"""What is told while nothing can be stored: the second if a busy machine has not even connected in time."""


async def test_a_person_who_deletes_everything_while_the_database_is_locked_or_away_is_told_that_nothing_was_changed(
    discord: Loopback, bots: Callable[..., Awaitable[Running]], cluster: Cluster
) -> None:
    running = await (await bots()).ready()
    thread = await begun(discord)
    await played(discord, thread, FINISHED[0])
    question = discord.backend.interactions[discord.ask(discord.alice, discord.channel, "privacy", action="delete")]
    await discord.answered(question.id)

    async def pressed() -> str:
        """Press the button and return the words that follow."""
        yes = custom_ids.PRIVACY(verb="erase")
        record = discord.backend.interactions[discord.press(discord.alice, discord.channel, yes)]
        await discord.until(lambda: record.followup_ids)
        return discord.said(discord.channel, record.followup_ids[-1])

    holding = await asyncpg.connect(cluster.address.replace("+asyncpg", ""))
    async with holding.transaction():
        await holding.execute("SELECT 1 FROM matches FOR UPDATE")
        assert await pressed() in NOTHING_CHANGED
    await holding.close()
    await asyncio.to_thread(cluster.stop)
    assert await pressed() in NOTHING_CHANGED
    await asyncio.to_thread(cluster.start)
    # The match goes on, and pressing again deletes everything.
    await played(discord, thread, FINISHED[1], begin=1)
    discord.press(discord.alice, discord.channel, custom_ids.PRIVACY(verb="erase"))
    done = "Everything about you has been deleted. You resigned 1 running match."
    assert question.message_id is not None
    asked = question.message_id
    await discord.until(lambda: done in discord.said(discord.channel, asked))
    assert await running.end() == 0


async def acknowledged(discord: Loopback, thread: int) -> list[int]:
    """Have Alice ask for twenty boards, and wait until all are acknowledged."""
    asked = [discord.ask(discord.alice, thread, "board") for _ in range(20)]
    began = time.monotonic()
    await discord.until(lambda: all(discord.backend.interactions[one].responded for one in asked))
    assert time.monotonic() - began < SILENCE
    return asked


async def test_while_the_database_is_silent_people_are_told_so_and_not_left_without_an_answer(
    discord: Loopback, start: Start, server: str
) -> None:
    async with cutting_relay(server) as (relay, address):
        bot = await (await start(bound=impatient, database_url=address)).ready()
        thread = await begun(discord)
        relay.flowing.clear()
        # More than there are connections.
        asked = await acknowledged(discord, thread)
        await asyncio.sleep(QUICK.total_seconds() + 1)
        # The lease has expired, so these have to be claimed.
        asked += await acknowledged(discord, thread)
        for one in asked:
            assert "right now" in await discord.answered(one)
        assert not bot.over.is_set(), bot.log
        relay.flowing.set()
        await played(discord, thread, *FINISHED[:2])
