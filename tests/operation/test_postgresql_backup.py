"""``backup`` and ``restore`` on PostgreSQL: the same promises as for a file, kept with its own programs."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile, which
from typing import Any

import pytest
from sqlalchemy import make_url, select, text

from bot.operation.upkeep import copy
from bot.storage import copying, tables
from bot.storage.database import Database
from tests.operation.conftest import Start
from tests.operation.test_copy import everything
from tests.support.crowds.filling import fill, servers
from tests.support.ports import free_port
from tests.support.postgresql import needs_postgresql, new_database, running_server
from tests.support.processes.loopback import TEST_SECONDS, TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running, bot, command
from tests.support.unseen import Unseen

pytestmark = [needs_postgresql, pytest.mark.slow]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of our own."""
    with running_server() as address:
        yield address


@pytest.fixture
def empty(server: str) -> str:
    """The address of an empty database."""
    return new_database(server, "home")


@pytest.fixture(scope="module")
def stock(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with some servers; they are also in the server's database ``stock``."""
    file = tmp_path_factory.mktemp("stock") / "stock.db"
    fill(file, servers(2, 10), running=6, finished=6, now=datetime.now(UTC))
    there = new_database(server, "stock")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, copy(str(file), there, Unseen())).result()
    return file


@pytest.fixture
def home(server: str, stock: Path, tmp_path: Path) -> str:
    """The address of a database with some servers."""
    copyfile(stock, tmp_path / "stock.db")
    return new_database(server, "home", template="stock")


async def executed(address: str, *statements: str) -> None:
    """Carry out statements as the user of the URL."""
    database = Database(address)
    try:
        async with database.write() as tx:
            for statement in statements:
                await tx.execute(text(statement))
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


async def test_a_backup_restores_to_what_was_there(tmp_path: Path, server: str, home: str) -> None:
    before, first = await everything(home), await generation(home)
    made = await bot(tmp_path, "backup", "backups/today.dump", database_url=home)
    size = (tmp_path / "backups" / "today.dump").stat().st_size
    assert (made.code, made.text) == (0, f"backups/today.dump: {size} bytes, checked.")
    assert [file.name for file in (tmp_path / "backups").iterdir()] == ["today.dump"]
    new = new_database(server, "new_home")
    told = await bot(tmp_path, "restore", "backups/today.dump", database_url=new)
    assert (told.code, told.text) == (0, "Restored from backups/today.dump.")
    assert await everything(new) == before
    assert await generation(new) != first
    checked = await bot(tmp_path, "check", database_url=new, discord_token=TOKEN)
    assert checked.code == 0, checked.text


async def test_what_was_there_before_is_kept_and_can_be_restored_again(tmp_path: Path, home: str) -> None:
    await bot(tmp_path, "backup", "today.dump", database_url=home)
    at_the_backup = await everything(home)
    await executed(
        home, "DELETE FROM outbox", "INSERT INTO processes VALUES (77, 'frozen', 'bot', now(), '2020-01-01')"
    )
    later = await everything(home)
    told = await bot(tmp_path, "restore", "today.dump", database_url=home)
    assert told.code == 0, told.text
    rows, numbers = await everything(home)
    assert rows == at_the_backup[0]
    # A number once given to a process is not given again, whatever became of the process.
    at = copying.NUMBERED.index(tables.processes)
    assert numbers[:at] + numbers[at + 1 :] == at_the_backup[1][:at] + at_the_backup[1][at + 1 :]
    (kept,) = tmp_path.glob("home.before-*")
    assert told.text == f"Restored from today.dump. The previous database is in {kept.name}."
    assert (await bot(tmp_path, "restore", kept.name, database_url=home)).code == 0
    assert (await everything(home))[0] == later[0]


async def test_of_two_servers_in_the_address_the_primary_is_backed_up_and_restored(tmp_path: Path, home: str) -> None:
    found = make_url(home)
    hosts = f"host=127.0.0.1:{free_port()}&host=127.0.0.1:{found.port}"
    either = f"postgresql+asyncpg://{found.username}@/{found.database}?{hosts}&target_session_attrs=primary"
    before = await everything(home)
    made = await bot(tmp_path, "backup", "today.dump", database_url=either)
    assert made.code == 0, made.text
    told = await bot(tmp_path, "restore", "today.dump", database_url=either)
    assert told.code == 0, told.text
    assert await everything(home) == before


async def test_a_backup_made_while_others_write_is_of_one_moment(tmp_path: Path, home: str) -> None:
    """Every turn moves a match by one ply and stores one row: a backup in between would show one without the other."""
    database = Database(home)
    turns = 0

    async def write() -> None:
        nonlocal turns
        while True:
            async with database.write() as tx:
                await tx.execute(text("INSERT INTO interactions VALUES (:id, now())"), {"id": turns})
                await tx.execute(text("UPDATE matches SET board_message_id = :id WHERE id = 1"), {"id": turns})
            turns += 1

    async with asyncio.TaskGroup() as group:
        writing = group.create_task(write())
        while turns < 3:
            await asyncio.sleep(0)
        made = await bot(tmp_path, "backup", "today.dump", database_url=home)
        writing.cancel()
    await database.close()
    assert made.code == 0, made.text
    assert (await bot(tmp_path, "restore", "today.dump", database_url=home)).code == 0
    database = Database(home)
    async with database.read() as tx:
        last = (await tx.execute(text("SELECT max(id) FROM interactions WHERE id < 1000000"))).scalar_one()
        shown = (await tx.execute(text("SELECT board_message_id FROM matches WHERE id = 1"))).scalar_one()
    await database.close()
    assert last == shown


async def test_a_backup_overwrites_nothing(tmp_path: Path, home: str) -> None:
    (tmp_path / "today.dump").write_text("precious")
    refused = await bot(tmp_path, "backup", "today.dump", database_url=home)
    assert (refused.code, refused.text) == (1, "No backup was made: today.dump exists already; name another file.")
    assert (tmp_path / "today.dump").read_text() == "precious"


def little_room() -> None:
    """Let no file of a process grow beyond some bytes, which is what a full disk looks like from inside."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))


async def test_a_full_disk_leaves_no_half_backup(tmp_path: Path, home: str) -> None:
    (tmp_path / "backups").mkdir()
    refused = await bot(tmp_path, "backup", "backups/today.dump", bound=little_room, database_url=home)
    assert refused.text.startswith("No backup was made: pg_dump: ")
    assert refused.code == 1
    assert list((tmp_path / "backups").iterdir()) == []


async def test_a_backup_that_was_killed_leaves_nothing_under_its_name(tmp_path: Path, home: str) -> None:
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "pg_dump"
    slow.write_text(f'#!/bin/sh\necho begun\n{which("pg_dump")} "$@"\nexec sleep 60\n')
    slow.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    running = await Running.start(command(tmp_path, "backup", "backups/today.dump", database_url=home, path=path))
    unproven = tmp_path / "backups" / "today.dump.unproven"
    async with asyncio.timeout(TEST_SECONDS):
        while not unproven.exists():
            await asyncio.sleep(0.01)
    assert await running.end(signal.SIGKILL) == -signal.SIGKILL
    assert not (tmp_path / "backups" / "today.dump").exists()
    assert (await bot(tmp_path, "backup", "backups/today.dump", database_url=home)).code == 0
    assert [file.name for file in (tmp_path / "backups").iterdir()] == ["today.dump"]


async def test_without_a_database_there_is_no_backup(tmp_path: Path, empty: str) -> None:
    refused = await bot(tmp_path, "backup", "today.dump", database_url=empty)
    expected = "No backup was made: there is nothing of Tavoliere in the database home on 127.0.0.1."
    assert (refused.code, refused.text) == (1, expected)
    assert not (tmp_path / "today.dump").exists()


async def test_without_postgresqls_programs_it_is_said_what_to_install(tmp_path: Path, home: str) -> None:
    for asked, missing in (("backup", "pg_dump"), ("restore", "pg_dump")):
        (tmp_path / "there.dump").touch()
        target = "today.dump" if asked == "backup" else "there.dump"
        told = await bot(tmp_path, asked, target, database_url=home, path=str(tmp_path))
        assert told.code == 1
        assert f"{missing} is not installed; it is one of PostgreSQL's client programs" in told.text
        assert "apt-get install postgresql-client" in told.text


def damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2 : -200] = bytes(len(content) - 200 - len(content) // 2)
    file.write_bytes(content)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def no_archive(file: Path) -> None:
    file.write_text("a letter to grandmother\n" * 1000)


def of_sqlite(file: Path) -> None:
    copyfile(file.with_name("stock.db"), file)


def missing(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (missing, "there is no backup at today.dump."),
        (damaged, "today.dump is damaged, or no archive of pg_dump ("),
        (cut_short, "today.dump is damaged, or no archive of pg_dump ("),
        (no_archive, "today.dump is damaged, or no archive of pg_dump ("),
        (of_sqlite, "today.dump is a backup of an SQLite database; restore it there, and `copy` it here."),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_backup_that_is_damaged_or_none_is_not_restored(
    tmp_path: Path, home: str, spoil: Any, reason: str
) -> None:
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    spoil(tmp_path / "today.dump")
    before = await everything(home)
    refused = await bot(tmp_path, "restore", "today.dump", database_url=home)
    assert refused.code == 1
    assert refused.text.startswith("Nothing was restored: ")
    assert reason in refused.text
    assert "Traceback" not in refused.text
    assert await everything(home) == before
    assert not list(tmp_path.glob("*.before-*"))


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "belongs to a newer version of Tavoliere"),
        ("UPDATE alembic_version SET version_num = '0022'", "was made before the first release of Tavoliere"),
        ("DROP TABLE alembic_version", "is not a database of Tavoliere"),
    ],
)
async def test_an_archive_of_something_else_is_not_restored(
    tmp_path: Path, server: str, home: str, statement: str, reason: str
) -> None:
    before = await everything(home)
    await executed(home, statement)
    found = make_url(home)
    dump = ["pg_dump", "-Fc", "-h", found.host, "-p", str(found.port), "-U", found.username, "-f", "today.dump", "home"]
    made = await asyncio.create_subprocess_exec(*dump, cwd=tmp_path)  # type: ignore[arg-type]
    assert await made.wait() == 0
    new = new_database(server, "new_home")
    refused = await bot(tmp_path, "restore", "today.dump", database_url=new)
    assert (refused.code, reason in refused.text) == (1, True), refused.text
    assert (await everything(home)) == before


async def test_a_backup_is_restored_in_place_of_a_database_of_a_newer_version(tmp_path: Path, home: str) -> None:
    before = await everything(home)
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    await executed(home, "UPDATE alembic_version SET version_num = '9999'", "CREATE TABLE hats (size int)")
    told = await bot(tmp_path, "restore", "today.dump", database_url=home)
    assert told.code == 0, told.text
    assert await everything(home) == before
    with pytest.raises(Exception, match="hats"):
        await executed(home, "SELECT * FROM hats")


async def test_what_fails_half_way_changes_nothing(tmp_path: Path, home: str) -> None:
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    # Something of somebody else's hangs on a table, so it cannot be replaced.
    await executed(home, "CREATE VIEW counted AS SELECT count(*) FROM moves")
    before = await everything(home)
    refused = await bot(tmp_path, "restore", "today.dump", database_url=home)
    assert refused.code == 1
    assert refused.text.startswith("Nothing was restored: psql: cannot drop desired object(s) because other objects")
    assert await everything(home) == before


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        # Without the moves, and all is well, it says.
        ("{real} \"$@\" | sed '/^COPY public.moves /,/^\\\\./d'", "psql: moves is not whole"),
        # With every row, but killed before it came to keys and indexes.
        ('{real} --section=pre-data --section=data "$@"; exit 9', "pg_restore: ended with code 9"),
    ],
    ids=["in the middle", "after the rows"],
)
async def test_an_archive_that_comes_to_its_end_too_early_changes_nothing(
    tmp_path: Path, home: str, instead: str, said: str
) -> None:
    """The programs are in a row: the second would take the sudden end of the first for its end."""
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    before = await generation(home), await everything(home)
    (tmp_path / "bin").mkdir()
    false, asked, real = tmp_path / "bin" / "pg_restore", tmp_path / "asked", which("pg_restore")
    # As it is, when it reads the backup and what is kept of before.
    script = f"""#!/bin/sh
        echo once >> {asked}
        [ $(wc -l < {asked}) -gt 2 ] || exec {real} "$@"
        {instead.format(real=real)}
        """
    false.write_text(script)
    false.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    refused = await bot(tmp_path, "restore", "today.dump", database_url=home, path=path)
    assert refused.code == 1
    assert refused.text == f"Nothing was restored: {said}.", refused.text
    assert (await generation(home), await everything(home)) == before


async def test_nothing_is_restored_under_a_bot_that_runs_and_nothing_is_said_twice_afterwards(
    discord: Loopback, start: Start, tmp_path: Path, empty: str
) -> None:
    running = await (await start(database_url=empty)).ready()
    thread = await begun(discord)
    await played(discord, thread, *FINISHED[:2])
    assert (await bot(tmp_path, "backup", "today.dump", database_url=empty)).code == 0
    refused = await bot(tmp_path, "restore", "today.dump", database_url=empty)
    assert refused.code == 1
    assert "Nothing was restored: The database home on 127.0.0.1 is in use: stop bot " in refused.text
    assert await running.end() == 0
    assert (await bot(tmp_path, "restore", "today.dump", database_url=empty)).code == 0
    said = len(discord.posted(thread)), len(discord.posted(discord.channel))
    again = await (await start(database_url=empty)).ready()
    await played(discord, thread, FINISHED[2], begin=2)
    assert (len(discord.posted(thread)), len(discord.posted(discord.channel))) == (said[0] + 1, said[1])
    assert await again.end() == 0


async def test_no_password_is_seen_by_others_on_the_machine(tmp_path: Path, server: str, home: str) -> None:
    found = make_url(home).set(password="hush-hush")
    seen = tmp_path / "seen"
    (tmp_path / "bin").mkdir()
    for name in ("pg_dump", "pg_restore", "psql"):
        said = tmp_path / "bin" / name
        said.write_text(
            f'#!/bin/sh\necho "$0 $*" >> {seen}\n[ "$PGPASSWORD" = hush-hush ] && echo told >> {seen}\n'
            f'exec {which(name)} "$@"\n'
        )
        said.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    settings = {"database_url": found.render_as_string(hide_password=False), "path": path}
    assert (await bot(tmp_path, "backup", "today.dump", **settings)).code == 0
    assert (await bot(tmp_path, "restore", "today.dump", **settings)).code == 0
    lines = seen.read_text().splitlines()
    assert "told" in lines
    assert {Path(line.split()[0]).name for line in lines} >= {"pg_dump", "pg_restore", "psql"}
    assert "hush" not in " ".join(lines)
