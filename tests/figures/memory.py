"""Memory and sizes

A bot on SQLite, by the number of matches that run; Discord is another process. Memory is that of the bot's process,
which draws the pictures itself, when it has started and when it has posted ten boards. A backup is made beside it.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.storage.records import Person
from tests.figures import table
from tests.support.crowds.filling import Server, fill, servers
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import Running, bot, run_bot

SIZES = (100, 1000, 10_000)
BOARDS, FINISHED, PEOPLE = 10, 1000, 200


def measure() -> list[str]:
    """Fill databases, start the bot on them, let it post boards, and make a backup."""
    columns = []
    for size in SIZES:
        with TemporaryDirectory() as folder:
            columns.append(asyncio.run(_measured(Path(folder), size)))
    rows = [(name, *(f"{column[name]:.1f}" for column in columns)) for name in columns[0]]
    return table(("Matches running", *(f"{size:,}" for size in SIZES)), rows)


async def _measured(folder: Path, size: int) -> dict[str, float]:
    discord, file = Loopback(), folder / "tavoliere.db"
    url = f"sqlite+aiosqlite:///{file}"
    await discord.open()
    threads = _filled(file, discord, size)
    process = await run_bot(folder, discord, database_url=url, heartbeat=86400)
    try:
        running = await process.ready()
        database, started = file.stat().st_size / 1e6, _megabytes(running)
        for thread in threads:
            await discord.control(thread, r"play:.*")
        posted, begun = _megabytes(running), time.perf_counter()
        made = await bot(folder, "backup", folder / "backup.db", database_url=url)
        assert made.code == 0, made.text
        return {
            "database, MB": database,
            "memory, started, MB": started,
            f"memory, {BOARDS} boards posted, MB": posted,
            "backup, MB": (folder / "backup.db").stat().st_size / 1e6,
            "backup, s": time.perf_counter() - begun,
        }
    finally:
        await process.end()
        await discord.close()


def _filled(file: Path, discord: Loopback, running: int) -> list[int]:
    """Fill a database with so many running matches; return the threads in which the first of them are played."""
    backend = discord.backend
    people = [discord.add_person(f"p{number}", f"Player {number}") for number in range(PEOPLE)]
    opened = [
        backend.create_thread(discord.channel, str(number), backend.bot_user.id, broadcast=False)
        for number in range(BOARDS)
    ]
    threads = [one.id for one in opened]
    here = tuple(Person(one.id, one.name) for one in people)
    first = Server(discord.guild.id, (discord.channel,), here, tuple(threads))
    fill(file, [first, *servers(30, PEOPLE)], running=running, finished=FINISHED, now=backend.clock.now())
    return threads


def _megabytes(running: Running) -> float:
    """Return the memory of the bot, without that of its processes for pictures."""
    lines = Path(f"/proc/{running.process.pid}/status").read_text(encoding="utf-8").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1000
