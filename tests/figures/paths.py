"""Ways through the code

How much of the code one thing that happens runs through, with the real bot in a simulated Discord: the files of `bot`
and `renderers` in which a function was called, these functions, and how often the next call was in another folder than
the one before it in its thread. A coroutine that goes on counts as called. Statements are those of SQLite, without the
beginnings of transactions. Everything was done once before, so that what is made once a process is not counted.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType

import bot
import tests.support.settling  # noqa: F401 - for its effect
from bot.settings import Settings
from tests.figures import table
from tests.support.acting import build, challenge_accepted, opened_builder, play
from tests.support.cup_play import begun, members, resign, running_matches
from tests.support.simulated_discord import SimulatedDiscord, simulated_discord
from tests.support.statements import statements_of
from tests.support.stored import DAY, HOUR

ROOT = Path(bot.__file__).parents[1]


class Calls:
    """Notes the functions of the project that are called in any thread while ``on``."""

    def __init__(self) -> None:
        self.on = False
        self.functions: set[tuple[str, str]] = set()
        self.changes = 0
        self._folders: dict[int, str] = {}
        self._within = tuple(f"{ROOT / part}/" for part in ("bot", "renderers"))

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call, as ``sys.setprofile`` tells of it."""
        code = frame.f_code
        if not self.on or event != "call" or not code.co_filename.startswith(self._within):
            return
        if not code.co_name.startswith("<"):
            self.functions.add((code.co_filename, code.co_qualname))
        folder, thread = code.co_filename.rpartition("/")[0], threading.get_ident()
        self.changes += self._folders.get(thread, folder) != folder
        self._folders[thread] = folder

    @asynccontextmanager
    async def row(self, sim: SimulatedDiscord, name: str, rows: list[tuple[object, ...]]) -> AsyncIterator[None]:
        """Add a row about what is done in the block and follows from it."""
        assert sim.bot.database is not None
        await sim.env.settle()
        self.functions.clear()
        self._folders.clear()
        self.changes = 0
        with statements_of(sim.bot.database) as statements:
            self.on = True
            yield
            await sim.env.settle()
            self.on = False
        files = {file for file, _function in self.functions}
        asked = [statement for statement in statements if not statement.startswith("BEGIN")]
        rows.append((name, len(files), len(self.functions), self.changes, len(asked)))


def measure() -> list[str]:
    """Do each thing twice, and count the second time."""
    calls = Calls()
    threading.setprofile(calls.note)
    sys.setprofile(calls.note)
    try:
        rows = asyncio.run(_rows(calls))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return table(("What happens", "files", "functions", "changes of folder", "statements"), rows)


async def _rows(calls: Calls) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{folder}/figures.db"
        settings = Settings(_env_file=None, heartbeat=864000, picture_workers=0, thinkers=0, database_url=url)
        async with simulated_discord(settings) as sim:
            thread = await challenge_accepted(sim, pace=DAY)
            await play(sim, thread, "a1", "a5", "b1", "b5")
            async with calls.row(sim, "`/move`, until the next board is posted", rows):
                await sim.alice.slash(sim.place(thread), "move", move="c1")
            builder = await opened_builder(sim, sim.bob, thread, "e5")
            async with calls.row(sim, "A press in the builder that plays a move", rows):
                await build(sim.bob, builder, "e5")
            cup = await begun(sim)
            assert cup is not None
            for counted in (False, True):
                match = (await running_matches(sim))[0]
                loser = members(sim)[match.seats[0].person.id]
                async with calls.row(sim, "A result in a cup", rows if counted else []):
                    await resign(sim, match, loser)
            for counted in (False, True):
                await challenge_accepted(sim, pace=DAY)
                await sim.env.advance_time(17 * HOUR)
                async with calls.row(sim, "A reminder", rows if counted else []):
                    await sim.env.advance_time(2 * HOUR)
    return rows
