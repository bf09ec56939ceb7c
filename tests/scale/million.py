"""``python -m tests.scale.million``: a turn where a million matches go on, beside the same turn where a thousand do.

Fills a PostgreSQL of its own, which is gone afterwards, and writes what it has measured to ``docs/figures/million.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import func, select

import tests.conftest  # noqa: F401 - every game of the tests is known
from bot.storage.database import Database
from tests.figures import Section, sections, table
from tests.figures.scale import HEADS, row
from tests.scale.turns import COUNTED, Figures, one_by_one
from tests.support.crowds.full_server import copy_block, fill_block
from tests.support.postgresql import running_server

FEW, MANY = 1_000, 1_000_000
BLOCK = 500
"""Matches that go on in a block; as many again are over."""
TURNS = 200
WIDTH = 40
SPARE = 4 * 10**9
"""Bytes that are to be free beside what is filled: for what is written ahead, and for others."""
SETTINGS = COUNTED | {"max_wal_size": "2GB", "shared_buffers": "512MB"}


class TooLittleSpace(Exception):
    """The disk has no room for so many matches. The message says how much is needed."""


def measured(many: int) -> list[str]:
    """Return the lines of the section, with so many matches that go on. Raises ``TooLittleSpace``."""
    found = [(number, *_measured(number)) for number in (FEW, many)]
    rows = [row(f"{number:,}", figures) for number, figures, _ in found]
    size = found[-1][2]
    return [
        *table(("Matches that go on", *HEADS[1:]), rows),
        "",
        f"As many again are over. The database with {many:,} of each takes {size / 1e9:.1f} GB. "
        "`python -m tests.scale.million --matches 1000000` fills in more.",
    ]


def _measured(number: int) -> tuple[Figures, int]:
    with running_server(**SETTINGS) as url:
        size = asyncio.run(_filled(url, max(1, number // BLOCK)))
        return asyncio.run(one_by_one(url, TURNS)), size


async def _filled(url: str, blocks: int) -> int:
    """Fill a database with so many blocks; return how many bytes it takes. Raises ``TooLittleSpace``."""
    database = Database(url)
    try:
        empty = await _size(database)
        await fill_block(database, running=BLOCK, finished=BLOCK, now=datetime.now(UTC))
        needed, free = (await _size(database) - empty) * blocks, shutil.disk_usage(tempfile.gettempdir()).free
        told = f"{blocks * BLOCK:,} matches that go on and as many that are over take {needed / 1e9:.1f} GB"
        print(f"{told}; {free / 1e9:.1f} GB are free in {tempfile.gettempdir()}.", file=sys.stderr, flush=True)
        if needed + SPARE > free:
            raise TooLittleSpace(f"{told}, and {SPARE / 1e9:.0f} GB are to be left: free some, or set TMPDIR.")
        await copy_block(database, blocks - 1, _bar(blocks - 1))
        return await _size(database)
    finally:
        await database.close()


async def _size(database: Database) -> int:
    async with database.engine.connect() as tx:
        return int((await tx.execute(select(func.pg_database_size(func.current_database())))).scalar_one())


def _bar(copies: int) -> Callable[[int], None]:
    def show(copy: int) -> None:
        print(f"\r[{'#' * (WIDTH * copy // copies):<{WIDTH}}] {copy} of {copies} ", end="", file=sys.stderr, flush=True)
        if copy == copies:
            print(file=sys.stderr)

    return show


def main() -> int:
    """Measure, and write the section."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.scale.million", description="A turn among a million matches."
    )
    parser.add_argument("--matches", type=int, default=MANY, help=f"how many go on; {MANY:,} if it is left out")
    chosen = parser.parse_args()
    section: Section = sections()["million"]
    try:
        lines = measured(chosen.matches)
    except TooLittleSpace as error:
        print(error, file=sys.stderr)
        return 1
    print(section.write(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
