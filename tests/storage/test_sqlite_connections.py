"""Connections to SQLite: what runs in their threads, and what becomes of it when its caller is cancelled."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import Connection, event, text

from bot.storage import sqlite_connections
from bot.storage.database import Database
from bot.storage.errors import DatabaseBusy

PATIENCE = 60


@pytest_asyncio.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.open()
    async with database.write() as tx:
        await tx.execute(text("CREATE TABLE numbers (number INTEGER)"))
    yield database
    await database.close()


async def count(database: Database) -> Any:
    async with database.read() as tx:
        return (await tx.execute(text("SELECT count(*) FROM numbers"))).scalar_one()


async def test_rows_are_fetched_in_the_thread_and_none_later(database: Database) -> None:
    """What is fetched from an open statement on the thread of the event loop would hold everything up."""
    async with database.write() as tx:
        await tx.execute(text("INSERT INTO numbers VALUES (1), (2), (3)"))
    async with database.read() as tx:
        found = await tx.execute(text("SELECT number FROM numbers ORDER BY number"))
    async with database.write() as tx:
        await tx.execute(text("DROP TABLE numbers"))
    assert (found.fetchone(), found.fetchmany(1), found.fetchall()) == ((1,), [(2,)], [(3,)])


async def test_nothing_of_a_transaction_runs_on_the_thread_of_the_event_loop(database: Database) -> None:
    threads: list[int] = []
    for name in ("checkout", "begin", "before_cursor_execute", "commit", "reset", "rollback"):
        event.listen(database.engine.sync_engine, name, lambda *_: threads.append(threading.get_ident()))
    async with database.write() as tx:
        await tx.execute(text("INSERT INTO numbers VALUES (1)"))
    with suppress(ZeroDivisionError):
        async with database.write() as tx:
            await tx.execute(text("INSERT INTO numbers VALUES (1)"))
            raise ZeroDivisionError
    assert len(threads) == 10
    assert threading.get_ident() not in threads


async def test_a_cancelled_transaction_is_undone_and_holds_up_no_other(database: Database) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def write(connection: Connection) -> None:
        connection.execute(text("INSERT INTO numbers VALUES (1)"))
        began.set()
        goes_on.wait(PATIENCE)

    async def write_slowly() -> None:
        async with database.write() as tx:
            await tx.run_sync(write)

    writing = asyncio.create_task(write_slowly())
    await asyncio.to_thread(began.wait, PATIENCE)
    # Once for the statement, and once for the end of the transaction, which waits for it.
    for _ in range(2):
        writing.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    async with database.write() as tx:
        await tx.execute(text("INSERT INTO numbers VALUES (2)"))
    assert await count(database) == 1


async def test_a_transaction_that_finds_no_free_connection_is_refused_in_the_end(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_connections, "FREE_WITHIN", 0.01)
    async with AsyncExitStack() as stack:
        for _ in range(sqlite_connections.CONNECTIONS):
            await (await stack.enter_async_context(database.read())).execute(text("SELECT 1"))
        with pytest.raises(DatabaseBusy):
            async with database.read():
                pass
    assert await count(database) == 0


def test_a_connection_that_is_not_closed_keeps_no_process_alive(url: str) -> None:
    script = (
        "import asyncio, os; from sqlalchemy import text; from bot.storage.database import Database\n"
        "async def main():\n"
        f"    database = Database({url!r}); await database.open(); tx = await database.read().__aenter__()\n"
        "    await tx.execute(text('SELECT 1')); raise SystemExit(7)\n"
        "asyncio.run(main())"
    )
    ended = subprocess.run([sys.executable, "-c", script], timeout=PATIENCE, capture_output=True, check=False)
    assert ended.returncode == 7, ended.stderr
