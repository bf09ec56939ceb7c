"""A steady rate of turns on PostgreSQL

One bot on a PostgreSQL with 10,000 other running matches, on the same machine. PostgreSQL waits for the disk at every
commit. The bot runs without a gateway: it posts to a fake Discord that answers at once, and draws no pictures. Turns
begin at a fixed rate, which is what Discord lets one token post, however long each takes. Times are in milliseconds,
the median and the 99th percentile, until a turn is stored and until its board is posted; then what one turn took of the
bot's main thread, and the statements and time of the database, with the queries of the scheduler.
`TAVOLIERE_MINUTES` says for how long. On 2026-11-30 two cores also ran the project's own tests in the first 48
minutes; in the last ten they were left to it.
"""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.operation.running import short_collections
from bot.storage.database import Database
from tests.figures import table
from tests.scale.standing_in import standing_in
from tests.scale.turns import COUNTED, Figures, steady
from tests.support.crowds.full_server import copy_block, fill_block
from tests.support.postgresql import running_server

RATE = 25.0
MINUTES = float(os.environ.get("TAVOLIERE_MINUTES", "5"))
RUNNING, BLOCKS = 500, 20
KILLS = 3
HEADS = ("Ten minutes", "turns", "stored", "", "posted", "")


def measure() -> list[str]:
    """Measure turns at a steady rate, and how soon another bot stands in."""
    with running_server(**COUNTED) as url, short_collections():
        taken = asyncio.run(_measured(url))
    with TemporaryDirectory() as folder:
        seconds = asyncio.run(standing_in(Path(folder), KILLS))
    rows = [
        (number, part.turns, *(f"{value:.1f}" for value in (*part.stored, *part.posted)))
        for number, part in enumerate(taken.parts, 1)
    ]
    return [
        *table(HEADS, rows),
        "",
        f"In {MINUTES:g} minutes {taken.rate:.1f} turns a second; each took {taken.thread:.1f} ms of the main thread, "
        f"{taken.statements:.1f} statements and {taken.database:.1f} ms of the database.",
        "",
        "Seconds from the `kill -9` of a bot to the first answer of the one that stood by: "
        f"{', '.join(f'{each:.1f}' for each in seconds)}. Up to nine of them are the lease.",
    ]


async def _measured(url: str) -> Figures:
    database = Database(url)
    try:
        await fill_block(database, running=RUNNING, finished=RUNNING, now=datetime.now(UTC))
        await copy_block(database, BLOCKS - 1)
    finally:
        await database.close()
    return await steady(url, RATE, 60 * MINUTES)
