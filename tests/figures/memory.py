"""Memory and sizes

A bot on SQLite, by the number of matches that run; Discord is another process. Memory is that of the bot's process,
which draws the pictures itself, when it has started and when it has posted ten boards. A backup is made beside it.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.figures import table
from tests.figures.crowd import crowded_bot
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import bot

SIZES = (100, 1000, 10_000)
BOARDS = 10


def measure() -> list[str]:
    """Fill databases, start the bot on them, let it post boards, and make a backup."""
    columns = []
    for size in SIZES:
        with TemporaryDirectory() as folder:
            columns.append(asyncio.run(_measured(Path(folder), size)))
    rows = [(name, *(f"{column[name]:.1f}" for column in columns)) for name in columns[0]]
    return table(("Matches running", *(f"{size:,}" for size in SIZES)), rows)


async def _measured(folder: Path, size: int) -> dict[str, float]:
    discord = Loopback()
    async with crowded_bot(folder, discord, size, BOARDS) as crowded:
        url, database = f"sqlite+aiosqlite:///{crowded.file}", crowded.file.stat().st_size / 1e6
        started = crowded.megabytes
        for thread in crowded.threads:
            await discord.control(thread, r"play:.*")
        posted, begun = crowded.megabytes, time.perf_counter()
        made = await bot(folder, "backup", folder / "backup.db", database_url=url)
        assert made.code == 0, made.text
        return {
            "database, MB": database,
            "memory, started, MB": started,
            f"memory, {BOARDS} boards posted, MB": posted,
            "backup, MB": (folder / "backup.db").stat().st_size / 1e6,
            "backup, s": time.perf_counter() - begun,
        }
