"""No time is lost to an outage: a bot killed before a deadline and started after it gives the time in between back."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.operation.conftest import Start
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import begun, played

PACE = timedelta(hours=12)
OUTAGE = timedelta(hours=13)


def moment(file: Path, query: str) -> datetime:
    """Return a moment stored in a database."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return datetime.fromisoformat(connection.execute(query).fetchone()[0]).replace(tzinfo=UTC)


def deadline(file: Path) -> datetime:
    return moment(file, "SELECT deadline_at FROM matches")


def heartbeat(file: Path) -> datetime:
    return moment(file, "SELECT at FROM heartbeats WHERE name = 'alive'")


def let_pass(file: Path, time: timedelta) -> None:
    """Have everything in a database happen so much earlier, which is how it looks after so much time."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        for table, columns in (
            ("matches", ("created_at", "turn_at", "deadline_at", "told_deadline_at", "remind_at")),
            ("heartbeats", ("at",)),
            ("moves", ("at",)),
        ):
            for column in columns:
                seconds = f"-{time.total_seconds():.0f} seconds"
                connection.execute(
                    f"UPDATE {table} SET {column} = strftime('%Y-%m-%d %H:%M:%f', {column}, ?) || '000'", (seconds,)
                )


async def test_a_deadline_that_passed_while_nobody_was_there_is_put_off(
    discord: Loopback, start: Start, file: Path
) -> None:
    first = await (await start(heartbeat=1)).ready()
    thread = await begun(discord, pace=int(PACE.total_seconds()))
    noted = heartbeat(file)
    while heartbeat(file) == noted:
        # Wakes the bot, whose own next note is due within a second.
        await discord.answered(discord.ask(discord.bob, thread, "matches"))
    await first.end(signal.SIGKILL)
    let_pass(file, OUTAGE)
    assert deadline(file) < datetime.now(UTC), "nothing was tried"
    late, silent_since = deadline(file), heartbeat(file)
    running = await (await start()).ready()
    (credited,) = running.told(lambda line: line["event"] == "downtime credited to every clock")
    given = timedelta(seconds=credited["seconds"])
    assert timedelta(0) <= given - OUTAGE < datetime.now(UTC) - OUTAGE - silent_since
    assert abs(deadline(file) - late - given) < timedelta(milliseconds=2)
    claimed = discord.ask(discord.bob, thread, "match", action="claim")
    assert "still has time" in await discord.answered(claimed)
    await played(discord, thread, "c3")
    assert not running.told(lambda line: str(line.get("outbox_message", "")).startswith("late"))
