"""When connections to Discord identify themselves: one after the other over all processes, and no turn is wasted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from bot.cluster import slots
from bot.cluster.slots import SlotTaker
from bot.storage.database import Database
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql


@pytest_asyncio.fixture
async def taker(server: str) -> AsyncIterator[SlotTaker]:
    """What waits for connections, on a server of its own."""
    database, unused = Database(server), Any
    try:
        await database.open()
        yield SlotTaker(database, unused, unused)  # type: ignore[arg-type]
    finally:
        await database.close()


async def test_connections_are_begun_one_after_the_other(taker: SlotTaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "IDENTIFIES", timedelta(seconds=0.2))
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(taker.identified(shard) for shard in range(4)))
    assert asyncio.get_running_loop().time() - began >= 0.6


async def test_whoever_gives_up_waiting_takes_nobodys_turn(taker: SlotTaker, monkeypatch: pytest.MonkeyPatch) -> None:
    an_hour = timedelta(hours=1)
    monkeypatch.setattr(slots, "IDENTIFIES", an_hour)
    await taker.identified(0)
    impatient = [asyncio.create_task(taker.identified(shard)) for shard in range(1, 4)]
    _, waiting = await asyncio.wait(impatient, timeout=0.5)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert len(waiting) == 3
    assert timedelta(0) < await taker._identification(0) <= an_hour
