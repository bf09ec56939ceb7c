"""Many bots on PostgreSQL

Several bots on one PostgreSQL on the same machine, so that they share its processors with the database. PostgreSQL
waits for the disk at every commit. The bots run without a gateway: they post to a fake Discord that answers at once,
and draw no pictures. Times are in milliseconds, the median and the 99th percentile, until a turn is stored and until
its board is posted. PostgreSQL counts statements and their time: from the move until the earlier board has lost its
controls, with the queries of the scheduler.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.figures import table
from tests.lifecycle.test_machine_shared import migrated
from tests.scale.queue import drained
from tests.scale.standing_in import standing_in
from tests.scale.turns import COUNTED, Figures, played
from tests.support.postgresql import running_server

PROCESSES = (1, 2, 4)
MATCHES = 25
"""Matches each process plays eight turns of, eight matches at once."""
PENDING, POSTED = 10_000, 1_000
"""Messages that are pending, and those of them that are posted to see how soon."""
KILLS = 3


def measure() -> list[str]:
    """Measure turns with several processes, how soon another bot stands in, and a long queue."""
    rows = []
    for number in PROCESSES:
        with running_server(**COUNTED) as url:
            asyncio.run(migrated(url))
            rows.append(row(f"{number}", played(url, number, MATCHES)))
    with running_server(**COUNTED) as url:
        rate, claim = asyncio.run(drained(url, PENDING, POSTED, datetime.now(UTC)))
    with TemporaryDirectory() as folder:
        seconds = asyncio.run(standing_in(Path(folder), KILLS))
    return [
        *table(HEADS, rows),
        "",
        f"With {PENDING:,} messages pending the next eight are claimed in {claim:.1f} ms (median). One bot sends "
        f"{rate:.0f} a second of them to a Discord that answers at once, so that what is stored last waits "
        f"{PENDING / rate:.0f} s.",
        "",
        "Seconds from the `kill -9` of a bot to the first answer of the one that stood by: "
        f"{', '.join(f'{one:.1f}' for one in seconds)}. Up to nine of them are the lease.",
    ]


HEADS = ("Processes", "turns a second", "stored", "", "posted", "", "statements a turn", "database, ms a turn")


def row(name: str, found: Figures) -> tuple[str, ...]:
    """Return a row of the table."""
    times = [f"{value:.1f}" for value in (*found.answered, *found.posted)]
    return (name, f"{found.rate:.1f}", *times, f"{found.statements:.1f}", f"{found.database:.2f}")
