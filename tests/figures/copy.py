"""Copying a database

The command `copy` with 10,000 matches, nine in ten of them finished: from an SQLite file to PostgreSQL on the same
machine, and back. In that time every row is stored, read again and compared, and every running match is replayed.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.operation.upkeep import Copied, copy
from tests.figures import table
from tests.support.crowds.filling import fill, servers
from tests.support.postgresql import new_database, running_server
from tests.support.unseen import Unseen

MATCHES = 10_000


def measure() -> list[str]:
    """Copy there and back again."""
    with TemporaryDirectory() as folder, running_server() as server:
        first, back = Path(folder, "first.db"), Path(folder, "back.db")
        fill(first, servers(20, 100), running=MATCHES // 10, finished=MATCHES * 9 // 10, now=datetime.now(UTC))
        elsewhere = new_database(server, "elsewhere")
        rows = [_copied(*way) for way in ((str(first), elsewhere), (elsewhere, str(back)))]
    return table(("From", "rows", "seconds", "rows a second"), rows)


def _copied(source: str, target: str) -> tuple[object, ...]:
    begun = time.perf_counter()
    done: Copied = asyncio.run(copy(source, target, Unseen()))
    seconds = time.perf_counter() - begun
    ways = "PostgreSQL to SQLite" if "://" in source else "SQLite to PostgreSQL"
    return ways, f"{done.rows:,}", f"{seconds:.0f}", f"{done.rows / seconds:,.0f}"
