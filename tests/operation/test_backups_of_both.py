"""``backup`` and ``restore``: what they promise for a file, and for a PostgreSQL database with its own programs."""

from __future__ import annotations

import asyncio
import resource
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from bot.storage import tables
from bot.storage.database import Database
from tests.operation.conftest import Start
from tests.operation.test_copy import Rows, everything, generation
from tests.support.postgresql import needs_postgresql, new_database
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Outcome, bot


@dataclass(frozen=True, slots=True)
class Home:
    """A database, the folder in which commands are given, and what differs between the kinds of databases."""

    folder: Path
    address: str
    backup: str = "today.db"
    """The name of its backups."""
    room: int = 100_000
    """Bytes of which a file holds no whole backup."""
    full: str = "the disk"
    used: str = "Another bot is running on the database"
    """Words by which it is told that there is no room, and that a bot runs."""

    async def do(self, *arguments: object, **settings: Any) -> Outcome:
        """Give a command about the database."""
        return await bot(self.folder, *arguments, database_url=self.address, **settings)

    async def rows(self) -> Rows:
        """Return all rows."""
        return (await everything(self.address))[0]

    def empty(self) -> Home:
        """Return another database of the kind, in which there is nothing."""
        sqlite = self.address.startswith("sqlite")
        return replace(self, address=_file(self.folder / "new.db") if sqlite else new_database(self.address, "new"))


def _file(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[needs_postgresql, pytest.mark.slow])])
def home(request: pytest.FixtureRequest, tmp_path: Path, some_servers: Path) -> Home:
    """A database with some servers."""
    if request.param == "sqlite":
        return Home(tmp_path, _file(copyfile(some_servers, tmp_path / "home.db")))
    server, template = map(request.getfixturevalue, ("shared_server", "some_servers_on_postgresql"))
    return Home(tmp_path, new_database(server, "home", template), "today.dump", 5_000, "pg_dump: ", "in use: stop bot ")


async def test_a_backup_restores_to_what_was_there(home: Home) -> None:
    before = await home.rows()
    made = await home.do("backup", f"backups/{home.backup}")
    size = (home.folder / "backups" / home.backup).stat().st_size
    assert (made.code, made.text) == (0, f"backups/{home.backup}: {size} bytes, checked.")
    assert [file.name for file in (home.folder / "backups").iterdir()] == [home.backup]
    new = home.empty()
    told = await new.do("restore", f"backups/{home.backup}")
    assert (told.code, told.text) == (0, f"Restored from backups/{home.backup}.")
    assert await new.rows() == before
    assert await generation(new.address) != await generation(home.address)
    checked = await new.do("check", discord_token=TOKEN)
    assert checked.code == 0, checked.text


async def test_what_was_there_before_is_kept_and_can_be_restored_again(home: Home) -> None:
    assert (await home.do("backup", home.backup)).code == 0
    at_the_backup = await home.rows()
    database = Database(home.address)
    async with database.write() as tx:
        await tx.execute(delete(tables.outbox))
    await database.close()
    later = await home.rows()
    told = await home.do("restore", home.backup)
    assert told.code == 0, told.text
    assert await home.rows() == at_the_backup != later
    (kept,) = home.folder.glob("home*.before-*")
    assert told.text.startswith(f"Restored from {home.backup}. The previous database is in ")
    assert told.text.endswith(f"{kept.name}.")
    assert (await home.do("restore", kept.name)).code == 0
    assert await home.rows() == later


async def test_a_backup_made_while_others_write_is_of_one_moment(home: Home) -> None:
    """Every turn stores one row and changes another: a backup in between would show one without the other."""
    database, turns = Database(home.address), 0
    requests, first = tables.interactions.c, tables.matches.c.id == 1

    async def write() -> None:
        nonlocal turns
        while True:
            async with database.write() as tx:
                await tx.execute(insert(tables.interactions).values(id=turns, at=datetime.now(UTC)))
                await tx.execute(update(tables.matches).where(first).values(board_message_id=turns))
            turns += 1

    async with asyncio.TaskGroup() as group:
        writing = group.create_task(write())
        while turns < 3:
            await asyncio.sleep(0)
        made = await home.do("backup", home.backup)
        writing.cancel()
    await database.close()
    assert made.code == 0, made.text
    assert (await home.do("restore", home.backup)).code == 0
    database = Database(home.address)
    async with database.read() as tx:
        last = (await tx.execute(select(func.max(requests.id)).where(requests.id < 10**6))).scalar_one()
        shown = (await tx.execute(select(tables.matches.c.board_message_id).where(first))).scalar_one()
    await database.close()
    assert last == shown


async def test_a_backup_overwrites_nothing_and_none_is_made_of_nothing(home: Home) -> None:
    target = home.folder / home.backup
    target.write_text("precious")
    refused = await home.do("backup", home.backup)
    assert (refused.code, refused.text) == (1, f"No backup was made: {home.backup} exists already; name another file.")
    assert target.read_text() == "precious"
    target.unlink()
    refused = await home.empty().do("backup", home.backup)
    assert (refused.code, refused.text.startswith("No backup was made: there is no")) == (1, True), refused.text
    assert not target.exists()
    assert not (home.folder / "new.db").exists()


def room_for(size: int) -> None:
    """Let no file of this process grow beyond some bytes, which is what a full disk looks like from inside."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


async def test_a_full_disk_leaves_no_half_backup(home: Home) -> None:
    (home.folder / "backups").mkdir()
    refused = await home.do("backup", f"backups/{home.backup}", bound=partial(room_for, home.room))
    assert refused.text.startswith("No backup was made: ")
    assert home.full in refused.text
    assert "Traceback" not in refused.text
    assert refused.code == 1
    assert list((home.folder / "backups").iterdir()) == []


@pytest.mark.slow
async def test_nothing_is_restored_under_a_bot_that_runs_and_nothing_is_said_twice_afterwards(
    discord: Loopback, start: Start, home: Home
) -> None:
    new = home.empty()
    running = await (await start(database_url=new.address)).ready()
    thread = await begun(discord)
    await played(discord, thread, *FINISHED[:2])
    assert (await new.do("backup", new.backup)).code == 0
    refused = await new.do("restore", new.backup)
    assert refused.code == 1
    assert refused.text.startswith("Nothing was restored: ")
    assert new.used in refused.text
    assert await running.end() == 0
    assert (await new.do("restore", new.backup)).code == 0
    said = len(discord.posted(thread)), len(discord.posted(discord.channel))
    again = await (await start(database_url=new.address)).ready()
    await played(discord, thread, FINISHED[2], begin=2)
    assert (len(discord.posted(thread)), len(discord.posted(discord.channel))) == (said[0] + 1, said[1])
    assert await again.end() == 0
