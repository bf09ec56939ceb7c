"""How long messages wait in an outbox in which there are many."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import text

from bot.storage import outbox, processes
from bot.storage.database import Database
from bot.storage.registration import BOT
from bot.storage.slots import Partition
from tests.scale.one_bot import one_bot
from tests.support.crowds.full_server import copy_block, fill_block

BLOCK = 500
ASKED = 20
_PENDING = """
    INSERT INTO outbox (key, topic, kind, payload, state, attempts, guild_id, due_at, created_at)
    SELECT 'again:' || id, 'match:' || id, 'board', json_build_object('match', id, 'ply', ply, 'notified', '[]'::json),
           'pending', 0, guild_id, now() - id * interval '1 ms', now()
    FROM matches WHERE state = 'running' ORDER BY id LIMIT :number
"""


async def drained(url: str, number: int, posted: int, now: datetime) -> tuple[float, float]:
    """Have the boards of so many matches pending, and one bot post the first of them, on an empty database.

    Return how many it posts in a second, and the median milliseconds in which the first eight are claimed.
    """
    database = Database(url)
    try:
        await fill_block(database, running=min(number, BLOCK), finished=0, now=now)
        await copy_block(database, -(-number // BLOCK) - 1)
        async with database.write() as tx:
            await tx.execute(text(_PENDING), {"number": number})
        claims = [await _claimed(database, now) for _ in range(ASKED)]
    finally:
        await database.close()
    return posted / await _posted(url, posted), 1000 * median(claims)


async def _claimed(database: Database, now: datetime) -> float:
    """Return in how many seconds messages are claimed, and let them go."""
    async with database.engine.connect() as tx:
        token = await processes.add(tx, "a bot", BOT, timedelta(minutes=1))
        begun = time.perf_counter()
        found = await outbox.claim(tx, token, Partition(), busy=(), limit=8, at=now)
        assert found
        took = time.perf_counter() - begun
        await tx.rollback()
    return took


async def _posted(url: str, number: int) -> float:
    begun = time.perf_counter()
    async with one_bot(url) as bot:
        while bot.discord.posts < number:
            await asyncio.sleep(0.05)
    return time.perf_counter() - begun
