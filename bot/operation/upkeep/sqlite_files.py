"""Backups of SQLite files, and restoring them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from secrets import randbits

from sqlalchemy import URL

from bot.operation.upkeep.errors import UpkeepError, files_of, open_as_is, open_migrated
from bot.storage.database import sqlite_file
from bot.storage.errors import reason
from bot.storage.exclusive_use import make_privately


async def backup(url: str, target: Path) -> int:
    """Copy the database while it is in use and prove the copy; return its size in bytes. Raises ``UpkeepError``.

    The copy is checked page by page and opened as a bot opens it before it gets its name. ``check`` checks the matches:
    a database with broken matches needs a backup all the more.
    """
    source = _file(url)
    if not source.exists():
        raise UpkeepError(f"there is no database at {source}")
    if target.exists():
        raise UpkeepError(f"{target} exists already; name another file")
    async with _proven_copy(source, target) as copy:
        copy.replace(target)
    return target.stat().st_size


async def restore(url: str, source: Path) -> Path | None:
    """Put a proven backup in the database's place; return where the previous one is kept, if there was one.

    Raises ``UpkeepError`` while a bot runs on the database, or when the backup is damaged; the backup itself is only
    read.
    """
    target = _file(url)
    if not source.exists():
        raise UpkeepError(f"there is no backup at {source}")
    if source.is_dir():
        raise UpkeepError(f"{source} is a folder; name a file that `backup` wrote")
    async with _to_ourselves(url), _proven_copy(source, target) as copy:
        # A new generation tells the restored database's messages from those sent since the copy.
        with closing(_connect(copy)) as connection, connection:
            connection.execute("UPDATE generation SET value = ?", (randbits(62),))
        if not target.exists():
            _remove(target)  # SQLite would apply a journal of the previous database to the new one
            copy.replace(target)
            return None
        kept = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        try:  # as a copy, or as its files if it cannot be read
            _copy(target, kept)
        except UpkeepError:
            for part in ("-wal", "-shm", ""):
                if (old := target.with_name(target.name + part)).exists():
                    old.replace(kept.with_name(kept.name + part))
        # Copy into the file, do not replace it: SQLite then deals with the journal that an earlier bot left beside it.
        _copy(copy, target)
        return kept


def _file(url: str) -> Path:
    file = sqlite_file(url)
    if file is None:
        raise UpkeepError("the database is in memory only")
    # Copy and replace the file that a link leads to; the link stays a link.
    return file.resolve() if file.is_symlink() else file


@asynccontextmanager
async def _proven_copy(source: Path, target: Path) -> AsyncIterator[Path]:
    """Give a proven copy of a database beside ``target``. The copy is removed at the end unless it was moved."""
    copy = target.with_name(f"{target.name}.unproven")
    with files_of(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove(copy)
    try:
        _copy(source, copy)
        await _prove(copy, source)
        yield copy
    finally:
        _remove(copy)


def _remove(file: Path) -> None:
    """Remove a database and its journals, if they exist: an earlier attempt may have been killed."""
    for part in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + part).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a database that may be in use by SQLite's online backup, in one step so that no writer delays it."""
    try:
        make_privately(target)
        with closing(_connect(source)) as from_file, closing(_connect(target)) as to_file:
            from_file.backup(to_file)
    except sqlite3.Error as error:
        raise UpkeepError(f"{source} cannot be copied to {target}: it {reason(error)}") from error


def _connect(file: Path) -> sqlite3.Connection:
    """Open a file by its whole path: SQLite would take a name that begins with ``file:`` for an address."""
    return sqlite3.connect(file.absolute())


async def _prove(copy: Path, source: Path) -> None:
    """Look at a copy page by page and open it as a bot does. Raises ``UpkeepError`` naming its ``source``."""
    try:
        with closing(_connect(copy)) as connection:
            verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
            astray = connection.execute("PRAGMA foreign_key_check").fetchone()
            ours = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    except sqlite3.Error as error:
        raise UpkeepError(f"{source} {reason(error)}") from error
    if verdict != "ok":
        raise UpkeepError(f"{source} is damaged: {verdict.splitlines()[-1]}")
    if ours is None:
        raise UpkeepError(f"{source} is not a database of Tavoliere")
    if astray is not None:
        raise UpkeepError(f"{source} is damaged: a row of {astray[0]} belongs to one of {astray[2]} that is not there")
    # Not as text: a question mark or per cent sign in the name would have a meaning in a URL.
    async with open_migrated(URL.create("sqlite+aiosqlite", database=str(copy.absolute()))):
        pass


@asynccontextmanager
async def _to_ourselves(url: str) -> AsyncIterator[None]:
    """Lock all bots out of the database. Raises ``UpkeepError`` if one uses it."""
    file = _file(url)
    with files_of(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    async with open_as_is(url) as database:
        await database.lock()
        yield
