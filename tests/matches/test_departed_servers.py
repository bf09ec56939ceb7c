"""The data of a server that removed the bot is deleted after some time, and no other data is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import func, insert, select, update

from bot.compute.queue import ComputeQueue
from bot.matches.audit import audit
from bot.matches.services import departures
from bot.operation.upkeep import copy
from bot.storage import tables
from bot.storage.copying import COPIED
from bot.storage.database import Database
from bot.storage.records import MatchState
from tests.matches.conftest import ALICE, BOB, YONMOQUE, Crowd
from tests.support import postgresql
from tests.support.crowds.filling import Server, fill, servers
from tests.support.postgresql import needs_postgresql, running_server
from tests.support.unseen import Unseen

KEPT = timedelta(days=90)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
GONE, STAYING = servers(2, 12)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of our own."""
    with running_server() as address:
        yield address


@pytest_asyncio.fixture(params=["sqlite", pytest.param("postgresql", marks=[needs_postgresql, pytest.mark.slow])])
async def two(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Crowd, Crowd]]:
    """The services of two processes on one database, with two servers in which people play."""
    file = tmp_path / "full.db"
    fill(file, [GONE, STAYING], running=12, finished=12, now=NOW)
    url = f"sqlite+aiosqlite:///{file}"
    if request.param == "postgresql":
        url = postgresql.new_database(request.getfixturevalue("server"), "departed")
        await copy(str(file), url, Unseen())
    async with AsyncExitStack() as stack:
        queue = await stack.enter_async_context(ComputeQueue())
        databases = [Database(url), Database(url)]
        for database in databases:
            stack.push_async_callback(database.close)
        one, other = (Crowd(database, queue, NOW) for database in databases)
        for place in (GONE, STAYING):
            await _lived_in(one, place)
        yield one, other


async def _lived_in(crowd: Crowd, place: Server) -> None:
    """Add rows to a server that play alone does not make."""
    whose = place.people[0].id
    here = {"guild_id": place.id, "channel_id": 1}
    async with crowd.database.write() as tx:
        finished = select(func.min(tables.matches.c.id)).where(
            tables.matches.c.guild_id == place.id, tables.matches.c.finish.is_not(None)
        )
        first = (await tx.execute(finished)).scalar_one()
        beaten = {"user_id": whose, "game": "redo", "level": 1, "match_id": first}
        await tx.execute(insert(tables.levels_beaten).values(beaten))
        again = select(tables.challenges).where(tables.challenges.c.match_id == first)
        row = dict((await tx.execute(again)).one()._mapping)
        row |= {"id": 10**6 + place.id % 100, "match_id": None, "rematch_of": first}
        await tx.execute(insert(tables.challenges).values(row))
        await tx.execute(insert(tables.watch_links).values(guild_id=place.id, match_id=first, token=str(first)))
        await tx.execute(insert(tables.bars).values(guild_id=place.id, user_id=whose, at=NOW))
        post = {"day": NOW.date(), "game": "redo", "puzzle": "1", "at": NOW}
        await tx.execute(insert(tables.daily_puzzles).values(here | post))
        due = {"hour": 8, "zone": "UTC", "due_at": NOW}
        await tx.execute(insert(tables.puzzle_channels).values(here | due))
        await tx.execute(insert(tables.ladders).values(here | {"due_at": NOW}))
        member = {"user_id": whose, "name": "Member", "games": (), "pace": 86400, "joined_at": NOW}
        await tx.execute(insert(tables.ladder_players).values({"guild_id": place.id} | member))
        await tx.execute(insert(tables.ladder_matches).values(match_id=first, guild_id=place.id, week=NOW))
        solved = {"user_id": whose, "game": "redo", "puzzle": "1", "state": "solved", "ply": 1, "wrong": []}
        by = {"guild_id": place.id, "day": NOW.date(), "begun_at": NOW}
        await tx.execute(insert(tables.puzzle_attempts).values(solved | by))


Rows = dict[str, list[Any]]


async def stored(crowd: Crowd, place: Server | None = None) -> Rows:
    """Return every row of the database, or all rows of a server."""
    rows: Rows = {}
    async with crowd.database.read() as tx:
        for table in COPIED:
            if place is None or "guild_id" in table.c:
                query = select(table) if place is None else select(table).where(table.c.guild_id == place.id)
                rows[table.name] = sorted(map(repr, await tx.execute(query)))
    return rows


async def passed(crowd: Crowd) -> None:
    """Let a heartbeat pass and delete all parts that are due."""
    for _ in range(3):
        await crowd.services.departures.delete_departed()


async def test_the_data_of_a_server_is_kept_for_the_stated_time_and_then_deleted(
    two: tuple[Crowd, Crowd],
) -> None:
    crowd, _ = two
    await crowd.services.departures.compare([GONE.id, STAYING.id])
    before, staying = await stored(crowd), await stored(crowd, STAYING)
    await crowd.services.departures.bot_left(GONE.id)
    crowd.now += KEPT
    await passed(crowd)
    assert {name for name, rows in (await stored(crowd)).items() if rows != before[name]} == {"departures"}
    crowd.later(seconds=1)
    await passed(crowd)
    assert {name: rows for name, rows in (await stored(crowd, GONE)).items() if rows} == {}
    assert await stored(crowd, STAYING) == staying
    after = await stored(crowd)
    # A person's own data stays, without the server.
    for table in (tables.people, tables.absences, tables.blocks, tables.interactions):
        assert after[table.name] == before[table.name]
    for table in (tables.levels_beaten, tables.puzzle_attempts):
        assert len(after[table.name]) == len(before[table.name])
    async with crowd.database.read() as tx:
        left = select(tables.levels_beaten.c.match_id).where(tables.levels_beaten.c.user_id == GONE.people[0].id)
        assert (await tx.execute(left)).scalar_one() is None
    assert (after["departures"], after["deletions"]) == ([], [])
    assert await _orphans(crowd) == []
    assert await audit(crowd.database) == []


async def _orphans(crowd: Crowd) -> list[str]:
    """Return the tables with rows of matches that no longer exist."""
    found = []
    async with crowd.database.read() as tx:
        for table in (each for each in COPIED if "match_id" in each.c):
            there = select(tables.matches.c.id).where(tables.matches.c.id == table.c.match_id).exists()
            astray = select(func.count()).select_from(table).where(table.c.match_id.is_not(None), ~there)
            if (await tx.execute(astray)).scalar_one():
                found.append(table.name)
    return found


async def running_in(crowd: Crowd, place: Server) -> int:
    """Return how many matches are running in a server."""
    running = tables.matches.c.guild_id == place.id, tables.matches.c.state == MatchState.RUNNING
    async with crowd.database.read() as tx:
        return (await tx.execute(select(func.count()).select_from(tables.matches).where(*running))).scalar_one()


async def test_a_bot_that_comes_back_in_time_finds_all_as_it_was(two: tuple[Crowd, Crowd]) -> None:
    crowd, _ = two
    await crowd.services.departures.compare([GONE.id, STAYING.id])
    before = await stored(crowd)
    await crowd.services.departures.bot_left(GONE.id)
    crowd.now += KEPT
    await crowd.services.departures.bot_returned(GONE.id)
    crowd.now += KEPT
    await passed(crowd)
    changed = {name for name, rows in (await stored(crowd)).items() if rows != before[name]}
    # Their clocks were given the time back, and their boards are to say so.
    assert changed == {"matches", "outbox"}


async def test_nothing_is_deleted_before_it_is_known_where_the_bot_is(two: tuple[Crowd, Crowd]) -> None:
    crowd, restarted = two
    await crowd.services.departures.bot_left(GONE.id)
    before = await stored(crowd)
    restarted.now += 2 * KEPT
    await passed(restarted)
    assert await stored(crowd) == before
    # The server has the bot, but Discord cannot reach it at the moment.
    await restarted.services.departures.compare([STAYING.id], [GONE.id])
    await passed(restarted)
    assert await stored(crowd) == before
    await restarted.services.departures.bot_left(GONE.id)
    await passed(restarted)
    assert (await stored(crowd, GONE))["matches"] == []


async def test_a_departure_during_downtime_is_noticed_although_no_match_runs_there(
    two: tuple[Crowd, Crowd],
) -> None:
    crowd, _ = two
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.matches).where(tables.matches.c.guild_id == GONE.id).values(state="over"))
    await crowd.services.departures.compare([STAYING.id])
    assert len((await stored(crowd))["departures"]) == 1
    crowd.now += 2 * KEPT
    await passed(crowd)
    assert (await stored(crowd, GONE))["matches"] == []
    assert (await stored(crowd, STAYING))["matches"] != []


async def test_two_processes_delete_a_server_once(two: tuple[Crowd, Crowd], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departures, "MATCHES_AT_ONCE", 1)
    for crowd in two:
        await crowd.services.departures.compare([STAYING.id])
        crowd.now += 2 * KEPT
    staying = await stored(two[0], STAYING)
    await asyncio.gather(*(crowd.services.departures.delete_departed() for crowd in two))
    await passed(two[0])
    assert {name: rows for name, rows in (await stored(two[0], GONE)).items() if rows} == {}
    assert await stored(two[0], STAYING) == staying
    assert await audit(two[0].database) == []


async def test_a_deletion_that_was_interrupted_is_finished_by_another_and_leaves_what_is_new(
    two: tuple[Crowd, Crowd], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(departures, "MATCHES_AT_ONCE", 1)
    monkeypatch.setattr(departures, "TRANSACTIONS_AT_ONCE", 1)
    crowd, other = two
    await crowd.services.departures.compare([STAYING.id])
    crowd.now += 2 * KEPT
    await crowd.services.departures.delete_departed()
    left = await stored(crowd, GONE)
    assert left["matches"] != []
    assert await running_in(crowd, GONE) == 0, "no clock of theirs runs out meanwhile"
    assert left["ratings"] == []
    assert await audit(crowd.database) == []
    # The process ends here. The bot is invited again, and people begin anew.
    other.now = crowd.now
    await other.services.departures.bot_returned(GONE.id)
    old = len((await stored(other))["matches"])
    challenge = await other.services.challenges.offer(
        other.actor(ALICE, guild_id=GONE.id, channel_id=1), None, YONMOQUE
    )
    new = await other.services.challenges.accept(other.actor(BOB, guild_id=GONE.id), challenge)
    assert new is not None
    assert len((await stored(other))["matches"]) == old + 1
    await other.services.departures.compare([GONE.id, STAYING.id])
    monkeypatch.setattr(departures, "TRANSACTIONS_AT_ONCE", 50)
    await passed(other)
    async with other.database.read() as tx:
        here = select(tables.matches.c.id).where(tables.matches.c.guild_id == GONE.id)
        assert (await tx.execute(here)).scalars().all() == [new]
    assert (await stored(other))["deletions"] == []
    assert await audit(other.database) == []
