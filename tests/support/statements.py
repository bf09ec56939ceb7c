"""Collects the statements that a database executes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from bot.storage.database import Database


@contextmanager
def statements_of(database: Database) -> Iterator[list[str]]:
    """Collect the statements executed while the block runs, in order, the beginnings of transactions included."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        statements.append(statement)

    def begin(connection: Any) -> None:
        if database.sqlite:
            statements.append("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    event.listen(engine, "begin", begin)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)
        event.remove(engine, "begin", begin)
