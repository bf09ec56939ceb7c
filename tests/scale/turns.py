"""What turns at a steady rate take on one bot and one database, beside many matches that wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from random import Random
from statistics import median, quantiles
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.games import GAMES
from bot.matches.services.eligibility import Terms
from bot.storage.records import First, Person
from tests.scale.one_bot import OneBot, Taken, one_bot

TERMS = Terms("redo", "standard", 2, First.CHALLENGER, pace=86400)
PLIES = 60
"""Turns taken in a match, which goes on after them."""
AT_ONCE = 25
"""Matches that are played at the same time."""
PART = 600
"""Seconds of which the times are told together."""
GUILD, FIRST_PERSON = 1, 10**15
LOOKED_EVERY = 0.02
COUNTED = {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_utility": "off"}
"""Settings of a server that counts what it does; what is committed waits for the disk."""
COUNTED |= {"pg_stat_statements.track_planning": "on", "fsync": "on"}


@dataclass(frozen=True, slots=True)
class PartTimes:
    """Of the turns that began within ten minutes: the median and 99th percentile of the milliseconds of each until it
    was stored and until its board was posted.
    """

    turns: int
    stored: tuple[float, float]
    posted: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Figures:
    """Of many turns: how many a second, the times of each ten minutes, and what a turn took of the bot's main thread
    and of the database, in milliseconds.
    """

    rate: float
    parts: list[PartTimes]
    thread: float
    statements: float
    database: float


def spread(seconds: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile of some times, in milliseconds."""
    return 1000 * median(seconds), 1000 * quantiles(seconds, n=100)[98]


async def steady(url: str, rate: float, seconds: float) -> Figures:
    """Have turns begin at a rate a second for so long, however long each takes; return what they took."""
    async with one_bot(url) as bot:
        rounds = max(1, round(rate * seconds / PLIES / AT_ONCE))
        begun = [await _begun(bot, FIRST_PERSON + 2 * number) for number in range(rounds * AT_ONCE)]
        moves = [random_moves(seed, PLIES) for seed in range(AT_ONCE)]
        await _query(url, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        await _query(url, "SELECT pg_stat_statements_reset()")
        since, busy = time.perf_counter(), time.thread_time()
        playing = []
        for number, (match_id, person) in enumerate(begun):
            round_of, place = divmod(number, AT_ONCE)
            begins = count(since + (round_of * PLIES * AT_ONCE + place) / rate, AT_ONCE / rate)
            playing.append(_play(bot, match_id, person, moves[place], begins))
        taken = [turn for turns in await asyncio.gather(*playing) for turn in turns]
        took, busy = time.perf_counter() - since, time.thread_time() - busy
        query = (
            "SELECT sum(calls), sum(total_exec_time + total_plan_time) FROM pg_stat_statements "
            "WHERE query NOT LIKE '%pg_stat%' AND query NOT LIKE '%pg_catalog%'"
        )
        ((calls, milliseconds),) = await _query(url, query)
        turns = len(taken)
        return Figures(
            turns / took,
            [
                _times([turn for begin, turn in taken if at <= begin - since < at + PART])
                for at in range(0, round(took), PART)
            ],
            1000 * busy / turns,
            float(calls) / turns,
            float(milliseconds) / turns,
        )


def _times(turns: list[Taken]) -> PartTimes:
    return PartTimes(len(turns), spread([turn.answered for turn in turns]), spread([turn.posted for turn in turns]))


async def _begun(bot: OneBot, first: int) -> tuple[int, Person]:
    person, other = Person(first, "One"), _other(first)
    challenges = bot.services.challenges
    number = await challenges.offer(bot.actor(GUILD, person), other, TERMS)
    match_id = await challenges.accept(bot.actor(GUILD, other), number)
    assert match_id is not None
    while not bot.discord.posted_with(f"play:{match_id}:0"):
        await asyncio.sleep(LOOKED_EVERY)
    return match_id, person


async def _play(
    bot: OneBot, match_id: int, person: Person, moves: list[str], begins: Iterator[float]
) -> list[tuple[float, Taken]]:
    movers, taken = (person, _other(person.id)), []
    for mover, move, begin in zip(cycle(movers), moves, begins, strict=False):
        await asyncio.sleep(max(0.0, begin - time.perf_counter()))
        taken.append((time.perf_counter(), await bot.turn(GUILD, match_id, mover, move)))
    return taken


def random_moves(seed: int, plies: int) -> list[str]:
    """Return the moves of a game of Redo at random that does not end and has no pass, none of which is asked about."""
    random, position = Random(seed), GAMES["redo"].start(players=2)
    moves: list[str] = []
    while len(moves) < plies:
        legal = [move for move in position.legal_moves() if position.question(move) is None]
        move = random.choice([move for move in legal if len(list(position.play(move).legal_moves())) > 1])
        position = position.play(move)
        moves.append(str(move))
    return moves


def _other(first: int) -> Person:
    return Person(first + 1, "Other")


async def _query(url: str, query: str) -> list[Any]:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            result = await connection.execute(text(query))
            return list(result) if result.returns_rows else []
    finally:
        await engine.dispose()
