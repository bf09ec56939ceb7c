"""A loopback Discord, and bots on it that are ended when the test is."""

from __future__ import annotations

import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.cluster import gateway
from bot.operation.upkeep import copy
from bot.storage import registration
from tests.matches.conftest import Crowd, crowd_on
from tests.support.crowds.filling import fill, servers
from tests.support.ports import free_port
from tests.support.postgresql import in_own_loop, new_database
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import Running, run_bot
from tests.support.unseen import Unseen

Start = Callable[..., Awaitable[Running]]
QUICK = timedelta(seconds=6)
"""A lease that tests can wait for; on a busy machine a process may stand still for seconds."""


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


def impatient() -> None:
    """Have a process taken for dead, and a spare ask Discord, after a moment instead of what it takes in earnest."""
    registration.LEASE = QUICK
    gateway.SPARE_ASKS_EVERY = 1.0


@pytest.fixture
def bots(start: Start, server: str) -> Start:
    """Start a bot on the one PostgreSQL database; several share it."""
    return partial(start, bound=impatient, database_url=server)


async def standing_by(starting: Awaitable[Running]) -> Running:
    """Wait until a bot that starts has found that another one is active."""
    running = await starting
    await running.logged("standing by: another bot is active")
    return running


@pytest_asyncio.fixture
async def crowd(file: Path, empty_database: Path) -> AsyncIterator[Crowd]:
    """The services on the database that a bot started in ``tmp_path`` uses."""
    file.parent.mkdir()
    async with crowd_on(Path(shutil.copy(empty_database, file))) as one:
        yield one


@pytest.fixture(scope="module")
def some_servers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with some servers, to be copied."""
    file = tmp_path_factory.mktemp("stock") / "stock.db"
    fill(file, servers(2, 10), running=6, finished=6, now=datetime.now(UTC))
    return file


@pytest.fixture(scope="module")
def some_servers_on_postgresql(shared_server: str, some_servers: Path) -> str:
    """The name of a database with the same in it, to be copied."""
    there = new_database(shared_server, "stock")

    async def fill_it() -> None:
        await copy(str(some_servers), there, Unseen())

    in_own_loop(fill_it)
    return "stock"
