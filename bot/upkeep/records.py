"""``export``: every match of a database as text."""

from __future__ import annotations

from pathlib import Path

from bot.matches.model import match_record
from bot.settings import Settings
from bot.storage import match_lists, matches
from bot.storage.database import sqlite_file
from bot.upkeep.errors import UpkeepError, files_of, opened


async def export(settings: Settings, directory: Path) -> int:
    """Write the text record of every match into a directory; return how many. Raises ``UpkeepError``."""
    file, count = sqlite_file(settings.database_url), 0
    if file is not None and not file.exists():
        raise UpkeepError(f"there is no database at {file}")
    with files_of(directory):
        directory.mkdir(parents=True, exist_ok=True)
        async with opened(settings.direct_url) as database, database.read() as tx:
            for match_id in await match_lists.every_id(tx):
                match = await matches.get(tx, match_id)
                if match is not None:
                    text = match_record.write(match, await matches.moves_of(tx, match_id))
                    (directory / f"{match.game}-{match.id}.txt").write_text(text, encoding="utf-8")
                    count += 1
    return count
