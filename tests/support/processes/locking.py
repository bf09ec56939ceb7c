"""Another program that holds a database, and bots that do not wait long for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import bot.storage.engines

HELD = "is held by another program and was not let go in time."


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keep all others from writing to a database."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def impatient() -> None:
    """Let this process wait only shortly for a locked database."""
    bot.storage.engines.BUSY_SECONDS = 0.1
