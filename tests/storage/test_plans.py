"""No statement of a query in ``queries`` scans a table that grows, on a PostgreSQL database with 20,000 matches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.actor import Actor
from bot.storage import due, outbox
from bot.storage.database import Database
from bot.storage.tables import metadata
from tests.lifecycle.shared_harness import SharedHarness
from tests.storage.queries import LOOKED_AT, NOW, SMALL
from tests.support.crowds.asker import Asker, busiest
from tests.support.crowds.full_server import copy_block, fill_block
from tests.support.postgresql import needs_postgresql, running_server

pytestmark = [needs_postgresql, pytest.mark.timeout(300), pytest.mark.slow]

MATCHES, BLOCK = 20_000, 500
RUNNING = 25
"""Running matches in a block."""
MOST_PAGES = 80
"""Pages of 8 kB that a statement of a turn may read; the moves alone have some 20,000."""
PENDING = 2_000
"""Unsent messages after an outage."""
FULL = 2_000
"""A table with more rows than this should not be scanned."""
NO_QUERIES = ("INSERT", "BEGIN", "SELECT pg_", "SELECT nextval")
"""Statements that read no table."""

Put = Mapping[str, tuple[Any, ...]]
"""Statements, each with the values of one execution."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server on which people have played for years."""
    with running_server() as address:
        asyncio.run(_filled(address))
        yield address


async def _filled(url: str) -> None:
    database = Database(url)
    try:
        await fill_block(database, running=RUNNING, finished=BLOCK - RUNNING, now=NOW)
        await copy_block(database, MATCHES // BLOCK - 1)
    finally:
        await database.close()


@pytest.fixture(scope="module")
def harness(server: str) -> Iterator[SharedHarness]:
    """A bot on that server's database."""
    made = SharedHarness(server, 1)
    made.now = NOW
    yield made
    made.close()


@pytest.fixture(scope="module")
def asker(harness: SharedHarness) -> Asker:
    """A person with many matches, though not the busiest: for that one, reading half a table may be the best plan."""
    return busiest(harness.rows, after=200)


@contextmanager
def collected(database: Database) -> Iterator[dict[str, tuple[Any, ...]]]:
    """Collect the statements executed while the block runs, each once."""
    found: dict[str, tuple[Any, ...]] = {}

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        found.setdefault(statement, values[0] if many else values)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


def turn(harness: SharedHarness, asker: Asker, interaction: int) -> None:
    """Take a turn in one match among thousands, until its board is marked as posted."""
    view = harness.run(harness.services.queries.match_view(asker.guild, asker.running))
    position = view.game_state.position
    move = next(str(move) for move in position.legal_moves() if position.question(move) is None)
    actor = Actor(asker.guild, view.match.mover.person, interaction, harness.now)
    harness.run(harness.services.turns.play(actor, asker.running, None, move))
    harness.deliver()


def test_a_turn_looks_at_a_few_pages_of_thousands(harness: SharedHarness, asker: Asker) -> None:
    turn(harness, asker, 1)
    with collected(harness.database) as put:
        turn(harness, asker, 2)
        harness.keep_time()
    pages = harness.run(_pages(harness.database, put))
    assert {statement: number for statement, number in pages.items() if number > MOST_PAGES} == {}
    assert any(pages.values())


def test_what_is_due_is_found_at_once_though_statistics_know_nothing_of_an_outage(harness: SharedHarness) -> None:
    # Nothing was ever unsent when they were made, and all of it falls due at once.
    unsent = (
        "INSERT INTO outbox (key, topic, kind, payload, state, attempts, due_at, created_at)"
        " SELECT 'late:' || n, 'match:' || n / 2, 'board', '{}', 'pending', 0, now(), now()"
        f" FROM generate_series(1, {PENDING}) n"
    )

    async def pages() -> dict[str, int]:
        async with harness.database.engine.connect() as tx:
            await tx.execute(text("UPDATE outbox SET state = 'sent', done_at = now() WHERE done_at IS NULL"))
            await tx.execute(text("ANALYZE outbox"))
            await tx.execute(text(unsent))
            with collected(harness.database) as put:
                assert len(await outbox.first_of_each_topic(tx, busy=(), limit=8)) == 8
            found = {statement: await _pages_of(tx, statement, values) for statement, values in put.items()}
            await tx.rollback()
        return found

    assert max(harness.run(pages()).values()) < PENDING // 5


def test_what_falls_due_is_found_at_once_though_many_matches_were_abandoned(harness: SharedHarness) -> None:
    abandoned = (
        "INSERT INTO matches (guild_id, channel_id, game, variant, rated, state, ply, created_at, turn_at, deadline_at,"
        " flagged) SELECT 1, 2, 'redo', 'standard', false, 'running', 3, now(), now(), '2020-01-01', true"
        f" FROM generate_series(1, {20 * PENDING})"
    )

    async def pages() -> dict[str, int]:
        async with harness.database.engine.connect() as tx:
            await tx.execute(text(abandoned))
            await tx.execute(text("ANALYZE matches"))
            with collected(harness.database) as put:
                await due.next_due(tx)
                await due.to_flag(tx, NOW)
            found = {statement: await _pages_of(tx, statement, values) for statement, values in put.items()}
            await tx.rollback()
            # How large the table was then is not rolled back, and what other tests ask is planned by it.
            await tx.execution_options(isolation_level="AUTOCOMMIT")
            await tx.execute(text("VACUUM ANALYZE matches"))
        return found

    assert max(harness.run(pages()).values()) < MOST_PAGES


def test_no_query_looks_through_a_table_that_grows(harness: SharedHarness, asker: Asker) -> None:
    async def put_all() -> None:
        for query in LOOKED_AT.values():
            async with harness.database.engine.connect() as tx:
                await query(tx, asker)
                await tx.rollback()

    with collected(harness.database) as put:
        harness.run(put_all())
    found = harness.run(_scans(harness.database, put))
    assert not found, "\n".join(found)


def test_a_scan_is_noticed(harness: SharedHarness) -> None:
    put = {"SELECT * FROM moves WHERE text = $1::VARCHAR": ("c3",), "SELECT * FROM processes": ()}
    found = harness.run(_scans(harness.database, put))
    assert found == ["moves: SELECT * FROM moves WHERE text = $1::VARCHAR"]


async def _scans(database: Database, put: Put) -> list[str]:
    """Return which tables that grow are looked through, and by which statements.

    A table that has few rows here is looked through in any case, so there it is asked whether it had to be.
    """
    found = []
    async with database.engine.connect() as tx:
        full = set((await tx.execute(text(f"SELECT relname FROM pg_class WHERE reltuples > {FULL}"))).scalars())
        for statement, values in put.items():
            if not statement.startswith("BEGIN"):
                scanned = await _scanned(tx, statement, values)
                if not scanned <= full:
                    await tx.execute(text("SET LOCAL enable_seqscan = off"))
                    scanned = scanned & full | await _scanned(tx, statement, values)
                    await tx.execute(text("SET LOCAL enable_seqscan = on"))
                found += [f"{name}: {statement}" for name in sorted(scanned)]
    return found


async def _scanned(tx: AsyncConnection, statement: str, values: tuple[Any, ...]) -> set[str]:
    plan = await _explained(tx, "EXPLAIN (FORMAT JSON)", statement, values)
    scanned = {node["Relation Name"] for node in _nodes(plan) if node["Node Type"] == "Seq Scan"}
    return scanned & (metadata.tables.keys() - SMALL)


async def _pages(database: Database, put: Put) -> dict[str, int]:
    """Return how many pages each statement looks at; what it changes is taken back."""
    found = {}
    for statement, values in put.items():
        if not statement.startswith(NO_QUERIES):
            async with database.engine.connect() as tx:
                found[statement] = await _pages_of(tx, statement, values)
                await tx.rollback()
    return found


async def _pages_of(tx: AsyncConnection, statement: str, values: tuple[Any, ...]) -> int:
    plan = await _explained(tx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)", statement, values)
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


async def _explained(tx: AsyncConnection, how: str, statement: str, values: tuple[Any, ...]) -> dict[str, Any]:
    (plan,) = (await tx.exec_driver_sql(f"{how} {statement}", values)).scalar_one()
    return dict(plan["Plan"])


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _nodes(inner)
