"""The database goes away for a while, at moments in which bots that share it need it most."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

import pytest
import structlog
from sqlalchemy import make_url

from bot.client import Tavoliere
from bot.cluster.membership import Member
from bot.storage.registration import Registration
from tests.operation.conftest import QUICK, Start, impatient, standing_by
from tests.support.cutting_relay import cutting_relay
from tests.support.postgresql import Cluster, needs_postgresql
from tests.support.processes.health_page import page
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running, command
from tests.support.waiting import until

pytestmark = [needs_postgresql, pytest.mark.timeout(300), pytest.mark.slow]

SILENCE = 30.0
"""Seconds within which an interaction is acknowledged even on a busy machine: Discord's three are for a quiet one."""


async def server_gone() -> None:
    """Wait, in the process of a bot, until no server of the database takes connections."""
    server = make_url(os.environ["DATABASE_URL"])
    with suppress(OSError):
        while True:
            _, writer = await asyncio.open_connection(server.host, server.port)
            writer.close()
            await asyncio.sleep(0.05)


def halting() -> None:
    """Have a process say at three moments of its way that it is there, and go on once the database is away."""
    impatient()
    for owner, name, moment in (
        (Registration, "open", "about to register"),
        (Member, "_ready", "all shards connected"),
        (Tavoliere, "_begin_work", "active, not yet serving"),
    ):
        setattr(owner, name, once_away(getattr(owner, name), moment))


def once_away(work: Callable[[Any], Awaitable[Any]], moment: str) -> Callable[[Any], Awaitable[Any]]:
    """Return a method that waits once until the database is away."""
    told = list[str]()

    async def late(one: Any) -> Any:
        if not told:
            told.append(moment)
            structlog.get_logger().info(moment)
            await server_gone()
        return await work(one)

    return late


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
def bots(start: Start, cluster: Cluster) -> Start:
    """Start a bot on the server."""
    return partial(start, bound=impatient, database_url=cluster.address)


async def test_bots_outlive_an_outage_longer_than_a_lease_and_one_that_stands_by_still_stands_in(
    discord: Loopback, bots: Start, cluster: Cluster, port: int
) -> None:
    first = await (await bots(metrics_port=port)).ready()
    second = await standing_by(bots())
    place = await begun(discord)
    await asyncio.to_thread(cluster.stop)
    assert (await page(port, "live"))[0] == 200
    assert (await page(port, "ready"))[0] == 503
    await asyncio.sleep(2 * QUICK.total_seconds())
    await asyncio.to_thread(cluster.start)
    await played(discord, place, FINISHED[0])
    assert not second.over.is_set(), second.log
    await first.end(signal.SIGKILL)
    await second.ready()
    await played(discord, place, FINISHED[1], begin=1)
    assert await second.end() == 0


async def outage(cluster: Cluster, *processes: Running) -> None:
    """Stop the server until each of some processes has found once more that it is away."""

    def found() -> list[int]:
        away = "database away, tried again soon"
        return [len(process.told(lambda line: line["event"] == away)) for process in processes]

    before = found()
    await asyncio.to_thread(cluster.stop)
    await until(lambda: all(map(int.__gt__, found(), before)), "processes without a database", found)
    await asyncio.to_thread(cluster.start)


async def test_a_successor_and_a_thinker_go_on_though_the_database_goes_away_at_any_moment_of_their_way(
    discord: Loopback, bots: Start, cluster: Cluster, tmp_path: Path
) -> None:
    first = await (await bots()).ready()
    place = await begun(discord)
    second = await bots(bound=halting)
    settings = {"database_url": cluster.address, "thinkers": 0, "log_format": "json"}
    thinker = await Running.start(command(tmp_path, "think", bound=halting, **settings))
    for process in (second, thinker):
        await process.logged("about to register")
    await outage(cluster, second, thinker)
    await thinker.logged("thinking")
    await second.logged("standing by: another bot is active")
    first.send(signal.SIGTERM)
    for moment in ("all shards connected", "active, not yet serving"):
        await second.logged(moment)
        await outage(cluster, second)
    await second.ready()
    assert await first.ended() == 0
    assert first.told(lambda line: line["event"] == "handed over")
    await second.logged("predecessor gone")
    await played(discord, place, *FINISHED)
    assert await second.end() == await thinker.end() == 0


async def test_a_bot_that_was_replaced_while_it_was_connecting_stands_by(discord: Loopback, bots: Start) -> None:
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


async def test_a_bot_that_starts_while_the_database_is_away_waits_for_it_before_it_asks_discord(
    discord: Loopback, bots: Start, cluster: Cluster, port: int, tmp_path: Path
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
    await played(discord, await begun(discord), FINISHED[0])
    assert await waiting.end() == 0


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
