"""Many bots on PostgreSQL

Several bots on one PostgreSQL on the same machine, so that they share its processors with the database. PostgreSQL
waits for the disk at every commit. The bots run without a gateway: they post to a fake Discord that answers at once,
and draw no pictures. Times are in milliseconds, the median and the 99th percentile, until a turn is stored and until
its board is posted. PostgreSQL counts statements and their time: from the move until the earlier board has lost its
controls, with the queries of the scheduler.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.figures import table
from tests.lifecycle.test_machine_shared import migrated
from tests.scale.standing_in import standing_in
from tests.scale.turns import COUNTED, played
from tests.support.postgresql import running_server

PROCESSES = (1, 2, 4)
MATCHES = 25
"""Matches each process plays eight turns of, eight matches at once."""
KILLS = 3
HEADS = ("Processes", "turns a second", "stored", "", "posted", "", "statements a turn", "database, ms a turn")


def measure() -> list[str]:
    """Measure turns with several processes, and how soon another bot stands in."""
    rows = []
    for number in PROCESSES:
        with running_server(**COUNTED) as url:
            asyncio.run(migrated(url))
            found = played(url, number, MATCHES)
        times = [f"{value:.1f}" for value in (*found.answered, *found.posted)]
        rows.append((number, f"{found.rate:.1f}", *times, f"{found.statements:.1f}", f"{found.database:.2f}"))
    with TemporaryDirectory() as folder:
        seconds = asyncio.run(standing_in(Path(folder), KILLS))
    return [
        *table(HEADS, rows),
        "",
        "Seconds from the `kill -9` of a bot to the first answer of the one that stood by: "
        f"{', '.join(f'{one:.1f}' for one in seconds)}. Up to nine of them are the lease.",
    ]
