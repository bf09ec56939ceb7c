"""Transactions: durable, all or nothing, one writer at a time, readers undisturbed."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.operation.upkeep.sqlite_files import backup
from bot.storage import engines, interactions, matches
from bot.storage.database import Database
from bot.storage.errors import ImpossibleSetting
from bot.storage.exclusive_use import Use
from bot.storage.records import Entry, EntryKind, NewMatch, Person
from bot.storage.tables import metadata
from tests.support.waiting import PATIENCE

NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def begin(database: Database) -> int:
    """Store a match of Yonmoque between two people."""
    async with database.write() as tx:
        new = NewMatch(guild_id=1, channel_id=2, game="yonmoque", variant="standard", rated=True)
        return await matches.add(tx, new, [Person(10, "Alice"), Person(11, "Bob")], to_move=0, at=NOW)


async def test_every_connection_is_prepared_so_that_what_is_committed_survives_a_power_cut(database: Database) -> None:
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")

    async def settings() -> tuple[object, ...]:
        async with database.read() as tx:
            return tuple([(await tx.execute(text(f"PRAGMA {name}"))).scalar_one() for name in names])

    full = 2
    assert set(await asyncio.gather(*(settings() for _ in range(12)))) == {("wal", full, 1, 15000)}


async def test_deleting_a_match_takes_its_seats_and_moves_along(database: Database) -> None:
    match_id = await begin(database)
    async with database.write() as tx:
        await matches.add_moves(tx, match_id, [Entry(1, 0, EntryKind.MOVE, "c3", NOW)])
        await tx.execute(metadata.tables["matches"].delete())
    async with database.read() as tx:
        for table in ("seats", "moves"):
            assert (await tx.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one() == 0


async def test_a_ply_is_stored_once(database: Database) -> None:
    match_id = await begin(database)
    async with database.write() as tx:
        await matches.add_moves(tx, match_id, [Entry(1, 0, EntryKind.MOVE, "c3", NOW)])
    with pytest.raises(IntegrityError):
        async with database.write() as tx:
            await matches.add_moves(tx, match_id, [Entry(1, 0, EntryKind.MOVE, "a1", NOW)])
    async with database.read() as tx:
        assert [move.text for move in await matches.moves_of(tx, match_id)] == ["c3"]


async def test_a_block_that_raises_changes_nothing(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as tx:
            await interactions.mark_processed(tx, 7, NOW)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    async with database.write() as tx:
        assert await interactions.mark_processed(tx, 7, NOW)


async def test_a_writer_that_is_cancelled_changes_nothing_and_lets_the_next_one_in(database: Database) -> None:
    inside = asyncio.Event()

    async def stuck() -> None:
        async with database.write() as tx:
            await interactions.mark_processed(tx, 8, NOW)
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(stuck())
    await inside.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with database.write() as tx:
        assert await interactions.mark_processed(tx, 8, NOW)


async def test_writers_take_turns_in_the_order_they_came(database: Database) -> None:
    order: list[int] = []

    async def write(number: int) -> None:
        async with database.write() as tx:
            await interactions.mark_processed(tx, number, NOW)
            order.append(number)

    await asyncio.gather(*(write(number) for number in range(20)))
    assert order == list(range(20))


async def test_a_reader_sees_one_state_though_somebody_writes(database: Database) -> None:
    match_id = await begin(database)
    async with database.read() as reading:
        assert await matches.moves_of(reading, match_id) == []
        async with database.write() as tx:
            await matches.add_moves(tx, match_id, [Entry(1, 0, EntryKind.MOVE, "c3", NOW)])
        assert await matches.moves_of(reading, match_id) == []
    async with database.read() as reading:
        assert len(await matches.moves_of(reading, match_id)) == 1


async def test_a_lock_of_another_process_is_waited_for_and_then_refused(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.1)
    database = Database(url)
    try:
        await database.open()
        other = sqlite3.connect(str(database.url.database), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError, match="locked"):
            async with database.write() as tx:
                await interactions.mark_processed(tx, 2, NOW)
        other.execute("COMMIT")
        other.close()
        async with database.write() as tx:
            assert await interactions.mark_processed(tx, 1, NOW)
    finally:
        await database.close()


async def test_what_was_deleted_is_in_no_file_once_the_log_is_emptied(database: Database, tmp_path: Path) -> None:
    match_id = await begin(database)
    async with database.write() as tx:
        await matches.change_seat(tx, match_id, 0, name="Bertha Unforgotten")
    async with database.write() as tx:
        await matches.change_seat(tx, match_id, 0, name="somebody who left")
    kept = [file for file in (tmp_path / "data").iterdir() if b"Bertha Unforgotten" in file.read_bytes()]
    assert [file.suffix for file in kept] == [".db-wal"]

    await database.empty_log()

    for file in (tmp_path / "data").iterdir():
        assert b"Bertha" not in file.read_bytes(), file
    assert (tmp_path / "data" / "tavoliere.db-wal").stat().st_size == 0


async def test_a_log_that_is_being_read_is_left_and_holds_up_writers_no_longer(database: Database) -> None:
    await begin(database)
    async with database.read() as tx:
        await tx.execute(text("SELECT count(*) FROM matches"))
        await begin(database)

        await asyncio.wait_for(database.empty_log(), PATIENCE)

        await begin(database)
    async with database.read() as tx:
        assert (await tx.execute(text("SELECT count(*) FROM matches"))).scalar_one() == 3


async def test_a_folder_is_said_to_be_one(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}")
    with pytest.raises(ImpossibleSetting, match="is a folder: name a file"):
        await database.open(Use.BOT)
    await database.close()


@pytest.mark.parametrize("use", [*Use, None])
async def test_a_file_with_two_names_is_refused_by_either(database: Database, tmp_path: Path, use: Use | None) -> None:
    file, other = tmp_path / "data" / "tavoliere.db", tmp_path / "other.db"
    await database.lock(Use.BOT)
    os.link(file, other)
    for name in (other, file):
        second = Database(f"sqlite+aiosqlite:///{name}")
        with pytest.raises(ImpossibleSetting, match=r"has 2 names \(hard links\)"):
            await second.open(use)
        await second.close()
    other.unlink()
    assert (await database.revisions())[0] is not None


async def test_a_new_database_is_in_its_file_alone_until_it_is_used_and_once_it_is_closed(
    url: str, tmp_path: Path
) -> None:
    database = Database(url)
    await database.open()
    assert (tmp_path / "data" / "tavoliere.db-wal").stat().st_size == 0
    await begin(database)
    await database.close()
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["tavoliere.db"]


async def test_moments_come_back_aware_and_equal(database: Database) -> None:
    match_id = await begin(database)
    async with database.read() as tx:
        match = await matches.get(tx, match_id)
    assert match is not None
    assert match.created_at == NOW
    assert match.created_at.tzinfo is not None


async def test_the_number_of_a_match_is_never_given_twice(database: Database) -> None:
    first = await begin(database)
    async with database.write() as tx:
        await tx.execute(metadata.tables["matches"].delete())
    assert await begin(database) == first + 1


@pytest.mark.skipif(os.name != "posix", reason="no modes of files")
async def test_the_file_and_its_copies_are_for_their_owner_alone(tmp_path: Path) -> None:
    file, copy, open_to_all = tmp_path / "tavoliere.db", tmp_path / "copy.db", os.umask(0)
    try:
        database = Database(f"sqlite+aiosqlite:///{file}")
        await database.open(Use.BOT)
        await begin(database)
        modes = {file.with_name(file.name + part).stat().st_mode & 0o777 for part in ("", "-wal", "-shm")}
        await backup(f"sqlite+aiosqlite:///{file}", copy)
        await database.close()
    finally:
        os.umask(open_to_all)
    assert modes == {0o600}
    assert copy.stat().st_mode & 0o777 == 0o600
