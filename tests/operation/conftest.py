"""A loopback Discord, and bots on it that are ended when the test is."""

from __future__ import annotations

import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.matches.conftest import Crowd, crowd_on
from tests.support.ports import free_port
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import Running, run_bot

Start = Callable[..., Awaitable[Running]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the database of a bot started in ``tmp_path``."""
    return tmp_path / "data" / "tavoliere.db"


@pytest.fixture
def port() -> int:
    """A port where no server is yet."""
    return free_port()


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[Loopback]:
    """A Discord on the loopback interface."""
    loopback = Loopback()
    await loopback.open()
    yield loopback
    await loopback.close()


@pytest_asyncio.fixture
async def start(discord: Loopback, tmp_path: Path) -> AsyncIterator[Start]:
    """Start a bot with these settings; several can be."""
    started: list[Running] = []

    async def begin(**settings: Any) -> Running:
        started.append(await run_bot(tmp_path, discord, **settings))
        return started[-1]

    yield begin
    for running in started:
        await running.end(signal.SIGKILL)


@pytest_asyncio.fixture
async def crowd(file: Path, empty_database: Path) -> AsyncIterator[Crowd]:
    """The services on the database that a bot started in ``tmp_path`` uses."""
    file.parent.mkdir()
    async with crowd_on(Path(shutil.copy(empty_database, file))) as one:
        yield one
