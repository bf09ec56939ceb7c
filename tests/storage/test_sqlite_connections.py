"""What connections to SQLite use of aiosqlite that is not public. Each release may change it."""

from __future__ import annotations

import sqlite3
import threading
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import aiosqlite
import pytest_asyncio

from bot.storage import sqlite_connections

ROOT = Path(__file__).parents[2]


@pytest_asyncio.fixture
async def connection() -> AsyncIterator[aiosqlite.Connection]:
    async with aiosqlite.connect(":memory:") as opened:
        yield opened


async def test_private_attributes_do_what_cursors_need(connection: aiosqlite.Connection) -> None:
    assert isinstance(connection._conn, sqlite3.Connection)
    assert await connection._execute(threading.get_ident) == connection._thread.ident  # type: ignore[no-untyped-call]


async def test_a_connection_that_is_not_closed_keeps_no_process_alive() -> None:
    async with sqlite_connections.connect(":memory:"):
        threads = [thread for thread in threading.enumerate() if "_connection_worker_thread" in thread.name]
        assert threads
        assert all(thread.daemon for thread in threads)


def test_only_releases_that_were_tried_are_installed() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [one for one in wanted if one.startswith("aiosqlite")] == ["aiosqlite>=0.22,<0.23"]
