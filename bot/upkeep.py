"""Looking after the database file: a backup while the bot runs, restoring one, and every match as text."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.matches import record
from bot.matches.audit import audit
from bot.settings import Settings
from bot.storage.database import Database
from bot.storage.queries import guilds, matches

ALIVE_FOR = 3
"""Heartbeats after which a bot that is silent is taken for stopped."""


class UpkeepError(Exception):
    """It cannot be done. The message says why, to the operator."""


async def backup(settings: Settings, target: Path) -> int:
    """Copy the database while it is in use and prove the copy; return its size in bytes. Raises ``UpkeepError``.

    The copy is opened, checked page by page and compared with the moves of every match before it gets its name.
    """
    source = _file(settings)
    if not source.exists():
        raise UpkeepError(f"there is no database at {source}")
    if target.exists():
        raise UpkeepError(f"{target} exists already; name another file")
    target.parent.mkdir(parents=True, exist_ok=True)
    unproven = target.with_name(f"{target.name}.unproven")
    unproven.unlink(missing_ok=True)
    try:
        _copy(source, unproven)
        await _prove(unproven)
        unproven.replace(target)
    finally:
        unproven.unlink(missing_ok=True)
    return target.stat().st_size


async def restore(settings: Settings, source: Path) -> Path | None:
    """Put a proven backup in the database's place; return where the database of before is kept, if there was one.

    Raises ``UpkeepError`` while a bot is alive on the database, or when the backup is not in order.
    """
    target = _file(settings)
    if not source.exists():
        raise UpkeepError(f"there is no backup at {source}")
    await _prove(source)
    kept = None
    if target.exists():
        await _check_stopped(settings)
        kept = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        _copy(target, kept)
    target.parent.mkdir(parents=True, exist_ok=True)
    _copy(source, target)
    return kept


async def export(settings: Settings, directory: Path) -> int:
    """Write the text record of every match into a directory; return how many. Raises ``UpkeepError``."""
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    async with _opened(settings.database_url) as database, database.read() as tx:
        for match_id in await matches.every_id(tx):
            match = await matches.get(tx, match_id)
            if match is not None:
                text = record.write(match, await matches.moves_of(tx, match_id))
                (directory / f"{match.game}-{match.id}.txt").write_text(text, encoding="utf-8")
                count += 1
    return count


def _file(settings: Settings) -> Path:
    database = Database(settings.database_url)
    if not database.sqlite or database.url.database in (None, "", ":memory:"):
        raise UpkeepError("this is for SQLite files; for PostgreSQL use pg_dump and pg_restore")
    return Path(str(database.url.database))


def _copy(source: Path, target: Path) -> None:
    """Copy a database that may be in use, by SQLite's own online backup."""
    try:
        with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
            one.backup(other, pages=256)
    except sqlite3.Error as error:
        raise UpkeepError(f"{source} cannot be copied to {target}: {error}") from error


async def _prove(file: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise UpkeepError(f"{file} is no database: {error}") from error
    if verdict != "ok":
        raise UpkeepError(f"{file} is damaged: {verdict}")
    async with _opened(f"sqlite+aiosqlite:///{file}") as database:
        problems = await audit(database)
    if problems:
        raise UpkeepError(f"{file} is not in order: {problems[0]}")


async def _check_stopped(settings: Settings) -> None:
    async with _opened(settings.database_url) as database, database.read() as tx:
        last = await guilds.last_heartbeat(tx)
    if last is not None and datetime.now(UTC) - last < timedelta(seconds=ALIVE_FOR * settings.heartbeat):
        raise UpkeepError("a bot is running on this database, or was a moment ago; stop it, wait and try again")


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    try:
        await database.open()
        yield database
    finally:
        await database.close()
