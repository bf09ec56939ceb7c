"""Which errors of a database count as its failures, and for how long."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.storage.database import Database
from bot.storage.failures import FAILURE_COUNTS_FOR, TROUBLING_FAILURES, Failures
from tests.support.manual_time import Time
from tests.support.postgresql import needs_postgresql


async def given(database: Database, statement: str) -> None:
    async with database.write() as tx:
        await tx.execute(text(statement))


async def test_several_failures_are_trouble_for_a_while_and_one_is_none(tmp_path: Path) -> None:
    time, database = Time(), Database(f"sqlite+aiosqlite:///{tmp_path / 'some.db'}")
    database.failures = Failures(time)
    await database.open()
    for _ in range(TROUBLING_FAILURES):
        assert database.failures.trouble() is None
        with pytest.raises(DBAPIError):
            await given(database, "DELETE FROM nowhere")
    assert database.failures.trouble() == "operations of the database fail: it cannot be used: no such table: nowhere"
    time.now += FAILURE_COUNTS_FOR + 1
    assert database.failures.trouble() is None
    await database.close()


async def test_a_disk_that_has_room_again_is_no_trouble_once_something_is_stored(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'some.db'}")
    await database.open()
    async with database.write() as tx:
        await tx.execute(text("PRAGMA max_page_count = 1"))
        for _ in range(TROUBLING_FAILURES):
            with pytest.raises(DBAPIError), database.failures.noting():
                await tx.execute(text("CREATE TABLE large AS SELECT randomblob(1000000) AS filling"))
        assert database.failures.trouble() == "operations of the database fail: it cannot be written: the disk is full"
    assert database.failures.trouble() is None
    await database.close()


async def test_rows_that_contradict_each_other_are_no_failure_of_the_database(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'some.db'}")
    await database.open()
    for _ in range(TROUBLING_FAILURES):
        with pytest.raises(IntegrityError):
            await given(database, "INSERT INTO heartbeats (name, at) VALUES ('a', 1), ('a', 2)")
    assert database.failures.trouble() is None
    await database.close()


@needs_postgresql
async def test_transactions_that_a_server_ends_or_puts_off_are_no_failures(server: str) -> None:
    database = Database(server)
    for _ in range(TROUBLING_FAILURES):
        for code in ("40001", "57P01", "57014", "25P03", "55P03"):
            with pytest.raises(DBAPIError):
                await given(database, f"DO $$ BEGIN RAISE 'no' USING ERRCODE = '{code}'; END $$")
    assert database.failures.trouble() is None
    with pytest.raises(DBAPIError):
        await given(database, "DO $$ BEGIN RAISE 'invalid page in block 7' USING ERRCODE = 'XX001'; END $$")
    assert database.failures.trouble() == "the database is damaged: stop the bot, and restore a backup"
    assert database.failures.damage == "cannot be used: invalid page in block 7"
    await database.close()
