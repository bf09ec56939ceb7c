"""``backup`` and ``restore`` of a file: whatever goes wrong nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.storage.exclusive_use import Use, lock_file
from tests.matches.conftest import Crowd, crowd_on
from tests.operation.conftest import Start
from tests.support.processes.loopback import TEST_SECONDS, TOKEN
from tests.support.processes.processes import Running, bot, command

Moves = dict[int, list[str]]


def moves_in(file: Path) -> Moves:
    """Return the moves of every match in a database file."""
    found: Moves = {}
    with contextlib.closing(sqlite3.connect(file)) as connection:
        for match_id, text in connection.execute("SELECT match_id, text FROM moves ORDER BY match_id, ply"):
            found.setdefault(match_id, []).append(text)
    return found


def files(folder: Path) -> set[str]:
    """Return the names of everything in a folder."""
    return {file.name for file in folder.iterdir()}


@pytest_asyncio.fixture
async def stocked(some_servers: Path, file: Path) -> AsyncIterator[Crowd]:
    """The services on a database with some servers."""
    file.parent.mkdir()
    async with crowd_on(Path(shutil.copy(some_servers, file))) as crowd:
        yield crowd


async def restored(folder: Path, backup: Path) -> Path:
    """Restore a backup where there was nothing, see that all is in order, and return the database."""
    folder.mkdir()
    assert (await bot(folder, "restore", backup)).code == 0
    checked = await bot(folder, "check", discord_token=TOKEN)
    assert checked.code == 0, checked.text
    return folder / "data" / "tavoliere.db"


@pytest.mark.parametrize("name", ["a?b.db", "a%41.db", "a#b.db", "file:a.db"])
async def test_a_backup_of_any_name_is_the_one_that_is_proven_and_nothing_else_is_written(
    tmp_path: Path, stocked: Crowd, file: Path, name: str
) -> None:
    before = files(tmp_path)
    made = await bot(tmp_path, "backup", name)
    assert made.code == 0, made.text
    assert files(tmp_path) - before == {name}
    assert moves_in(tmp_path / name) == moves_in(file)


async def test_what_a_link_leads_to_is_restored_and_the_link_stays(tmp_path: Path, stocked: Crowd, file: Path) -> None:
    await bot(tmp_path, "backup", "today.db")
    at_the_backup = moves_in(file)
    await stocked.play(await stocked.begin(), "c3")
    await stocked.database.close()
    (tmp_path / "link.db").symlink_to(file)
    told = await bot(tmp_path, "restore", "today.db", database_url="sqlite+aiosqlite:///link.db")
    assert told.code == 0, told.text
    assert (tmp_path / "link.db").is_symlink()
    assert moves_in(file) == at_the_backup


@pytest.mark.slow
async def test_a_backup_killed_in_the_middle_leaves_nothing_under_its_name(tmp_path: Path, stocked: Crowd) -> None:
    folder = tmp_path / "backups"
    killed = [await _killed_in_the_middle(tmp_path, folder / f"{attempt}.db") for attempt in range(5)]
    assert any(killed), "never in the middle: nothing was tried"
    assert (await bot(tmp_path, "backup", "backups/today.db")).code == 0
    await restored(tmp_path / "elsewhere", folder / "today.db")


async def _killed_in_the_middle(folder: Path, target: Path) -> bool:
    running = await Running.start(command(folder, "backup", target))
    async with asyncio.timeout(TEST_SECONDS):
        while not target.with_name(f"{target.name}.unproven").exists() and not running.over.is_set():
            await asyncio.sleep(0.001)
    killed = await running.end(signal.SIGKILL) == -signal.SIGKILL
    if target.exists():
        assert moves_in(target) == moves_in(folder / "data" / "tavoliere.db")
        return False
    assert killed
    return True


def missing(file: Path) -> None:
    file.unlink()


def damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[8192:40960] = b"\xff" * (40960 - 8192)
    file.write_bytes(content)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:50_000])


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def no_database(file: Path) -> None:
    file.write_text("a letter to grandmother\n" * 1000)


def foreign(file: Path) -> None:
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def changed(statement: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with contextlib.closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(statement)

    return change


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (missing, "there is no backup at today.db."),
        (a_folder, "today.db is a folder; name a file that `backup` wrote."),
        (damaged, "today.db is damaged"),
        (cut_short, "it is damaged."),
        (no_database, "today.db cannot be copied to data/tavoliere.db.unproven: it is not an SQLite database."),
        (foreign, "today.db is not a database of Tavoliere."),
        (changed("UPDATE alembic_version SET version_num = '9999'"), "belongs to a newer version of Tavoliere"),
        (changed("DELETE FROM matches"), "today.db is damaged: a row of"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_backup_that_is_damaged_or_none_of_ours_is_not_restored(
    tmp_path: Path, stocked: Crowd, file: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    assert (await bot(tmp_path, "backup", "today.db")).code == 0
    spoil(tmp_path / "today.db")
    before = moves_in(file)
    refused = await bot(tmp_path, "restore", "today.db")
    assert refused.code == 1
    assert refused.text.startswith("Nothing was restored: ")
    assert reason in refused.text
    assert "Traceback" not in refused.text
    assert moves_in(file) == before
    assert not [name for name in files(file.parent) if "unproven" in name or "before" in name]


@pytest.mark.slow
async def test_a_database_whose_matches_are_not_in_order_is_backed_up_all_the_same(
    tmp_path: Path, stocked: Crowd, file: Path
) -> None:
    changed("UPDATE moves SET text = 'z9' WHERE ply = 1")(file)
    assert (await bot(tmp_path, "check", discord_token=TOKEN)).code == 1
    assert (await bot(tmp_path, "backup", "today.db")).code == 0
    assert moves_in(tmp_path / "today.db") == moves_in(file)


async def test_a_database_beyond_repair_is_kept_as_it_is(tmp_path: Path, stocked: Crowd, file: Path) -> None:
    await bot(tmp_path, "backup", "today.db")
    before = moves_in(file)
    await stocked.database.close()
    no_database(file)
    told = await bot(tmp_path, "restore", "today.db")
    assert told.code == 0, told.text
    assert moves_in(file) == before
    (kept,) = file.parent.glob("*.before-*")
    assert kept.read_text().startswith("a letter to grandmother")


async def test_a_journal_left_by_a_lost_database_is_not_mixed_with_what_is_restored(
    tmp_path: Path, stocked: Crowd, file: Path
) -> None:
    await bot(tmp_path, "backup", "today.db")
    at_the_backup = moves_in(file)
    await stocked.play(await stocked.begin(), "c3", "a1", "b2")
    lost = tmp_path / "elsewhere" / "data"
    lost.mkdir(parents=True)
    shutil.copy(file.with_name("tavoliere.db-wal"), lost)
    assert (await bot(lost.parent, "restore", tmp_path / "today.db")).code == 0
    assert moves_in(lost / "tavoliere.db") == at_the_backup
    assert (await bot(lost.parent, "check", discord_token=TOKEN)).code == 0


async def test_a_bot_that_is_started_while_a_backup_is_restored_makes_and_changes_nothing(
    start: Start, tmp_path: Path, file: Path
) -> None:
    file.parent.mkdir()
    held = lock_file(file, Use.ALONE)
    assert held is not None
    refused = await start()
    assert await refused.ended() == 1
    assert "The database data/tavoliere.db is being copied or restored by another command." in refused.log
    assert not file.exists()
    held.close()
    await (await start()).ready()
