"""What ``status`` shows on a terminal of 80 columns, which is also what a pipe gets."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from bot.operation.status import ClusterStatus, SlotStatus, status, table
from bot.settings import Settings
from bot.storage import guilds
from bot.storage.database import Database
from bot.storage.processes import Process
from bot.storage.registration import BOT
from bot.storage.slots import Partition

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def held_by(name: str | None, heard: bool | None = None) -> str:
    """Return the third column of the table of one slot, its lines joined."""
    holder = None if name is None else Process(1, name, BOT, NOW, NOW)
    slot = SlotStatus(Partition(), holder, None, NOW, 0, 0.0, 2000, 0, {})
    page = io.StringIO()
    Console(file=page, width=80).print(table(ClusterStatus([slot], [], [], {}, 0, 0, heard)))
    rows = [line.split("│")[3].strip() for line in page.getvalue().splitlines() if line.startswith("│")]
    return " ".join(rows).strip()


def test_the_name_of_a_process_is_never_cut_off() -> None:
    name = "bots-of-the-games-club.example.org:4194304"
    assert held_by(name).replace(" ", "") == name


def test_a_slot_without_a_holder_says_so_in_whole_words() -> None:
    assert held_by(None) == "nobody registered"


async def test_a_bot_on_sqlite_which_does_not_register_is_known_by_its_heartbeat(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/tavoliere.db")
    database = Database(settings.database_url)
    await database.open()
    for age, heard in ((timedelta(seconds=4), True), (timedelta(minutes=1), False)):
        async with database.write() as tx:
            await guilds.beat(tx, datetime.now(UTC) - age, 0)
        assert (await status(settings)).heard is heard
    await database.close()
    assert [held_by(None, heard) for heard in (True, False)] == ["the bot of this file", "no bot heard"]
