"""No time is lost to an outage: a bot killed before a deadline and started after it gives the time in between back."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.operation.conftest import Start
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import Running

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


async def killed_in_a_match(discord: Loopback, start: Start, file: Path) -> int:
    """Have a match begun, and the bot killed while Alice thinks; return the thread."""
    running = await (await start(heartbeat=1)).ready()
    thread = await begun(discord, pace=int(PACE.total_seconds()))
    noted = heartbeat(file)
    while heartbeat(file) == noted:
        # Wakes the bot, whose own next note is due within a second.
        await discord.answered(discord.ask(discord.bob, thread, "matches"))
    await running.end(signal.SIGKILL)
    return thread


def suspend(running: Running, file: Path) -> None:
    """Suspend a bot, and have the time run out after its last heartbeat, before it goes on, which is the end."""
    soon = "strftime('%Y-%m-%d %H:%M:%f', 'now', '+1 seconds') || '000'"
    while True:
        running.send(signal.SIGSTOP)
        try:
            with contextlib.closing(sqlite3.connect(file, timeout=0)) as connection, connection:
                connection.execute(f"UPDATE matches SET deadline_at = {soon}")
                columns = "guild_id, channels, threads, pace, automatic, grace"
                connection.execute(f"INSERT INTO guilds ({columns}) SELECT guild_id, '[]', 1, NULL, 1, 0 FROM matches")
        except sqlite3.OperationalError:
            # It was writing just then, and holds the lock.
            running.send(signal.SIGCONT)
        else:
            return


async def test_a_deadline_that_passed_while_nobody_was_there_is_put_off(
    discord: Loopback, start: Start, file: Path
) -> None:
    thread = await killed_in_a_match(discord, start, file)
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


@pytest.mark.slow
async def test_a_deadline_that_was_missed_before_the_outage_stays_missed(
    discord: Loopback, start: Start, file: Path
) -> None:
    running = await (await start()).ready()
    thread = await begun(discord, pace=int(PACE.total_seconds()))
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE matches SET deadline_at = datetime('now', '-1 hour')")
    # Something that wakes the scheduler.
    await discord.answered(discord.ask(discord.alice, discord.channel, "challenge", game="redo"))
    await running.logged("outbox message sent")
    await discord.until(lambda: running.told(lambda line: line.get("outbox_message") == "late:1:0"))
    await running.end(signal.SIGKILL)
    let_pass(file, OUTAGE)
    again = await (await start()).ready()
    assert (
        await discord.answered(discord.ask(discord.bob, thread, "match", action="claim"))
        == "You won. The final board is posted below."
    )
    assert (await again.logged("over"))["reason"] == "out of time"


@pytest.mark.slow
async def test_no_match_is_lost_while_the_process_is_suspended(discord: Loopback, start: Start, file: Path) -> None:
    running = await (await start(heartbeat=1)).ready()
    thread = await begun(discord, pace=int(PACE.total_seconds()))
    suspend(running, file)
    late = deadline(file)
    await asyncio.sleep(8)
    running.send(signal.SIGCONT)
    credited = await running.logged("downtime credited to every clock")
    assert credited["seconds"] >= 8
    await discord.until(lambda: deadline(file) != late)
    assert abs(deadline(file) - late - timedelta(seconds=credited["seconds"])) < timedelta(milliseconds=2)
    assert not running.told(lambda line: line["event"] == "over")
    await played(discord, thread, "c3")


@pytest.mark.slow
async def test_a_bot_that_was_stopped_for_a_moment_credits_nothing(discord: Loopback, start: Start, file: Path) -> None:
    running = await (await start(heartbeat=1)).ready()
    await begun(discord, pace=int(PACE.total_seconds()))
    until = deadline(file)
    await running.end()
    again = await (await start()).ready()
    assert not again.told(lambda line: "credited" in line["event"])
    assert deadline(file) == until
