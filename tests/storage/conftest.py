"""A database file that is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.storage.database import Database


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a database file that does not exist yet, in a folder that does not either."""
    return f"sqlite+aiosqlite:///{tmp_path / 'data' / 'tavoliere.db'}"


@pytest_asyncio.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """An open database."""
    opened = Database(url)
    try:
        await opened.open()
        yield opened
    finally:
        await opened.close()
