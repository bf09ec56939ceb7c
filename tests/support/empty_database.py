"""A database file as the migrations leave it, made once: copying it is ten times as quick as migrating."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.storage.database import Database


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with every table and nothing in it, to be copied."""
    file = tmp_path_factory.mktemp("empty") / "tavoliere.db"

    async def create() -> None:
        database = Database(f"sqlite+aiosqlite:///{file}")
        await database.open()
        await database.close()

    asyncio.run(create())
    return file
