"""How many turns several bots take in a second on one database, and what the database does for one of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.matches.services.eligibility import Terms
from bot.storage.records import First, Person
from bot.storage.slots import Partition
from tests.scale.one_bot import OneBot, Taken, one_bot
from tests.support.acting import FINISHED
from tests.support.forkserver import forkserver

TERMS = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)
PLIES = len(FINISHED) - 1
"""Turns taken in a match, which goes on after them."""
AT_ONCE = 8
"""Matches that are played at once in a process."""
LOOKED_EVERY = 0.02
COUNTED = {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_utility": "off"}
"""Settings of a server that counts what it does; what is committed waits for the disk."""
COUNTED |= {"pg_stat_statements.track_planning": "on", "fsync": "on"}


@dataclass(frozen=True, slots=True)
class Figures:
    """Of many turns: how many a second, the times of each in milliseconds, and what the database did for one."""

    rate: float
    answered: tuple[float, float]
    posted: tuple[float, float]
    statements: float
    database: float


def spread(seconds: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile of some times, in milliseconds."""
    return 1000 * median(seconds), 1000 * quantiles(seconds, n=100)[98]


def played(url: str, number: int, matches: int) -> Figures:
    """Have so many processes play so many matches each; return what it took."""
    barrier, results = forkserver.Barrier(number + 1), forkserver.SimpleQueue()
    running = [
        forkserver.Process(
            target=_play, args=(url, Partition(at, number, number), matches, barrier, results), daemon=True
        )
        for at in range(number)
    ]
    for process in running:
        process.start()
    barrier.wait()
    asyncio.run(reset(url))
    barrier.wait()
    taken: list[Taken] = []
    longest = 0.0
    for _ in running:
        own, seconds = results.get()
        taken, longest = taken + own, max(longest, seconds)
    for process in running:
        process.join()
    return figures(taken, longest, asyncio.run(counted(url)))


def figures(taken: Sequence[Taken], seconds: float, done: tuple[float, float]) -> Figures:
    """Return the figures of some turns; ``done`` is what the database did for all of them."""
    calls, milliseconds = done
    answered, posted = [one.answered for one in taken], [one.posted for one in taken]
    turns = len(taken)
    return Figures(turns / seconds, spread(answered), spread(posted), calls / turns, milliseconds / turns)


async def counted(url: str) -> tuple[float, float]:
    """Return how many statements were executed since the last reset, and how many milliseconds that took."""
    query = (
        "SELECT sum(calls), sum(total_exec_time + total_plan_time) FROM pg_stat_statements "
        "WHERE query NOT LIKE '%pg_stat%' AND query NOT LIKE '%pg_catalog%'"
    )
    (row,) = await _asked(url, query)
    return float(row[0]), float(row[1])


async def reset(url: str) -> None:
    """Begin to count."""
    await _asked(url, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    await _asked(url, "SELECT pg_stat_statements_reset()")


def _play(url: str, partition: Partition, matches: int, barrier: Any, results: Any) -> None:
    try:
        results.put(asyncio.run(_played(url, partition, matches, barrier)))
    except BaseException:
        # The others are not to wait for this one.
        barrier.abort()
        results.put(([], 0.0))
        raise


async def _played(url: str, partition: Partition, matches: int, barrier: Any) -> tuple[list[Taken], float]:
    async with one_bot(url, partition) as bot:
        people = [Person(1000 * partition.slot + 2 * at + 1, "One") for at in range(matches)]
        begun = [(await _begun(bot, person), person) for person in people]
        free = asyncio.Semaphore(AT_ONCE)
        for _ in range(2):
            await asyncio.to_thread(barrier.wait)
        since = time.perf_counter()
        taken = await asyncio.gather(*(_match(bot, match_id, person, free) for match_id, person in begun))
        return [one for some in taken for one in some], time.perf_counter() - since


async def _begun(bot: OneBot, person: Person) -> int:
    challenges, other = bot.services.challenges, _other(person)
    number = await challenges.offer(bot.actor(_guild(bot), person), other, TERMS)
    begun = await challenges.accept(bot.actor(_guild(bot), other), number)
    assert begun is not None
    while not bot.discord.posted_with(f"play:{begun}:0"):
        await asyncio.sleep(LOOKED_EVERY)
    return begun


async def _match(bot: OneBot, match_id: int, person: Person, free: asyncio.Semaphore) -> list[Taken]:
    async with free:
        movers = person, _other(person)
        return [
            await bot.turn(_guild(bot), match_id, movers[ply % 2], move) for ply, move in enumerate(FINISHED[:PLIES])
        ]


def _guild(bot: OneBot) -> int:
    """Return the only server of a bot's partition."""
    return (bot.number << 22) + 1


def _other(person: Person) -> Person:
    return Person(person.id + 1, "Other")


async def _asked(url: str, query: str) -> list[Any]:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            found = await connection.execute(text(query))
            return list(found) if found.returns_rows else []
    finally:
        await engine.dispose()
