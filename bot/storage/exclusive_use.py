"""Exclusive locks, for operations on a whole database and for the one bot of an SQLite database.

On PostgreSQL a process that registers needs the same lock, see ``bot.storage.registration``. An unfinished copy is
marked with the generation of the database it is copied from.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import suppress
from enum import Enum
from pathlib import Path
from secrets import randbits

from sqlalchemy import delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage.errors import ImpossibleSetting
from bot.storage.processes import Process, every, remove_expired
from bot.storage.tables import generation, processes, unfinished_copy

EXCLUSIVE_USE = 7_140_002
"""The number of the advisory lock for exclusive use on PostgreSQL."""
MOUNTS = Path("/proc/self/mountinfo")
"""The file in which Linux lists the mounted file systems."""


class Use(Enum):
    """A use of a database, which decides who else may use it. The value begins the lock's SQLite transaction."""

    ALONE = "EXCLUSIVE"
    """A copy or a replacement of the whole database: excludes every other use."""
    BOT = "IMMEDIATE"
    """The one bot of an SQLite database: excludes another bot."""
    BESIDE = "DEFERRED"
    """A command that changes something, beside a running bot or without one."""


def check_file(file: Path) -> None:
    """Raise ``ImpossibleSetting`` for a folder, for a file with several names, and for one that is mounted alone.

    SQLite keeps the newest changes in a file beside the name by which a database is opened, and so does the lock. So
    two names let two bots run, and each damages what the other stores. A container that is given the file without its
    folder loses the newest changes with the container.
    """
    if file.is_dir():
        raise ImpossibleSetting(
            f"The database {file} is a folder: name a file in DATABASE_URL, such as a new one in it."
        )
    if file.exists() and (names := file.stat().st_nlink) > 1:
        raise ImpossibleSetting(
            f"The database {file} has {names} names (hard links), and it is safe under one name only: "
            "delete the other links, or make copies of them."
        )
    if file.resolve() in _mount_points():
        raise ImpossibleSetting(
            f"The database {file} is mounted as a single file, and SQLite stores the newest changes in a file beside "
            "it: mount the folder that the database is in."
        )


def make_privately(file: Path) -> None:
    """Make the file of a database that its owner alone may read, if there is none: it holds the key that signs links.

    SQLite gives the files beside it the same mode, and says itself why a file cannot be made.
    """
    if not file.exists():
        with suppress(OSError):
            file.touch(mode=0o600)


def _mount_points() -> set[Path]:
    """Return every place at which something is mounted, as far as Linux tells this process; elsewhere none."""
    try:
        lines = MOUNTS.read_bytes().splitlines()
    except OSError:
        return set()
    # The fifth field, in which spaces, tabs, newlines and backslashes are three octal digits, see proc(5).
    places = [line.split(b" ")[4] for line in lines]
    return {Path(os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), each))) for each in places}


def lock_file(file: Path, use: Use) -> sqlite3.Connection | None:
    """Lock a file beside the database's own, which stays free for backups. Any end of the process unlocks it.

    Links are resolved first, so that bots that reach the file by different paths meet at one lock. Return the lock,
    held until it is closed; None if another use excludes this one.
    """
    kept = sqlite3.connect(f"{file.resolve()}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        kept.execute(f"BEGIN {use.value}")
        # BEGIN DEFERRED locks nothing until something is read.
        kept.execute("SELECT * FROM sqlite_master").fetchall()
    except sqlite3.OperationalError as error:
        kept.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return None
        raise
    return kept


async def lock_server(engine: AsyncEngine, use: Use) -> AsyncConnection | None:
    """Lock a PostgreSQL database for a use, until the returned connection is closed.

    Return None if another use excludes this one. The lock is held in one transaction, so it works through a pool, too.
    """
    lock = func.pg_try_advisory_xact_lock if use is Use.ALONE else func.pg_try_advisory_xact_lock_shared
    kept = await engine.connect()
    try:
        await kept.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        locked = (await kept.execute(select(lock(EXCLUSIVE_USE)))).scalar_one()
    except BaseException:
        await kept.close()
        raise
    if locked:
        return kept
    await kept.close()
    return None


async def running_on(tx: AsyncConnection) -> list[Process]:
    """Remove the registered processes that are dead, and return the others."""
    if not await tx.run_sync(lambda connection: connection.dialect.has_table(connection, processes.name)):
        return []
    await remove_expired(tx)
    return await every(tx)


async def is_locked(tx: AsyncConnection) -> bool:
    """Return whether PostgreSQL holds the lock for exclusive use; if not, it stays free during this transaction."""
    shared = select(func.pg_try_advisory_xact_lock_shared(EXCLUSIVE_USE))
    return not (await tx.execute(shared)).scalar_one()


async def own_generation(tx: AsyncConnection) -> int:
    """Return the number that tells this database from those it was copied from."""
    return int((await tx.execute(select(generation.c.value))).scalar_one())


async def copied_from(tx: AsyncConnection) -> int | None:
    """Return the generation of the database that this one is being copied from, None for a whole one."""
    return (await tx.execute(select(unfinished_copy.c.source))).scalar_one_or_none()


async def begin_copy(tx: AsyncConnection, source: int) -> None:
    """Mark this database as an unfinished copy of another one."""
    await tx.execute(delete(unfinished_copy))
    await tx.execute(insert(unfinished_copy).values(source=source))


async def finish_copy(tx: AsyncConnection) -> None:
    """Mark this database as whole, and give its messages another generation than the original's."""
    await tx.execute(delete(unfinished_copy))
    await tx.execute(update(generation).values(value=randbits(62)))
