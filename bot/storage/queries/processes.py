"""The processes that share a PostgreSQL database. The number of one is its token: while its row is there it may write.

Times are the database's own: the clocks of several machines differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, bindparam, delete, func, insert, not_, null, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.process_records import Process, Renewed
from bot.storage.queries.call_limits import seconds_held
from bot.storage.schema import Id
from bot.storage.tables import processes

_TOKEN = bindparam("token", type_=Id)
_THERE = select(processes.c.id).where(processes.c.id == _TOKEN).with_for_update(key_share=True, read=True)
_IDLE = func.set_config("idle_in_transaction_session_timeout", bindparam("patience", type_=Text), true())
_THERE_AND_PATIENT = _THERE.add_columns(_IDLE)


async def add(tx: AsyncConnection, name: str, role: str, lease: timedelta) -> int:
    """Store a process that is alive for as long as a lease lasts; return its token."""
    new = insert(processes).returning(processes.c.id)
    values = {"name": name, "role": role, "begun_at": func.now(), "alive_until": func.now() + lease}
    return int((await tx.execute(new.values(**values))).scalar_one())


async def renew(tx: AsyncConnection, token: int, lease: timedelta, weight: float = 0.0) -> Renewed | None:
    """Let the lease of a process begin anew, and store what it weighs; None if it had been removed."""
    other = processes.alias()
    living = (other.c.id != token, other.c.alive_until > func.now())
    others = select(func.coalesce(func.sum(other.c.weight), 0)).where(*living).scalar_subquery()
    # As it was before this statement, which is what a query within it sees.
    before = processes.alias()
    in_time = select(before.c.alive_until > func.now()).where(before.c.id == token).scalar_subquery()
    mine = update(processes).where(processes.c.id == token)
    renewed = mine.values(alive_until=func.now() + lease, weight=weight).returning(others, seconds_held(), in_time)
    row = (await tx.execute(renewed)).one_or_none()
    return None if row is None else Renewed(float(row[0]), float(row[1]), bool(row[2]))


async def there(tx: AsyncConnection, token: int, patience: str | None = None) -> bool:
    """Return whether a process is there, and keep others from removing it until this transaction ends.

    After the ``patience``, where it is not set for the connection, the database ends a transaction that does nothing.
    """
    query, more = (_THERE, {}) if patience is None else (_THERE_AND_PATIENT, {"patience": patience})
    return (await tx.execute(query, {"token": token, **more})).first() is not None


def is_there() -> ColumnElement[bool]:
    """Return the same as a condition, on the parameter ``token``, for a statement that is a transaction by itself."""
    return select(_THERE.cte("there").c.id).exists()


async def alive(tx: AsyncConnection, token: int | None) -> bool:
    """Return whether a process has not been removed."""
    return (await tx.execute(select(processes.c.id).where(processes.c.id == token))).first() is not None


async def remove(tx: AsyncConnection, token: int) -> None:
    """Remove a process that ends."""
    await tx.execute(delete(processes).where(processes.c.id == token))


async def remove_expired(tx: AsyncConnection) -> list[int]:
    """Remove the processes whose lease has expired, but for those with a transaction open; return their tokens."""
    expired = select(processes.c.id).where(processes.c.alive_until < func.now()).with_for_update(skip_locked=True)
    gone = delete(processes).where(processes.c.id.in_(expired)).returning(processes.c.id)
    return list((await tx.execute(gone)).scalars())


async def every(tx: AsyncConnection) -> list[Process]:
    """Return every process, oldest first."""
    rows: Iterable[Any] = await tx.execute(select(processes).order_by(processes.c.id))
    return [Process(row.id, row.name, row.role, row.begun_at, row.alive_until, row.weight) for row in rows]


def none_of(role: str | None) -> ColumnElement[bool]:
    """Return whether there is no process of a role; always so where none is named."""
    return true() if role is None else ~select(processes.c.id).where(processes.c.role == role).exists()


def unclaimed(claimed_by: ColumnElement[int], token: ColumnElement[int] | None = None) -> ColumnElement[bool]:
    """Return whether something is free to be claimed: nobody has, or the process that did is gone, or is ``token``."""
    gone = ~select(processes.c.id).where(processes.c.id == claimed_by).exists()
    return or_(claimed_by == null(), gone, *(() if token is None else (claimed_by == token,)))


def claimable(
    claimed_by: ColumnElement[int], token: int, begun: ColumnElement[bool], unless_there_is: str | None
) -> ColumnElement[bool]:
    """Return whether the process ``token`` may claim a row of work: it is unclaimed, and there is no process of a role
    that it is left to; or it is claimed for ``token`` and not ``begun``, as where a claim's answer was lost.
    """
    forgotten = and_(claimed_by == token, not_(begun))
    return or_(forgotten, and_(unclaimed(claimed_by), none_of(unless_there_is)))
