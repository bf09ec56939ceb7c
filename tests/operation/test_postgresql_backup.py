"""``backup`` and ``restore`` on PostgreSQL: the same promises as for a file, kept with its own programs."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from sqlalchemy import make_url

from tests.operation.test_copy import everything, generation
from tests.support.ports import free_port
from tests.support.postgresql import needs_postgresql, new_database, run_sql
from tests.support.processes.loopback import TEST_SECONDS
from tests.support.processes.processes import Running, bot, command

pytestmark = [needs_postgresql, pytest.mark.slow]


@pytest.fixture
def home(shared_server: str, some_servers_on_postgresql: str) -> str:
    """The address of a database with some servers."""
    return new_database(shared_server, "home", some_servers_on_postgresql)


async def test_a_number_once_given_to_a_process_is_not_given_again(tmp_path: Path, home: str) -> None:
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    last = run_sql(home, "SELECT max(nextval('processes_id_seq')) FROM generate_series(1, 7)")
    assert (await bot(tmp_path, "restore", "today.dump", database_url=home)).code == 0
    assert int(run_sql(home, "SELECT nextval('processes_id_seq')")) == int(last) + 1


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
    file.write_bytes(b"SQLite format 3\0" + bytes(4096))


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
    tmp_path: Path, shared_server: str, home: str, statement: str, reason: str
) -> None:
    before = await everything(home)
    run_sql(home, statement)
    found = make_url(home)
    dump = ["pg_dump", "-Fc", "-h", found.host, "-p", str(found.port), "-U", found.username, "-f", "today.dump", "home"]
    made = await asyncio.create_subprocess_exec(*dump, cwd=tmp_path)  # type: ignore[arg-type]
    assert await made.wait() == 0
    new = new_database(shared_server, "new_home")
    refused = await bot(tmp_path, "restore", "today.dump", database_url=new)
    assert (refused.code, reason in refused.text) == (1, True), refused.text
    assert (await everything(home)) == before


async def test_a_backup_is_restored_in_place_of_a_database_of_a_newer_version(tmp_path: Path, home: str) -> None:
    before = await everything(home)
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    run_sql(home, "UPDATE alembic_version SET version_num = '9999'", "CREATE TABLE hats (size int)")
    told = await bot(tmp_path, "restore", "today.dump", database_url=home)
    assert told.code == 0, told.text
    assert await everything(home) == before
    assert run_sql(home, "SELECT to_regclass('hats') IS NULL") == "t"


async def test_what_fails_half_way_changes_nothing(tmp_path: Path, home: str) -> None:
    assert (await bot(tmp_path, "backup", "today.dump", database_url=home)).code == 0
    # Something of somebody else's hangs on a table, so it cannot be replaced.
    run_sql(home, "CREATE VIEW counted AS SELECT count(*) FROM moves")
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


async def test_no_password_is_seen_by_others_on_the_machine(tmp_path: Path, home: str) -> None:
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
