"""Backups of SQLite files, and restoring them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from secrets import randbits

from sqlalchemy import URL

from bot.operation.upkeep.errors import UpkeepError, files_of, given, opened
from bot.storage.database import sqlite_file
from bot.storage.errors import reason


async def backup(url: str, target: Path) -> int:
    """Copy the database while it is in use and prove the copy; return its size in bytes. Raises ``UpkeepError``.

    The copy is checked page by page and opened as a bot opens it before it gets its name. Whether its matches are in
    order is for ``check`` to say: where they are not, a backup is wanted all the more.
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
    async with _to_ourselves(url), _proven_copy(source, target) as copy:
        _renew_generation(copy)
        if not target.exists():
            _remove(target)  # a journal may have outlived its database, and would be taken for the new one's
            copy.replace(target)
            return None
        kept = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        _keep_previous(target, kept)
        # Into the file rather than over it: what an earlier bot may have left in the journal beside it is seen to.
        _copy(copy, target)
        return kept


def _file(url: str) -> Path:
    file = sqlite_file(url)
    if file is None:
        raise UpkeepError("the database is in memory only")
    # What a link leads to is copied and replaced; the link stays a link.
    return file.resolve() if file.is_symlink() else file


@asynccontextmanager
async def _proven_copy(source: Path, target: Path) -> AsyncIterator[Path]:
    """Give a copy of a database that is whole, beside ``target``; it is gone at the end unless it was moved."""
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
    """Remove a database and its journals, if they are there; an earlier attempt may have been killed."""
    for part in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + part).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a database that may be in use, by SQLite's own online backup: in one step, so that no writer delays it."""
    try:
        with closing(_connected(source)) as one, closing(_connected(target)) as other:
            one.backup(other)
    except sqlite3.Error as error:
        raise UpkeepError(f"{source} cannot be copied to {target}: it {reason(error)}") from error


def _renew_generation(file: Path) -> None:
    """Have a restored database tell its messages from those sent since it was copied."""
    with closing(_connected(file)) as connection, connection:
        connection.execute("UPDATE generation SET value = ?", (randbits(62),))


def _connected(file: Path) -> sqlite3.Connection:
    """Open a file by its whole path: SQLite would take a name that begins with ``file:`` for an address."""
    return sqlite3.connect(file.absolute())


def _keep_previous(file: Path, kept: Path) -> None:
    """Keep a database under another name: a copy, or where it cannot be read any more the files as they are."""
    try:
        _copy(file, kept)
    except UpkeepError:
        for part in ("-wal", "-shm", ""):
            if (old := file.with_name(file.name + part)).exists():
                old.replace(kept.with_name(kept.name + part))


async def _prove(copy: Path, source: Path) -> None:
    """Look at a copy page by page and open it as a bot does. Raises ``UpkeepError`` naming its ``source``."""
    try:
        with closing(_connected(copy)) as connection:
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
    # Not as text: in an address a question mark or a per cent sign of the name would mean something else.
    async with opened(URL.create("sqlite+aiosqlite", database=str(copy.absolute()))):
        pass


@asynccontextmanager
async def _to_ourselves(url: str) -> AsyncIterator[None]:
    """Keep bots off the database. Raises ``UpkeepError`` when one is there."""
    file = _file(url)
    with files_of(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    async with given(url) as database:
        await database.occupy()
        yield
