"""What ``status`` shows on a terminal of 80 columns, which is also what a pipe gets."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console
from sqlalchemy import insert, update

from bot.operation.status import ClusterStatus, status, table
from bot.settings import Settings
from bot.storage import guilds, tables
from bot.storage.database import Database
from bot.storage.processes import BOT, THINKER, Process
from bot.storage.records import BotState
from tests.matches.conftest import Crowd

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def shown(active: str | None, *others: tuple[str, BotState], heard: bool | None = None) -> str:
    """Return the status of some bots as people see it."""
    processes = [Process(at, name, BOT, NOW, NOW, None, state) for at, (name, state) in enumerate(others)]
    status = ClusterStatus(
        active=None if active is None else Process(9, active, BOT, NOW, NOW, None, BotState.ACTIVE),
        others=processes,
        thinkers=[],
        served_at=NOW,
        pending=0,
        lag=0.0,
        servers=2000,
        without_game=0,
        lacks={},
        thinkers_lack={},
        thinking=0,
        to_rate_again=0,
        heard=heard,
    )
    page = io.StringIO()
    Console(file=page, width=80).print(table(status))
    return page.getvalue()


def active(name: str | None, heard: bool | None = None) -> str:
    """Return the first column of the table, its lines joined."""
    rows = [line.split("│")[1].strip() for line in shown(name, heard=heard).splitlines() if line.startswith("│")]
    return " ".join(rows).strip()


def test_the_name_of_a_process_is_never_cut_off() -> None:
    name = "bots-of-the-games-club.example.org:4194304"
    assert active(name).replace(" ", "") == name


def test_a_database_without_an_active_bot_says_so_in_whole_words() -> None:
    assert active(None) == "nobody registered"


def test_it_says_who_stands_by_who_takes_over_and_that_more_shards_are_due() -> None:
    said = " ".join(shown("a:1", ("b:2", BotState.STANDBY), ("c:3", BotState.SUCCESSOR)).split())
    assert "Standing by: b:2. c:3 is connecting." in said
    assert "A shard has 2000 servers" in said


async def test_a_bot_on_sqlite_which_does_not_register_is_known_by_its_heartbeat(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path}/tavoliere.db")
    database = Database(settings.database_url)
    await database.open()
    for age, heard in ((timedelta(seconds=4), True), (timedelta(minutes=1), False)):
        async with database.write() as tx:
            await guilds.beat(tx, datetime.now(UTC) - age)
        assert (await status(settings)).heard is heard
    await database.close()
    assert [active(None, heard) for heard in (True, False)] == ["the bot of this file", "no bot heard"]


async def test_matches_of_a_game_that_is_not_installed_are_counted(crowd: Crowd) -> None:
    await crowd.begin()
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.matches).values(game="gone"))
        values = {"begun_at": NOW, "alive_until": NOW}
        await tx.execute(insert(tables.processes).values(name="thinker:1", role=THINKER, games=[], **values))
    found = await status(Settings(database_url=str(crowd.database.url)))
    assert (found.lacks, found.thinkers_lack) == ({"gone": 1}, {"thinker:1": ["gone"]})
    page = io.StringIO()
    Console(file=page, width=80).print(table(found))
    said = " ".join(page.getvalue().split())
    assert "thinker:1 has no gone. This installation has no gone (running matches: 1)." in said
