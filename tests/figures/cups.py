"""Cups

The statements of the transaction that ends a match by a resignation, outside a cup and in a cup of eight: where the
result begins no other match, where it begins one or several, and where it ends the cup; their least and most over a
whole cup. The beginnings and ends of transactions are not counted. Then the milliseconds to draw a table of 900 pixels,
the median of many, with names in four scripts.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from sqlalchemy import event

from bot.matches.model.cups import MOST
from bot.matches.services.cups import CupTerms
from bot.storage.database import Database
from bot.storage.records import CupStart, MatchState, Person
from renderers.charts import crosstable
from renderers.charts.crosstable import Line, Mark
from tests.figures import table
from tests.matches.conftest import CHANNEL, GUILD, Crowd, crowd_at
from tests.support.postgresql import running_server

DRAWN = 50
NAMES = ("Alexandrina", "Дмитрий", "さくら", "عبد الرحمن", "Bob", "Ñandú", "김하늘", "Zoë")
OUTSIDE = "outside a cup"


def measure() -> list[str]:
    """Count the statements of results on both databases, and time the drawing of tables."""
    with TemporaryDirectory() as folder, running_server() as server:
        found = {
            name: asyncio.run(_counted(url))
            for name, url in (("SQLite", f"sqlite+aiosqlite:///{folder}/t.db"), ("PostgreSQL", server))
        }
    rows = [
        (what, *(_range(counts[what]) for counts in found.values()))
        for what in sorted(found["SQLite"], key=lambda what: (what != OUTSIDE, what))
    ]
    drawn = [(players, width, f"{_drawing(players, width):.1f}") for players in (3, MOST) for width in (900, 400)]
    return [
        *table(("Statements of a result", *found), rows),
        "",
        *table(("Players in a table", "pixels", "ms to draw it"), drawn),
    ]


async def _counted(url: str) -> dict[str, list[int]]:
    """Return the numbers of statements of the results of a cup and of a match outside one, by what follows."""
    found: dict[str, list[int]] = defaultdict(list)
    people = [Person(number + 1, name) for number, name in enumerate(NAMES)]
    async with crowd_at(url) as crowd:
        for _ in range(4):
            match_id = await crowd.begin(by=people[0], to=people[1])
            found[OUTSIDE].append(await _resigned(crowd, match_id))
        service = crowd.services.cups
        terms = CupTerms("yonmoque", "standard", MOST, True, 86400, CupStart.FULL, timedelta(days=7))
        cup_id = await service.start(GUILD, CHANNEL, people[0], terms, crowd.interaction(), manages=True)
        for person in people[1:]:
            await service.join(GUILD, cup_id, person, crowd.interaction())
        random = Random(7)
        while running := await _running(crowd, cup_id):
            before = len(await _begun(crowd, cup_id))
            asked = await _resigned(crowd, random.choice(running))
            new = len(await _begun(crowd, cup_id)) - before
            over = not await _running(crowd, cup_id)
            found["that ends a cup" if over else f"in a cup, {new} more begun"].append(asked)
    return found


async def _resigned(crowd: Crowd, match_id: int) -> int:
    """Have the person to move resign; return the statements of the transaction that stores it."""
    match = await crowd.match(match_id)
    with _written(crowd.database) as counts:
        await crowd.resign(match_id, match.movers[0].person)
    return max(counts)


async def _begun(crowd: Crowd, cup_id: int) -> list[int]:
    table = (await crowd.services.cup_queries.view(GUILD, cup_id)).table
    assert table is not None
    return [one.match_id for one in table.pairings if one.match_id is not None]


async def _running(crowd: Crowd, cup_id: int) -> list[int]:
    return [one for one in await _begun(crowd, cup_id) if (await crowd.match(one)).state is MatchState.RUNNING]


@contextmanager
def _written(database: Database) -> Iterator[list[int]]:
    """Count the statements of each transaction while the block runs."""
    counts: list[int] = []
    engine = database.engine.sync_engine

    def begin(_connection: Any) -> None:
        counts.append(0)

    def note(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        if counts and not statement.startswith("BEGIN"):
            counts[-1] += 1

    listened: dict[str, Any] = {"begin": begin, "before_cursor_execute": note}
    for name, listener in listened.items():
        event.listen(engine, name, listener)
    try:
        yield counts
    finally:
        for name, listener in listened.items():
            event.remove(engine, name, listener)


def _range(counts: list[int]) -> str:
    least, most = min(counts), max(counts)
    return str(most) if least == most else f"{least} to {most}"


def _drawing(players: int, width: int) -> float:
    """Return the milliseconds to draw a table, the median of many."""
    marks = [mark for mark in Mark if mark is not Mark.NONE]
    lines = [
        Line(
            NAMES[row],
            str(row),
            tuple(() if row == column else (marks[(row + column) % len(marks)],) for column in range(players)),
            first=row == 0,
        )
        for row in range(players)
    ]
    times = []
    for _ in range(DRAWN):
        begin = perf_counter()
        crosstable.png(lines, "Cup 7", "Points", ["2 won", "1 drawn", "0 lost"], width=width)
        times.append(1000 * (perf_counter() - begin))
    return median(times)
