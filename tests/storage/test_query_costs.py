"""The cost of a query does not grow with other people's matches; it is counted in steps of the database, not in time.

Every query runs twice: on a database with some servers, and on the same one after a crowd of strangers has joined each
server, with matches, ratings and messages of their own. ``queries`` finds them all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import outbox
from bot.storage.database import Database
from bot.storage.tables import metadata
from tests.storage.queries import COMMON, FUNCTIONS, LONG_AGO, NOW, ON_SQLITE, OWN, SHARED, SMALL, THROUGHOUT, Query
from tests.support.crowds.asker import Asker, busiest
from tests.support.crowds.filling import crowd, fill, servers

in_one_loop = pytest.mark.asyncio(loop_scope="module")
"""The loop in which the databases are opened."""

SERVERS = servers(3, 40)
OF_FEW = {"ix_outbox_unsent", "ix_outbox_dropped"}
"""Partial indexes with few rows, which may be scanned."""
FIRST_ROW = {"due.next_due": {"ix_digests_due_at"}}
"""Indexes from which a query reads only the first row."""


def test_what_is_said_of_queries_is_said_of_some_that_there_are() -> None:
    modules = {name.partition(".")[0] for name in FUNCTIONS}
    assert FUNCTIONS.keys() | modules >= COMMON | SHARED | THROUGHOUT


@pytest.fixture(scope="module")
def sim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with forty players in three servers."""
    file = tmp_path_factory.mktemp("sim") / "sim.db"
    fill(file, SERVERS, running=60, finished=90, now=NOW)
    return file


@pytest.fixture(scope="module")
def city(sim: Path) -> Path:
    """The same database after many strangers have joined."""
    file = sim.with_name("city.db")
    copyfile(sim, file)
    strangers = [replace(server, people=tuple(crowd(160, server.id + 7))) for server in SERVERS]
    fill(file, strangers, running=240, finished=360, now=NOW)
    return file


@pytest.fixture(scope="module")
def asker(sim: Path) -> Asker:
    """The person with the most matches in one server."""
    with closing(sqlite3.connect(sim)) as connection:
        return busiest(lambda query, *values: connection.execute(query, values).fetchall())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(sim: Path, city: Path) -> AsyncIterator[tuple[Database, Database]]:
    """Both databases, open."""
    pair = Database(f"sqlite+aiosqlite:///{sim}"), Database(f"sqlite+aiosqlite:///{city}")
    try:
        yield pair
    finally:
        for database in pair:
            await database.close()


@in_one_loop
@pytest.mark.parametrize("name", OWN)
async def test_a_question_costs_the_same_whoever_else_plays(
    opened: tuple[Database, Database], asker: Asker, name: str
) -> None:
    alone, in_the_crowd = [await _steps(database, ON_SQLITE[name], asker) for database in opened]
    # All people share the index of due rows, so a query may begin at another leaf of it.
    assert in_the_crowd <= alone * 1.1 + 20


@in_one_loop
async def test_what_is_to_be_said_next_is_found_as_quickly_however_much_there_is_to_say(
    opened: tuple[Database, Database], asker: Asker
) -> None:
    async def add(tx: AsyncConnection, number: int) -> None:
        late = LONG_AGO + timedelta(minutes=number)
        await outbox.add(tx, key=f"late:{number}", topic=f"match:{number // 2}", kind="board", at=late)

    async def steps(pending: int) -> int:
        async with _undone(opened[0]) as tx:
            for number in range(pending):
                await add(tx, number)
            assert len(await outbox.first_of_each_topic(tx, busy=["match:1"], limit=8)) == 8
            return await _counted(tx, ON_SQLITE["outbox.first_of_each_topic"], asker)

    assert await steps(400) == await steps(40)


@in_one_loop
@pytest.mark.parametrize("name", ["due.next_due", "due.to_flag", "due.to_remind"])
async def test_what_falls_due_is_found_as_quickly_however_many_matches_and_digests_wait(
    opened: tuple[Database, Database], asker: Asker, name: str
) -> None:
    abandoned = (
        "INSERT INTO matches (guild_id, channel_id, game, variant, rated, state, ply, created_at, turn_at, deadline_at,"
        " flagged) VALUES (1, 2, 'redo', 'standard', 0, 'running', 3, :at, :at, :until, :flagged)"
    )
    digest = "INSERT INTO digests (user_id, due_at) VALUES (:person, :at)"

    async def steps(number: int) -> int:
        async with _undone(opened[0]) as tx:
            at = "1999-01-01 00:00:00.000000"
            for person in range(number):
                await tx.execute(text(digest), {"person": person, "at": at})
                # Some ran out of time long ago; the others never had a deadline.
                await tx.execute(text(abandoned), {"at": at, "until": at, "flagged": True})
                await tx.execute(text(abandoned), {"at": at, "until": None, "flagged": False})
            return await _counted(tx, ON_SQLITE[name], asker)

    assert await steps(400) == await steps(40)


@in_one_loop
@pytest.mark.parametrize("name", ON_SQLITE)
async def test_no_question_is_answered_by_looking_through_a_table(
    opened: tuple[Database, Database], asker: Asker, name: str
) -> None:
    plans = await _plans(opened[1], ON_SQLITE[name], asker)
    tables = {f"SCAN {table}" for table in metadata.tables.keys() - SMALL}
    allowed = OF_FEW | FIRST_ROW.get(name, set())
    scans = [line for line in plans if line.split(" USING ")[0] in tables and line.split()[-1] not in allowed]
    assert not scans


async def _steps(database: Database, query: Query, asker: Asker) -> int:
    """Count the database's steps for a query."""
    async with _undone(database) as tx:
        return await _counted(tx, query, asker)


async def _counted(tx: AsyncConnection, query: Query, asker: Asker) -> int:
    """Count the instructions of the database's virtual machine for a query."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    driver = (await tx.get_raw_connection()).driver_connection
    assert driver is not None
    await driver.set_progress_handler(step, 1)
    try:
        await query(tx, asker)
    finally:
        await driver.set_progress_handler(None, 0)
    return count


async def _plans(database: Database, query: Query, asker: Asker) -> list[str]:
    """Return the plan of a query, line by line."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        asked.append((statement, parameters[0] if many else parameters))

    async with _undone(database) as tx:
        event.listen(database.engine.sync_engine, "before_cursor_execute", note)
        try:
            await query(tx, asker)
        finally:
            event.remove(database.engine.sync_engine, "before_cursor_execute", note)
        explained = [await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given) for statement, given in asked]
        return [row.detail for plan in explained for row in plan]


@asynccontextmanager
async def _undone(database: Database) -> AsyncIterator[AsyncConnection]:
    """Give a connection, and roll back its changes."""
    async with database.engine.connect() as connection:
        transaction = await connection.begin()
        yield connection
        await transaction.rollback()
