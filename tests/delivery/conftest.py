"""A dispatcher on a real database file."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from bot.storage.database import Database
from tests.delivery.dispatcher_harness import DispatcherHarness


@pytest_asyncio.fixture
async def harness(tmp_path: Path, empty_database: Path) -> AsyncIterator[DispatcherHarness]:
    database = Database(f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}")
    try:
        yield DispatcherHarness(database)
    finally:
        await database.close()
