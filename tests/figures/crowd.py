"""A bot in a process of its own on an SQLite database full of matches, and a Discord in which its first server is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.storage.records import Person
from tests.support.crowds.filling import Server, fill, servers
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import Running, run_bot

FINISHED, PEOPLE = 1000, 200


@dataclass(frozen=True, slots=True)
class CrowdedBot:
    """A bot that is ready, its database, and the threads of its first server."""

    running: Running
    file: Path
    threads: Sequence[int]

    @property
    def megabytes(self) -> float:
        """The memory of the bot, without that of its processes for pictures."""
        lines = Path(f"/proc/{self.running.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1000


@asynccontextmanager
async def crowded_bot(
    folder: Path,
    discord: Loopback,
    running: int,
    threads: int,
    **settings: Any,
) -> AsyncIterator[CrowdedBot]:
    """Run a bot with so many running matches; the first of them are played in open threads."""
    await discord.open()
    file, backend = folder / "tavoliere.db", discord.backend
    people = [discord.add_person(f"p{number}", f"Player {number}") for number in range(PEOPLE)]
    places = [
        backend.create_thread(discord.channel, f"{number}", backend.bot_user.id, broadcast=False).id
        for number in range(threads)
    ]
    here = tuple(Person(one.id, one.name) for one in people)
    first = Server(discord.guild.id, (discord.channel,), here, tuple(places))
    others = servers(30, PEOPLE)
    fill(file, [first, *others], running=running, finished=FINISHED, now=backend.clock.now())
    bot = await run_bot(folder, discord, database_url=f"sqlite+aiosqlite:///{file}", heartbeat=86400, **settings)
    try:
        yield CrowdedBot(await bot.ready(), file, places)
    finally:
        await bot.end()
        await discord.close()
