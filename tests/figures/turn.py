"""The steps of a turn

The statements of a turn between two people with a pace, from `/move` until the board is marked as sent and the earlier
board has lost its controls; the beginnings and ends of transactions are not counted. Then the bot's processor time for
a turn, in milliseconds. Another process simulates Discord, and its work is not part of it; pictures are drawn in the
bot's own process, and are part of it. Beside it stands the same turn by hand (`by_hand.py`): what is beyond that is the
price of guarantees, languages and clocks. `python -m tests.figures.turn TREE ...` also measures other trees of the bot,
alternating between them.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, TemporaryFile

from tests.figures import table
from tests.scale.turns import random_moves
from tests.support.postgresql import new_database, running_server
from tests.support.processes.loopback import TEST_SECONDS, TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.turn_steps import STEPS, controlled, most, steps_of_turns

ROOT = Path(__file__).parents[2]
ROUNDS = 3
"""How often each tree is measured, in turn."""
WARM, TURNS = 10, 50
"""Turns before the measurement, and in it."""


def measure() -> list[str]:
    """Count what a turn asks, and measure what it computes."""
    with TemporaryDirectory() as folder, running_server() as server:
        counted = [most(asyncio.run(steps_of_turns(url))) for url in (f"sqlite+aiosqlite:///{folder}/t.db", server)]
    rows = [(step, *(number for found in counted for number in found[step])) for step in STEPS]
    totals = [sum(found[step][at] for step in STEPS) for found in counted for at in (0, 1)]
    heads = ("Step", "SQLite: statements", "transactions", "PostgreSQL: statements", "transactions")
    return [*table(heads, [*rows, ("in all", *totals)]), "", *compared([ROOT])]


def compared(trees: Sequence[Path]) -> list[str]:
    """Measure the bots of some trees in turn on both databases; return a table of milliseconds a turn."""
    found: dict[tuple[Path | None, str], list[float]] = {}
    with running_server() as server:
        for at in range(ROUNDS):
            for tree in (None, *trees):
                with TemporaryDirectory() as folder:
                    urls = {"SQLite": f"sqlite+aiosqlite:///{folder}/t.db", "PostgreSQL": new_database(server, "turns")}
                    for name, url in ({"SQLite": f"{folder}/t.db"} if tree is None else urls).items():
                        found.setdefault((tree, name), []).append(asyncio.run(_computed(tree, url, seed=at)))
    by_hand = median(found[None, "SQLite"])
    rows = [
        (_name(tree), name, f"{median(times):.1f}", f"{min(times):.1f}", f"{median(times) / by_hand:.1f}")
        for (tree, name), times in found.items()
    ]
    return table(("Processor time of a turn", "database", "median", "least", "times by hand"), rows)


def _name(tree: Path | None) -> str:
    return "by hand" if tree is None else "this tree" if tree == ROOT else str(tree)


async def _computed(tree: Path | None, url: str, seed: int) -> float:
    """Return the milliseconds that the bot of a tree, or the one by hand, computes for a turn."""
    discord = Loopback()
    await discord.open()
    try:
        with _bot(tree, discord, url) as process_id:
            async with asyncio.timeout(TEST_SECONDS):
                while not discord.connected:  # noqa: ASYNC110 (another process connects)
                    await asyncio.sleep(0.05)
            place = discord.channel if tree is None else await begun(discord, game="redo")
            moves = random_moves(seed, WARM + TURNS)
            for ply, move in enumerate(moves[:WARM]):
                await _played(discord, place, ply, move)
            before = _seconds(process_id)
            for ply, move in enumerate(moves[WARM:], WARM):
                await _played(discord, place, ply, move)
            return 1000 * (_seconds(process_id) - before) / TURNS
    finally:
        await discord.close()


@contextmanager
def _bot(tree: Path | None, discord: Loopback, url: str) -> Iterator[int]:
    """Run the bot of a tree, or the one by hand; give the number of its process."""
    script = Path(__file__).with_name("by_hand.py" if tree is None else "turn_process.py")
    tree = ROOT if tree is None else tree
    environment = os.environ | {"PYTHONPATH": str(tree)}
    command = [sys.executable, "-P", str(script), discord.address, url, TOKEN]
    with TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=tree, env=environment, stdout=log, stderr=log)
        try:
            yield process.pid
        finally:
            process.terminate()
            process.wait()


async def _played(discord: Loopback, place: int, ply: int, move: str) -> None:
    await played(discord, place, move, begin=ply)
    await discord.until(lambda: controlled(discord, place) == 1)


def _seconds(pid: int) -> float:
    """Return the processor time of a process and of its children so far, for Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    print("\n".join(compared([ROOT, *(Path(tree).resolve() for tree in sys.argv[1:])])))
