"""Puts many rows into a table at once. On PostgreSQL it uses ``COPY``, and copies rows under other numbers, so that
even a very full database takes only minutes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import JSON, Connection, Table, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import tables
from bot.storage.tables.columns import Tuple

Row = dict[str, Any]

_APART = 10**12
"""How far the ids Discord has given are apart from one copy to the next; there are fewer in a copy."""
_OF_DISCORD = (
    "guild_id",
    "channel_id",
    "thread_id",
    "board_channel_id",
    "board_message_id",
    "message_id",
    "user_id",
    "blocked_id",
    "challenger_id",
    "opponent_id",
)
_COPIED = (
    tables.matches,
    tables.seats,
    tables.moves,
    tables.challenges,
    tables.challenge_players,
    tables.people,
    tables.absences,
    tables.blocks,
    tables.guilds,
    tables.ratings,
    tables.rating_changes,
    tables.interactions,
    tables.outbox,
)
"""The tables that a filled database has rows of, except its heartbeats."""
_NUMBERED = (tables.matches, tables.challenges)
"""Tables whose numbers are given here, not by the database."""


def put(connection: Connection, table: Table, rows: Iterable[Row]) -> None:
    """Put rows that name the same columns into a table."""
    values = list(rows)
    if not values:
        return
    if connection.dialect.name != "postgresql":
        connection.execute(insert(table), values)
        return
    names = list(values[0])
    documents = {name for name in names if isinstance(table.c[name].type, JSON | Tuple)}
    records = [tuple(json.dumps(row[name]) if name in documents else row[name] for name in names) for row in values]
    adapted: Any = connection.connection.dbapi_connection
    adapted.run_async(lambda driver: driver.copy_records_to_table(table.name, records=records, columns=names))


async def repeat(tx: AsyncConnection, copies: int, on_copied: Callable[[int], None] = lambda _: None) -> None:
    """Copy everything there is so many times; ``on_copied`` is called with the number of each copy. Each copy is
    consistent by itself and has servers, people and matches of its own: every number is changed. The connection commits
    each statement, and is a superuser's, so that foreign keys are not looked at.
    """
    await tx.execute(text("SET session_replication_role = replica"))
    apart = await _distances(tx)
    highest = {table: (await tx.execute(select(func.max(_first_key(table))))).scalar_one() for table in _COPIED}
    for copy in range(1, copies + 1):
        for table in _COPIED:
            await tx.execute(text(_copying(table, apart, copy)), {"highest": highest[table]})
        on_copied(copy)
    await number_on(tx)
    await tx.execute(text("SET session_replication_role = DEFAULT"))


async def number_on(tx: AsyncConnection) -> None:
    """Set the sequences beyond the highest stored numbers."""
    for table in _NUMBERED:
        highest = select(func.max(table.c.id)).scalar_subquery()
        await tx.execute(select(func.setval(f"{table.name}_id_seq", highest)))
    finished = select(func.coalesce(func.max(tables.matches.c.finish), 1)).scalar_subquery()
    await tx.execute(select(func.setval(tables.finish_numbers.name, finished)))


async def _distances(tx: AsyncConnection) -> dict[str, int]:
    """Return the distance between the values of a column in two successive copies."""
    matches, finished = (
        await tx.execute(select(func.max(tables.matches.c.id), func.max(tables.matches.c.finish)))
    ).one()
    challenges = (await tx.execute(select(func.max(tables.challenges.c.id)))).scalar_one()
    numbered = {"matches.id": matches, "match_id": matches, "finish": finished}
    numbered |= {"challenges.id": challenges, "challenge_id": challenges, "interactions.id": _APART}
    return numbered | dict.fromkeys(_OF_DISCORD, _APART)


def _first_key(table: Table) -> Any:
    return next(iter(table.primary_key.columns))


def _copying(table: Table, apart: Mapping[str, int], copy: int) -> str:
    """Return the statement that copies the first rows of a table, up to the ``highest`` of their first keys."""
    into: dict[str, str] = {}
    for column in table.columns:
        name = column.name
        distance = apart.get(f"{table.name}.{name}", apart.get(name))
        if distance is not None:
            into[name] = f"{name} + {copy * distance}"
        elif name != "id":
            into[name] = name
    if table is tables.outbox:
        into |= {name: f"'{copy}:' || {name}" for name in ("key", "topic")}
        moved = f"to_jsonb((payload ->> 'match')::bigint + {copy * apart['match_id']})"
        into["payload"] = f"jsonb_set(payload::jsonb, '{{match}}', {moved})::json"
    first = _first_key(table).name
    found = f"SELECT {', '.join(into.values())} FROM {table.name} WHERE {first} <= :highest ORDER BY {first}"
    return f"INSERT INTO {table.name} ({', '.join(into)}) {found}"
