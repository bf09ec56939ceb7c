"""An open database file, and two processes that share a PostgreSQL database."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from bot.compute.queue import ComputeQueue
from bot.storage.database import Database
from tests.matches.conftest import Crowd, crowd_at
from tests.storage.member import Member


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a database file that does not exist yet, in a folder that does not either."""
    return f"sqlite+aiosqlite:///{tmp_path / 'data' / 'tavoliere.db'}"


@pytest_asyncio.fixture
async def database(url: str, tmp_path: Path, empty_database: Path) -> AsyncIterator[Database]:
    """An open database."""
    (tmp_path / "data").mkdir()
    shutil.copy(empty_database, tmp_path / "data" / "tavoliere.db")
    opened = Database(url)
    try:
        await opened.open()
        yield opened
    finally:
        await opened.close()


@pytest.fixture
def lease() -> timedelta:
    """The length of a lease: longer than any pause of a busy machine."""
    return timedelta(minutes=10)


@pytest_asyncio.fixture
async def two(server: str, lease: timedelta) -> AsyncIterator[tuple[Member, Member]]:
    """Two processes that share a database."""
    sent: list[tuple[str, int]] = []
    members = [Member(Database(server), sent, lease=lease) for _ in range(2)]
    try:
        for member in members:
            await member.database.open()
            await member.registration.open()
        yield members[0], members[1]
    finally:
        for member in members:
            await member.registration.close()
            await member.database.close()


@pytest_asyncio.fixture
async def crowd(server: str) -> AsyncIterator[Crowd]:
    """The services on an empty PostgreSQL database."""
    async with crowd_at(server, new=False) as one:
        yield one


@pytest_asyncio.fixture
async def crowds(two: tuple[Member, Member]) -> AsyncIterator[tuple[Crowd, Crowd]]:
    """The services in each of two processes that share a database."""
    async with ComputeQueue() as queue:
        one, other = (Crowd(member.database, queue) for member in two)
        yield one, other
