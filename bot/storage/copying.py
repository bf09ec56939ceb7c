"""Reads, writes and compares the rows of a whole database, page by page in the order of their keys.

SQLite and PostgreSQL have the same order, so the last row of a copy tells how far it has come.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Row,
    Select,
    Table,
    Text,
    TypeDecorator,
    func,
    insert,
    literal,
    null,
    select,
    text,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

from bot.storage import tables
from bot.storage.database import Database
from bot.storage.errors import explain_errors
from bot.storage.tables import metadata

PAGE = 2000
"""Rows that are read, written and committed together."""

_ITS_OWN = {tables.generation, tables.unfinished_copy}
"""Tables with rows that belong to one database and are never copied."""
_PROCESSES = {tables.processes}
"""The table of running processes: a database that is copied has none."""
COPIED = [table for table in metadata.sorted_tables if table not in _ITS_OWN | _PROCESSES]
"""The tables to copy, each after those it refers to."""
NUMBERED = [table for table in metadata.sorted_tables if table.autoincrement_column is not None]
"""The tables whose rows get numbers, which are never given out twice."""


@asynccontextmanager
async def reading(database: Database) -> AsyncIterator[AsyncConnection]:
    """Give a connection as ``Database.read`` does. Raises ``StorageError``, which says of which database it is."""
    with explain_errors(database.url):
        async with database.read() as tx:
            yield tx


@asynccontextmanager
async def writing(database: Database) -> AsyncIterator[AsyncConnection]:
    """Give a connection as ``Database.write`` does. Raises ``StorageError``, which says of which database it is."""
    with explain_errors(database.url):
        async with database.write() as tx:
            yield tx


async def count(database: Database, table: Table) -> int:
    async with reading(database) as tx:
        return int((await tx.execute(select(func.count()).select_from(table))).scalar_one())


async def first_filled(database: Database) -> Table | None:
    """Return the name of a table with rows that an unused database lacks, or None."""
    async with reading(database) as tx:
        for table in (*COPIED, *_PROCESSES):
            if (await tx.execute(select(literal(1)).select_from(table).limit(1))).first() is not None:
                return table
    return None


async def pages(
    database: Database, table: Table, after: Sequence[Any] | None = None, more: Sequence[ColumnElement[Any]] = ()
) -> AsyncIterator[list[Row[Any]]]:
    """Yield the rows of a table whose keys come after one, at most ``PAGE`` at a time. The last page is not full.

    Each row has the columns of the table, then those of ``more``.
    """
    while True:
        async with reading(database) as tx:
            rows = list(await tx.execute(_page(database, table, after).add_columns(*more)))
        yield rows
        if len(rows) < PAGE:
            return
        after = [rows[-1]._mapping[column] for column in table.primary_key.columns]


async def last_key(database: Database, table: Table) -> Sequence[Any] | None:
    backwards = [column.desc() for column in _ordered(database, table)]
    async with reading(database) as tx:
        row = (await tx.execute(select(*table.primary_key.columns).order_by(*backwards).limit(1))).one_or_none()
    return None if row is None else tuple(row)


async def add(tx: AsyncConnection, table: Table, rows: Sequence[Row[Any]]) -> None:
    """Store rows of another database."""
    if rows:
        await tx.execute(insert(table), [dict(row._mapping) for row in rows])


async def empty(tx: AsyncConnection) -> None:
    """Delete every row of the copied tables."""
    for table in reversed(COPIED):
        await tx.execute(table.delete())


async def same_rows(source: Database, target: Database, table: Table) -> AsyncIterator[int | None]:
    """Compare a table in two databases; yield the number of equal rows, page by page.

    Yield None at the first difference, and stop. NULL differs from JSON's null, though both are read as None.
    """
    absent = [column.is_(null()) for column in table.columns if column.nullable and _is_json(column.type)]
    theirs = pages(target, table, more=absent)
    async for rows in pages(source, table, more=absent):
        if rows != await anext(theirs, None):
            yield None
            return
        yield len(rows)


def _is_json(kind: TypeEngine[Any]) -> bool:
    return isinstance(kind.impl_instance if isinstance(kind, TypeDecorator) else kind, JSON)


def _page(database: Database, table: Table, after: Sequence[Any] | None) -> Select[Any]:
    keys = _ordered(database, table)
    query = select(table).order_by(*keys).limit(PAGE)
    if after is None:
        return query
    values = [literal(value, column.type) for value, column in zip(after, table.primary_key.columns, strict=True)]
    # The first part said once more by itself: an index answers that, whatever the order of texts in it.
    return query.where(keys[0] >= values[0], tuple_(*keys) > tuple_(*values))


def _ordered(database: Database, table: Table) -> list[ColumnElement[Any]]:
    """Return the key columns of a table; texts sort by bytes, whatever the server's collation."""
    by_bytes = not database.sqlite
    columns = table.primary_key.columns
    return [column.collate("C") if by_bytes and isinstance(column.type, Text) else column for column in columns]


async def last_number(tx: AsyncConnection, table: Table) -> int:
    """Return the last number given to a row of a table, even if that row is gone; 0 before the first."""
    if tx.dialect.name == "postgresql":
        return await _last_of(tx, await _sequence(tx, table))
    assert table.autoincrement_column is not None
    highest = select(func.max(table.autoincrement_column))
    given = text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}
    return max((await tx.execute(highest)).scalar_one() or 0, (await tx.execute(*given)).scalar_one_or_none() or 0)


async def set_last_number(tx: AsyncConnection, table: Table, number: int) -> None:
    """Have the next row of a table get the number after this one."""
    if tx.dialect.name == "postgresql":
        await _set_last_of(tx, await _sequence(tx, table), number)
    elif table.dialect_options["sqlite"]["autoincrement"]:
        named = {"name": table.name, "number": number}
        await tx.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), named)
        await tx.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)"), named)


async def last_finish(tx: AsyncConnection) -> int:
    """Return the last finish number; matches get these numbers in the order in which they end."""
    if tx.dialect.name == "postgresql":
        return await _last_of(tx, tables.finish_numbers.name)
    return (await tx.execute(select(func.max(tables.matches.c.finish)))).scalar_one() or 0


async def set_last_finish(tx: AsyncConnection, number: int) -> None:
    """Have the next match that ends get the finish number after this one. SQLite derives it from the matches."""
    if tx.dialect.name == "postgresql":
        await _set_last_of(tx, tables.finish_numbers.name, number)


async def _sequence(tx: AsyncConnection, table: Table) -> str:
    assert table.autoincrement_column is not None
    named = func.pg_get_serial_sequence(table.name, table.autoincrement_column.name)
    return str((await tx.execute(select(named))).scalar_one())


async def _last_of(tx: AsyncConnection, sequence: str) -> int:
    row = (await tx.execute(text(f"SELECT last_value, is_called FROM {sequence}"))).one()
    return int(row.last_value) if row.is_called else int(row.last_value) - 1


async def _set_last_of(tx: AsyncConnection, sequence: str, number: int) -> None:
    await tx.execute(select(func.setval(sequence, max(number, 1), number > 0)))
