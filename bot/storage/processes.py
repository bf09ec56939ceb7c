"""The processes that share a PostgreSQL database.

The number of a process is its token. While its row exists, it may write. Times are those of the database, because the
clocks of several machines differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    DateTime,
    Text,
    bindparam,
    column,
    delete,
    func,
    insert,
    select,
    table,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.engines import APPLICATION
from bot.storage.records import BotState, Rules
from bot.storage.tables import processes
from bot.storage.tables.columns import Id, to_dataclass

BOT, THINKER = "bot", "thinker"
"""The role of a process: to be connected to Discord, or to play the turns of computer players."""
_TOKEN = bindparam("token", type_=Id)
_THERE = select(processes.c.id).where(processes.c.id == _TOKEN).with_for_update(key_share=True, read=True)
_IDLE = func.set_config("idle_in_transaction_session_timeout", bindparam("patience", type_=Text), true())
_THERE_AND_PATIENT = _THERE.add_columns(_IDLE)
_SESSIONS = table(
    "pg_stat_activity",
    *(column(name) for name in ("pid", "datname", "usename", "application_name", "state", "wait_event")),
    column("query_start", DateTime(timezone=True)),
)


@dataclass(frozen=True, slots=True)
class Process:
    """A process that shares the database: its token, its role, and the end of its lease.

    ``games`` are the rules it can play by; None for a
    process of a version that does not say it.
    """

    id: int
    name: str
    role: str
    begun_at: datetime
    alive_until: datetime
    games: tuple[tuple[str, int], ...] | None = None
    state: BotState | None = None
    """What a bot does; None for a thinker."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """The answer to a process that renews its lease.

    ``in_time`` says whether the lease had not expired yet. ``at`` is the database's time.
    """

    in_time: bool
    at: datetime


async def add(tx: AsyncConnection, name: str, role: str, lease: timedelta, rules: Rules | None = None) -> int:
    """Store a process with a new lease and the rules it can play by; return its token. A bot stands by at first."""
    new = insert(processes).returning(processes.c.id)
    values = {"name": name, "role": role, "begun_at": func.now(), "alive_until": func.now() + lease}
    state = BotState.STANDBY if role == BOT else None
    games = None if rules is None else sorted(rules)
    return int((await tx.execute(new.values(games=games, state=state, **values))).scalar_one())


async def rules_of(tx: AsyncConnection, role: str) -> list[Rules | None]:
    """Return for each process with a role the rules it can play by; None if it does not say."""
    rows = (await tx.execute(select(processes.c.games).where(processes.c.role == role))).scalars()
    return [None if games is None else {(game, rules) for game, rules in games} for games in rows]


async def renew(tx: AsyncConnection, token: int, lease: timedelta) -> Renewed | None:
    """Begin the lease of a process anew; return None if the process had been removed."""
    # A subquery sees the row as it was before this statement.
    before = processes.alias()
    in_time = select(before.c.alive_until > func.now()).where(before.c.id == token).scalar_subquery()
    mine = update(processes).where(processes.c.id == token)
    renewed = mine.values(alive_until=func.now() + lease).returning(in_time, func.clock_timestamp())
    row = (await tx.execute(renewed)).one_or_none()
    return None if row is None else Renewed(bool(row[0]), row[1])


async def there(tx: AsyncConnection, token: int, patience: str | None = None) -> bool:
    """Lock the row of a process until the transaction ends; return whether it exists.

    ``patience`` sets the database's limit for an idle transaction, for connections that have none.
    """
    query, more = (_THERE, {}) if patience is None else (_THERE_AND_PATIENT, {"patience": patience})
    return (await tx.execute(query, {"token": token, **more})).first() is not None


async def alive(tx: AsyncConnection, token: int | None) -> bool:
    """Return whether a process has not been removed."""
    return (await tx.execute(select(processes.c.id).where(processes.c.id == token))).first() is not None


async def remove(tx: AsyncConnection, token: int) -> None:
    """Remove a process, which ends."""
    await tx.execute(delete(processes).where(processes.c.id == token))


async def remove_expired(tx: AsyncConnection) -> list[int]:
    """Remove processes with an expired lease, except those with an open transaction; return their tokens."""
    expired = select(processes.c.id).where(processes.c.alive_until < func.now()).with_for_update(skip_locked=True)
    gone = delete(processes).where(processes.c.id.in_(expired)).returning(processes.c.id)
    return list((await tx.execute(gone)).scalars())


async def end_suspended(tx: AsyncConnection, seconds: float) -> int:
    """End connections on which a bot prepared a statement that it has not executed for so long; return their number.

    A process that is suspended just then keeps the locks of its transaction: none of PostgreSQL's time limits counts
    between the two, because asyncpg prepares a statement without the message that ends a command (Sync).
    """
    mine = (_SESSIONS.c.datname == func.current_database(), _SESSIONS.c.usename == func.current_user())
    waiting = (_SESSIONS.c.state == "active", _SESSIONS.c.wait_event == "ClientRead")
    since = _SESSIONS.c.query_start < func.clock_timestamp() - timedelta(seconds=seconds)
    named = _SESSIONS.c.application_name.startswith(APPLICATION)
    ended = select(func.pg_terminate_backend(_SESSIONS.c.pid)).where(*mine, named, *waiting, since)
    return len((await tx.execute(ended)).all())


async def every(tx: AsyncConnection) -> list[Process]:
    """Return every process, oldest first."""
    rows: Iterable[Any] = await tx.execute(select(processes).order_by(processes.c.id))
    stored = [to_dataclass(Process, row) for row in rows]
    return [
        process
        if process.games is None
        else replace(process, games=tuple((game, rules) for game, rules in process.games))
        for process in stored
    ]


async def first(tx: AsyncConnection, role: str) -> int | None:
    """Return the token of the process of a role that registered first."""
    earliest = select(processes.c.id).where(processes.c.role == role).order_by(processes.c.id).limit(1)
    return (await tx.execute(earliest)).scalar_one_or_none()
