"""Voiding a match

The first rated match of a server is voided, with 5,000 rated matches after it, while two people who have no part in
them begin and resign rated matches without a pause. Another task asks again and again for the locks that a result
needs; its wait is the time until it has them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import func, select

from bot.compute.queue import ComputeQueue
from bot.matches.model.turn import TurnRequest
from bot.matches.service_context import ServiceContext
from bot.matches.services import Services, create_services
from bot.matches.services.eligibility import Terms
from bot.storage import locks, tables
from bot.storage.database import Database
from bot.storage.records import First, Person
from bot.storage.transactions import cancel_all
from tests.figures import table
from tests.support.crowds.bulk import number_on
from tests.support.crowds.filling import servers, write
from tests.support.postgresql import new_database, running_server

LATER, PEOPLE = 5000, 200
BEFORE = 3.0
"""Seconds of play that are measured before the void."""
TERMS = Terms("yonmoque", "standard", 2, First.CHALLENGER)


def measure() -> list[str]:
    """Void the match in both databases."""
    with TemporaryDirectory() as folder, running_server() as server:
        urls = {"SQLite": f"sqlite+aiosqlite:///{Path(folder, 'one.db')}", "PostgreSQL": new_database(server, "one")}
        columns = [asyncio.run(_measured(url)) for url in urls.values()]
    rows = [(name, *(column[name] for column in columns)) for name in columns[0]]
    return table(("What", *urls), rows)


async def _measured(url: str) -> dict[str, object]:
    database = Database(url)
    await database.open()
    (place,) = servers(1, PEOPLE)
    try:
        async with database.write() as tx:
            await tx.run_sync(
                lambda held: write(held, [place], running=10, finished=LATER * 6 // 5, now=datetime.now(UTC))
            )
            if not database.sqlite:
                await number_on(tx)
        async with ComputeQueue(picture_workers=2) as queue:
            services = create_services(ServiceContext(database, lambda: datetime.now(UTC), queue))
            return await _voided(services, place.id, place.channels[0])
    finally:
        await database.close()


async def _voided(services: Services, guild: int, channel: int) -> dict[str, object]:
    database = services.database
    match_id, later = await _with_later(database, guild)
    waits: list[float] = []
    played: list[int] = []
    others = [
        asyncio.create_task(_probe(database, guild, waits.append)),
        asyncio.create_task(_play(services, guild, channel, played.append)),
    ]
    await asyncio.sleep(BEFORE)
    usual = sorted(waits)
    waits.clear()
    results, begun = len(played), time.perf_counter()
    assert await services.voiding.void(guild, match_id) == guild
    await services.voiding.rate_again(guild)
    seconds = time.perf_counter() - begun
    await cancel_all(others)
    during = sorted(waits)
    return {
        "later rated matches": f"{later:,}",
        "results of others meanwhile": len(played) - results,
        "until all ratings follow, s": f"{seconds:.1f}",
        "wait of others without a void, median and longest, ms": _median_and_longest(usual),
        "wait of others during it, median and longest, ms": _median_and_longest(during),
    }


def _median_and_longest(waits: list[float]) -> str:
    return f"{waits[len(waits) // 2] * 1000:.1f}, {waits[-1] * 1000:.0f}"


async def _with_later(database: Database, guild: int) -> tuple[int, int]:
    """Return a match that ``LATER`` rated matches follow, or as many as there are."""
    rated = select(tables.matches.c.id).where(tables.matches.c.guild_id == guild, tables.matches.c.rated.is_(True))
    async with database.read() as tx:
        query = rated.where(tables.matches.c.finish.is_not(None)).order_by(tables.matches.c.finish.desc())
        match_id = (await tx.execute(query.limit(LATER + 1))).scalars().all()[-1]
        finish = select(tables.matches.c.finish).where(tables.matches.c.id == match_id).scalar_subquery()
        count_later = select(func.count()).select_from(rated.where(tables.matches.c.finish > finish).subquery())
        return match_id, int((await tx.execute(count_later)).scalar_one())


async def _probe(database: Database, guild: int, waited: Callable[[float], None]) -> None:
    """Take the locks of a result again and again."""
    while True:
        begun = time.perf_counter()
        async with database.write() as tx:
            await locks.ratings(tx, guild, shared=True)
            waited(time.perf_counter() - begun)
        await asyncio.sleep(0.005)


async def _play(services: Services, guild: int, channel: int, played: Callable[[int], None]) -> None:
    """Begin and resign rated matches of two people."""
    one, other, numbers = Person(1, "one"), Person(2, "other"), count(1)
    while True:
        offered = await services.challenges.offer(guild, channel, one, None, TERMS, next(numbers))
        match_id = await services.challenges.accept(guild, offered, other, next(numbers))
        assert match_id is not None
        request = TurnRequest(guild, match_id, one, next(numbers), datetime.now(UTC))
        await services.forfeits.resign(request)
        played(match_id)
