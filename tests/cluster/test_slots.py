"""When connections to Discord identify themselves: one after the other over all processes, and no turn is wasted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from bot.cluster import slots
from bot.cluster.gateway import Gateway
from bot.cluster.slots import SlotTaker
from bot.storage.database import Database
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql


@pytest_asyncio.fixture
async def taker(server: str) -> AsyncIterator[SlotTaker]:
    """A process that waits for connections, on a server of its own."""
    database, unused = Database(server), Any
    taker = SlotTaker(database, Gateway(unused), unused)  # type: ignore[arg-type]
    try:
        await database.open()
        yield taker
    finally:
        await taker.close()
        await database.close()


async def test_connections_are_begun_one_after_the_other(taker: SlotTaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "IDENTIFIES", timedelta(seconds=0.2))
    monkeypatch.setattr(slots, "PROMPT", timedelta(seconds=0.2))
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(taker.may_identify(shard) for shard in range(4)))
    assert asyncio.get_running_loop().time() - began >= 0.6


async def test_a_connection_that_was_paused_after_it_was_allowed_keeps_its_distance_to_the_next(
    taker: SlotTaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = 0.5
    monkeypatch.setattr(slots, "IDENTIFIES", timedelta(seconds=apart))
    monkeypatch.setattr(slots, "PROMPT", timedelta(seconds=0.2))
    ask, pauses = taker._identification, [apart + 0.2]

    async def paused_once(bucket: int) -> timedelta:
        wait = await ask(bucket)
        if not wait and pauses:
            await asyncio.sleep(pauses.pop())
        return wait

    monkeypatch.setattr(taker, "_identification", paused_once)
    sent: list[float] = []

    async def identify(shard: int) -> None:
        await taker.may_identify(shard)
        sent.append(asyncio.get_running_loop().time())

    await asyncio.gather(identify(0), identify(1))
    assert sent[1] - sent[0] >= apart


async def test_what_counts_is_when_a_connection_has_identified_itself(
    taker: SlotTaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "IDENTIFIES", timedelta(hours=1))
    monkeypatch.setattr(slots, "PROMPT", timedelta(hours=1))
    note, sent = taker._note, asyncio.Event()

    async def noted_once_sent(bucket: int) -> None:
        await sent.wait()
        await note(bucket)

    monkeypatch.setattr(taker, "_note", noted_once_sent)
    await taker.may_identify(0)
    assert timedelta(hours=1) < await taker._identification(0)
    sent.set()
    await asyncio.gather(*taker._noting)
    assert timedelta(0) < await taker._identification(0) <= timedelta(hours=1)


async def test_whoever_gives_up_waiting_takes_nobodys_turn(taker: SlotTaker, monkeypatch: pytest.MonkeyPatch) -> None:
    an_hour = timedelta(hours=1)
    monkeypatch.setattr(slots, "IDENTIFIES", an_hour)
    await taker.may_identify(0)
    impatient = [asyncio.create_task(taker.may_identify(shard)) for shard in range(1, 4)]
    _, waiting = await asyncio.wait(impatient, timeout=0.5)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert len(waiting) == 3
    assert timedelta(0) < await taker._identification(0) <= an_hour + slots.PROMPT
