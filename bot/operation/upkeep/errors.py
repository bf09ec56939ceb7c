"""The error of upkeep, and blocks that turn other errors into it. Its messages are for the operator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sqlalchemy import URL

from bot.storage.database import Database
from bot.storage.errors import StorageError, explain_errors


class UpkeepError(Exception):
    """The work cannot be done. The message tells the operator why."""


@contextmanager
def upkept() -> Iterator[None]:
    """Turn ``StorageError`` into ``UpkeepError``."""
    try:
        yield
    except StorageError as error:
        raise UpkeepError(str(error).rstrip(".")) from error


@contextmanager
def files_of(place: Path) -> Iterator[None]:
    """Turn errors with files at a place into ``UpkeepError``."""
    try:
        yield
    except OSError as error:
        raise UpkeepError(f"{error.filename or place} cannot be written: {error.strerror}") from error


@asynccontextmanager
async def open_migrated(url: str | URL) -> AsyncIterator[Database]:
    """Open a database and migrate it to this version. Raises ``UpkeepError``."""
    async with open_as_is(url) as database:
        await database.open()
        with explain_errors(database.url):
            yield database


@asynccontextmanager
async def open_as_is(url: str | URL) -> AsyncIterator[Database]:
    """Give a database as it is, without migrations, and close it afterwards. Raises ``UpkeepError``."""
    database = None
    try:
        with upkept():
            database = Database(url)
            yield database
    finally:
        if database is not None:
            await database.close()
