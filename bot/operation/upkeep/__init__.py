"""Looking after a database: backups while the bot runs, restoring one, moving to another database, matches as text."""

from __future__ import annotations

from pathlib import Path

from bot.operation.upkeep import postgresql_archives, sqlite_files
from bot.operation.upkeep.copying import Copied as Copied
from bot.operation.upkeep.copying import copy as copy
from bot.operation.upkeep.errors import UpkeepError as UpkeepError
from bot.operation.upkeep.match_files import export_matches as export_matches
from bot.operation.upkeep.match_files import import_matches as import_matches
from bot.settings import Settings
from bot.storage.database import in_sqlite


async def backup(settings: Settings, target: Path) -> int:
    """Copy the database while it is in use and prove the copy; return its size in bytes. Raises ``UpkeepError``.

    ``target`` must not exist. It appears only when the copy is whole.
    """
    if in_sqlite(settings.database_url):
        return await sqlite_files.backup(settings.database_url, target)
    return await postgresql_archives.backup(settings.direct_url, target)


async def restore(settings: Settings, source: Path) -> Path | None:
    """Put a proven backup in the database's place; return where the previous one is kept, if there was one.

    Raises ``UpkeepError`` while a bot runs on the database, or when the backup is damaged. The backup is only read.
    """
    if in_sqlite(settings.database_url):
        return await sqlite_files.restore(settings.database_url, source)
    return await postgresql_archives.restore(settings.direct_url, source)
