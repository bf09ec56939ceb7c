"""A whole bot on a PostgreSQL server, started, killed and checked like any other."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.operation.conftest import Start
from tests.support.postgresql import needs_postgresql
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import bot

pytestmark = needs_postgresql


@pytest.mark.slow
async def test_a_match_is_played_over_a_violent_end_and_everything_is_in_order(
    discord: Loopback, start: Start, tmp_path: Path, server_without_tables: str
) -> None:
    settings = {"database_url": server_without_tables, "discord_token": TOKEN}
    behind = await bot(tmp_path, "check", **settings)
    assert (behind.code, "migrations: the database is empty, `run` sees to it" in behind.text) == (0, True)
    first = await (await start(database_url=server_without_tables)).ready()
    thread = await begun(discord)
    await played(discord, thread, *FINISHED[:4])
    await first.end(signal.SIGKILL)
    again = await (await start(database_url=server_without_tables)).ready()
    await played(discord, thread, *FINISHED[4:], begin=4)
    assert await again.end() == 0
    checked = await bot(tmp_path, "check", **settings)
    assert checked.code == 0, checked.text
    assert (await bot(tmp_path, "export", "records", **settings)).text == "1 match written to records."
