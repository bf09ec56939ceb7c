"""``copy``: what was in one database is in the other, whatever happens in between, and people play on there."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from sqlalchemy import Row, Table, make_url, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.operation.upkeep.copying import copy
from bot.operation.upkeep.errors import UpkeepError
from bot.operation.upkeep.progress import ProgressBar
from bot.storage import copying, tables
from bot.storage.database import Database
from bot.storage.tables import metadata
from tests.matches.conftest import Crowd
from tests.operation.conftest import Start
from tests.support.next_version import NEXT
from tests.support.postgresql import needs_postgresql, new_database
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.processes import Outcome, Running, bot, command

pytestmark = [needs_postgresql, pytest.mark.slow]

Rows = dict[str, list[Any]]


@pytest.fixture
def elsewhere(shared_server: str) -> str:
    """The address of an empty database."""
    return new_database(shared_server, "elsewhere")


@pytest.fixture
def old(some_servers: Path, tmp_path: Path) -> Path:
    """A database file with some servers, and numbers that were given to rows which are gone."""
    file = copyfile(some_servers, tmp_path / "old.db")
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = seq + 7 WHERE name = 'challenges'")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('processes', 3)")
    return file


async def everything(address: object) -> tuple[Rows, list[int]]:
    """Return every row of a database, and which numbers were given last."""
    database = Database(address if "://" in str(address) else f"sqlite+aiosqlite:///{address}")  # type: ignore[arg-type]
    try:
        async with database.read() as tx:
            rows = {table.name: sorted(map(repr, await tx.execute(select(table)))) for table in copying.COPIED}
            numbers = [await copying.last_number(tx, table) for table in copying.NUMBERED]
            return rows, [*numbers, await copying.last_finish(tx)]
    finally:
        await database.close()


async def generation(address: str) -> int:
    """Return the generation of a database."""
    database = Database(address)
    try:
        async with database.read() as tx:
            return int((await tx.execute(select(tables.generation))).scalar_one())
    finally:
        await database.close()


async def copied(folder: Path, source: object, target: object) -> str:
    """Copy a database, and return what was said."""
    ended = await bot(folder, "copy", source, target)
    assert ended.code == 0, ended.text
    return ended.text


async def test_what_goes_to_postgresql_comes_back_as_it_was(tmp_path: Path, old: Path, elsewhere: str) -> None:
    said = await copied(tmp_path, "old.db", elsewhere)
    before = await everything(old)
    assert said.endswith(
        f"{sum(map(len, before[0].values()))} rows of {len(copying.COPIED)} tables copied and compared, "
        "6 running matches replayed. Name the copy in DATABASE_URL to use it."
    )
    told = await refused(tmp_path, "old.db", elsewhere)
    assert told == "the database elsewhere on 127.0.0.1 is not empty; name an empty one."
    assert await everything(elsewhere) == before
    checked = await bot(tmp_path, "check", database_url=elsewhere, discord_token=TOKEN)
    assert checked.code == 0, checked.text
    await copied(tmp_path, elsewhere, "new/again.db")
    assert await everything(tmp_path / "new" / "again.db") == before
    # Each tells its messages from those of the others.
    again = f"sqlite+aiosqlite:///{tmp_path / 'new' / 'again.db'}"
    assert len({await generation(address) for address in (f"sqlite+aiosqlite:///{old}", elsewhere, again)}) == 3


async def test_the_comparison_tells_null_from_the_null_of_json(tmp_path: Path, old: Path) -> None:
    other = copyfile(old, tmp_path / "other.db")
    one, two = (Database(f"sqlite+aiosqlite:///{file}") for file in (old, other))
    assert None not in [same async for same in copying.same_rows(one, two, tables.matches)]
    with contextlib.closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("UPDATE matches SET reason_message = 'null' WHERE state = 'running'")
    assert None in [same async for same in copying.same_rows(one, two, tables.matches)]
    await one.close()
    await two.close()


def stuck_in_the_middle() -> None:
    """Have a process that copies stop between a page that is committed and one that is not."""
    copying.PAGE = 10
    add, asked = copying.add, 0

    async def first_few(tx: AsyncConnection, table: Table, rows: Sequence[Row[Any]]) -> None:
        nonlocal asked
        await add(tx, table, rows)
        asked += table is tables.moves
        if asked == 3:
            print("stuck")
            await asyncio.Event().wait()

    copying.add = first_few


async def killed_in_the_middle(folder: Path, source: object, target: str) -> None:
    """Begin a copy, and kill it when some moves are there and others are not."""
    running = await Running.start(command(folder, "copy", source, target, bound=stuck_in_the_middle))
    assert await running.first_line() == "stuck"
    assert await running.end(signal.SIGKILL) == -signal.SIGKILL
    assert len((await everything(target))[0]["moves"]) == 20


@pytest.mark.parametrize("way", ["to", "back"])
async def test_a_copy_that_was_killed_is_gone_on_with_and_no_bot_starts_on_it_before(
    tmp_path: Path, old: Path, elsewhere: str, way: str, discord: Loopback, start: Start
) -> None:
    source, target = str(old), elsewhere
    if way == "back":
        await copied(tmp_path, source, target)
        source, target = elsewhere, f"sqlite+aiosqlite:///{tmp_path}/back.db"
    before = await everything(source)
    await killed_in_the_middle(tmp_path, source, target)
    half = await everything(target)
    refused = await start(database_url=target)
    assert await refused.ended() == 1
    assert "is an unfinished copy: give the same `copy` again to finish it" in refused.log
    for asked in ("check", "status", "backup half.db"):
        told = await bot(tmp_path, *asked.split(), database_url=target, discord_token=TOKEN)
        assert (told.code, "is an unfinished copy" in told.text) == (1, True), told.text
    other = await bot(tmp_path, "copy", copy_of_another(tmp_path, old), target)
    assert "is an unfinished copy of another; name an empty one." in other.text
    assert await everything(target) == half
    await copied(tmp_path, source, target)
    assert await everything(target) == before


def copy_of_another(folder: Path, file: Path) -> Path:
    """Return a database with the same in it that is another one all the same."""
    another = copyfile(file, folder / "another.db")
    with contextlib.closing(sqlite3.connect(another)) as connection, connection:
        connection.execute("UPDATE generation SET value = 1")
    return another


async def test_a_copy_is_begun_anew_where_its_source_was_used_since(tmp_path: Path, old: Path, elsewhere: str) -> None:
    await killed_in_the_middle(tmp_path, old, elsewhere)
    with contextlib.closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE moves SET text = 'a1' WHERE match_id = 1 AND ply = 1")
        connection.execute("DELETE FROM outbox")
    await copied(tmp_path, old, elsewhere)
    assert await everything(elsewhere) == await everything(old)


async def test_what_was_out_of_order_is_copied_as_it_was(tmp_path: Path, old: Path, elsewhere: str) -> None:
    with contextlib.closing(sqlite3.connect(old)) as connection, connection:
        (running,) = connection.execute("SELECT max(id) FROM matches WHERE state = 'running' AND ply > 0").fetchone()
        connection.execute("UPDATE moves SET text = 'z9' WHERE match_id = ?", (running,))
    said = await copied(tmp_path, old, elsewhere)
    assert said.startswith(f"As it was before: match {running}: its moves cannot be played: ")


async def refused(folder: Path, source: object, target: object, **settings: Any) -> str:
    """Have a copy refused, and return what was said."""
    ended: Outcome = await bot(folder, "copy", source, target, **settings)
    assert ended.code == 1, ended.text
    assert "Traceback" not in ended.text
    assert ended.text.startswith("The copy is not finished: "), ended.text
    return ended.text.removeprefix("The copy is not finished: ")


async def test_what_cannot_be_copied_is_refused_in_a_sentence(tmp_path: Path, old: Path, elsewhere: str) -> None:
    names = {file.name for file in tmp_path.iterdir()}
    assert await refused(tmp_path, "none.db", elsewhere) == "there is no database at none.db."
    assert await refused(tmp_path, "old.db", f"sqlite+aiosqlite:///{old}") == "both are the same database."
    assert await refused(tmp_path, elsewhere, elsewhere) == "both are the same database."
    either, other = (f"postgresql+asyncpg://nobody@/x?host=127.0.0.1:1&host=127.0.0.1:{port}" for port in (2, 3))
    assert await refused(tmp_path, either, either) == "both are the same database."
    said = "The database x on 127.0.0.1:1 or 127.0.0.1:2 cannot be used: "
    assert (await refused(tmp_path, either, other)).startswith(said)
    nothing = await refused(tmp_path, elsewhere, "new.db")
    assert nothing == "there is nothing of Tavoliere in the database elsewhere on 127.0.0.1."
    for places in (("old.db", ""), ("old.db", ":memory:"), ("old.db", "sqlite+aiosqlite://"), ("", "new.db")):
        told = await refused(tmp_path, *places)
        assert told == "a database without a file is in memory and is lost with the command; name a file."
    unknown = await refused(tmp_path, "mysql://me:hush@localhost/db", "new.db")
    assert (unknown.startswith("a database is named by a file, or by an address"), "hush" in unknown) == (True, False)
    (tmp_path / "letter.db").write_text("a letter to grandmother\n" * 99)
    assert "The database letter.db is not an SQLite database." in await refused(tmp_path, "letter.db", elsewhere)
    assert "The database letter.db is not an SQLite database." in await refused(tmp_path, "old.db", "letter.db")
    unreachable = str(make_url(elsewhere).set(port=1, password="hush-hush").render_as_string(hide_password=False))
    told = await refused(tmp_path, "old.db", unreachable)
    assert told.startswith("The database elsewhere on 127.0.0.1 cannot be used: ")
    assert "hush" not in told
    with contextlib.closing(sqlite3.connect(copyfile(old, tmp_path / "earlier.db"))) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0015'")
    for places in (("earlier.db", elsewhere), ("old.db", "earlier.db")):
        told = await refused(tmp_path, *places)
        assert told.startswith("The database earlier.db was made before the first release of Tavoliere: it is at 0015")
    assert {file.name for file in tmp_path.iterdir() if ".lock" not in file.name} == names | {"letter.db", "earlier.db"}


async def test_a_database_in_which_nothing_ever_happened_is_as_good_as_none(
    tmp_path: Path, old: Path, empty_database: Path
) -> None:
    copyfile(empty_database, tmp_path / "empty.db")
    await copied(tmp_path, old, "empty.db")
    assert await everything(tmp_path / "empty.db") == await everything(old)


def little_room() -> None:
    """Let no file of a process grow beyond what a page takes, which is what a full disk looks like from inside."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))


async def test_nothing_is_copied_from_under_a_bot_and_none_starts_meanwhile(
    discord: Loopback, start: Start, tmp_path: Path, elsewhere: str
) -> None:
    running = await (await start()).ready()
    assert "Another bot is running on the database data/tavoliere.db." in await refused(
        tmp_path, "data/tavoliere.db", elsewhere
    )
    assert await running.end() == 0
    on_server = await (await start(database_url=elsewhere)).ready()
    told = await refused(tmp_path, elsewhere, "new.db")
    assert told.startswith("The database elsewhere on 127.0.0.1 is in use: stop bot ")
    assert await on_server.end() == 0
    holder = Database(elsewhere)
    await holder.lock()
    kept_off = await start(database_url=elsewhere)
    assert await kept_off.ended() == 1
    assert "is being copied or restored: begin when that is done." in kept_off.log
    assert "is being copied or restored by another command." in await refused(tmp_path, elsewhere, "new.db")
    await holder.close()
    await copied(tmp_path, elsewhere, "new.db")


async def test_nothing_is_decided_from_the_command_line_in_a_database_that_is_being_copied(
    tmp_path: Path, old: Path, elsewhere: str
) -> None:
    (tmp_path / "record.txt").write_text("not looked at")
    for address, commands in (
        (f"sqlite+aiosqlite:///{old}", ("void 1", "bar 5", "unbar 5", "import record.txt")),
        (elsewhere, ("void 1", "import record.txt")),
    ):
        copier = Database(address)
        await copier.open()
        await copier.lock()
        for asked in commands:
            told = await bot(tmp_path, *asked.split(), database_url=address, log_level="ERROR")
            assert (told.code, "is being copied or restored by another command." in told.text) == (1, True), told.text
        await copier.close()


async def test_a_disk_that_is_full_is_named_and_the_copy_gone_on_with(tmp_path: Path, old: Path) -> None:
    ended = await Running.start(command(tmp_path, "copy", old, "new.db", bound=little_room))
    assert await ended.ended() == 1
    assert "the disk" in ended.log
    assert "Traceback" not in ended.log
    await copied(tmp_path, old, "new.db")
    assert await everything(tmp_path / "new.db") == await everything(old)


async def test_only_what_a_running_bot_needs_is_left_behind(crowd: Crowd) -> None:
    left = set(metadata.sorted_tables) - set(copying.COPIED)
    assert {table.name for table in left} == {
        "generation",
        "processes",
        "unfinished_copy",
    }


async def test_a_source_that_is_damaged_is_named(tmp_path: Path, old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'moves'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(old.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    old.write_bytes(content)
    assert await refused(tmp_path, "old.db", "new.db") == "The database old.db is damaged."


@pytest.mark.usefixtures("next_version")
async def test_a_database_that_lacks_a_migration_is_neither_copied_nor_copied_to(
    tmp_path: Path, empty_database: Path
) -> None:
    behind = copyfile(empty_database, tmp_path / "behind.db")
    with pytest.raises(UpkeepError, match=rf"behind\.db is at .*, this version needs {NEXT}: make a backup"):
        await copy(str(behind), str(tmp_path / "new.db"), ProgressBar())
    up_to_date = Database(f"sqlite+aiosqlite:///{tmp_path / 'today.db'}")
    await up_to_date.open()
    await up_to_date.close()
    with pytest.raises(UpkeepError, match=r"behind\.db is one of an earlier version; name an empty one"):
        await copy(str(tmp_path / "today.db"), str(behind), ProgressBar())
