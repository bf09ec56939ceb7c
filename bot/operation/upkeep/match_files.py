"""``export`` and ``import``: matches as text files, one file per match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.compute.queue import ComputeQueue
from bot.matches.model import match_record
from bot.matches.model.match_record import RecordError
from bot.matches.service_context import ServiceContext
from bot.matches.services.archive import Archive
from bot.operation.upkeep.errors import UpkeepError, files_of, open_migrated
from bot.settings import Settings
from bot.storage import match_lists, matches
from bot.storage.database import Database, sqlite_file
from bot.storage.errors import explain_errors
from bot.storage.exclusive_use import Use


async def export_matches(settings: Settings, directory: Path) -> int:
    """Write the text record of every match into a directory; return how many. Raises ``UpkeepError``."""
    file, count = sqlite_file(settings.database_url), 0
    if file is not None and not file.exists():
        raise UpkeepError(f"there is no database at {file}")
    with files_of(directory):
        directory.mkdir(parents=True, exist_ok=True)
        async with open_migrated(settings.direct_url) as database, database.read() as tx:
            for match_id in await match_lists.every_id(tx):
                match = await matches.get(tx, match_id)
                if match is not None:
                    text = match_record.write(match, await matches.moves_of(tx, match_id))
                    (directory / f"{match.game}-{match.id}.txt").write_text(text, encoding="utf-8")
                    count += 1
    return count


async def import_matches(settings: Settings, files: Sequence[Path], report: Callable[[Path, int | str], None]) -> bool:
    """Store the matches of text records; return whether all were stored. Raises ``StorageError``.

    ``report`` is called after each file with the number of its match, or with the reason why it was not stored.
    """
    database, complete = Database(settings.database_url, settings.database_direct_url), True
    try:
        await database.open(Use.BESIDE)
        async with ComputeQueue() as queue:
            archive = Archive(ServiceContext(database, lambda: datetime.now(UTC), queue))
            for file in files:
                outcome: int | str
                try:
                    if file.exists() and not file.is_file() and not file.is_dir():
                        raise RecordError("is no file")
                    with file.open(encoding="utf-8-sig") as text:
                        record = match_record.read(text.read(match_record.LARGEST_RECORD + 1))
                    with explain_errors(database.url):
                        outcome = await archive.store(record)
                except UnicodeDecodeError:
                    outcome = "is not a text file"
                except (RecordError, OSError) as error:
                    outcome = str(getattr(error, "strerror", None) or error)
                complete &= isinstance(outcome, int)
                report(file, outcome)
    finally:
        await database.close()
    return complete
