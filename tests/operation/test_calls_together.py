"""Several processes that call one Discord: together they keep to what it allows the token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio

from bot.calls.pace import RATE
from bot.storage.database import Database
from tests.operation.conftest import Start
from tests.support.postgresql import needs_postgresql
from tests.support.processes.calling import AT_ONCE, BUSY, Act, many, together, until_fast, until_held, until_held_back
from tests.support.processes.limited import Limited
from tests.support.processes.loopback import TEST_SECONDS
from tests.support.processes.playing import begun, played

pytestmark = pytest.mark.slow

PROCESSES = 4
EACH = 6 * AT_ONCE
"""Calls each process makes."""


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[Limited]:
    """A Discord that keeps to its limits."""
    loopback = Limited()
    await loopback.open()
    yield loopback
    await loopback.close()


@pytest_asyncio.fixture
async def migrated(server: str) -> str:
    """The address of a database with the bot's tables."""
    database = Database(server)
    await database.open()
    await database.close()
    return server


@needs_postgresql
async def test_processes_that_all_call_as_fast_as_they_may_never_meet_the_limit_and_ask_the_database_for_little(
    discord: Limited, migrated: str
) -> None:
    found = await asyncio.to_thread(together, partial(many, EACH), PROCESSES, migrated, discord.address)
    assert [one["calls"] for one in found] == [EACH] * PROCESSES
    assert discord.made >= PROCESSES * EACH
    assert not discord.refused
    assert sum(one["statements"] for one in found) < sum(one["calls"] for one in found) / 10


@needs_postgresql
async def test_whoever_has_much_to_do_gets_what_the_others_do_not_use(discord: Limited, migrated: str) -> None:
    act: Act = partial(until_fast, RATE / 2)
    found = await asyncio.to_thread(together, act, PROCESSES, migrated, discord.address)
    assert found[0]["fastest"] >= RATE / 2
    assert not discord.refused


@needs_postgresql
async def test_what_discord_refuses_is_far_from_a_ban_however_many_call_on(discord: Limited, migrated: str) -> None:
    discord.forbidden = "/channels/"
    found = await asyncio.to_thread(together, until_held_back, PROCESSES, migrated, discord.address, 150)
    assert [one["held_back"] for one in found] == [AT_ONCE] * PROCESSES
    # Each may have one more in its allowance for what logs it in.
    assert 150 - PROCESSES <= discord.refused[403] <= 150


@needs_postgresql
async def test_where_one_hears_that_discord_wants_no_calls_all_hear_it(discord: Limited, migrated: str) -> None:
    discord.busy[f"/channels/{BUSY}"] = TEST_SECONDS
    await asyncio.to_thread(together, until_held, PROCESSES, migrated, discord.address)


async def test_a_bot_alone_keeps_to_the_limits_too(discord: Limited, start: Start) -> None:
    running = await (await start()).ready()
    thread = await begun(discord)
    await played(discord, thread, "a1", "a5")
    assert not discord.refused
    assert await running.end() == 0
