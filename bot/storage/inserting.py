"""Inserts that know what to do where the row is there already, in the words of each database."""

from __future__ import annotations

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def inserting(tx: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert into a table with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    return postgresql.insert(table) if tx.dialect.name == "postgresql" else sqlite.insert(table)
