"""The processes that share a PostgreSQL database. The number of one is its token: while its row is there it may write.

Times are the database's own: the clocks of several machines differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, null, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.process_records import Process
from bot.storage.tables import processes

_THERE = select(processes.c.id).where(processes.c.id == bindparam("token")).with_for_update(key_share=True, read=True)


async def add(tx: AsyncConnection, name: str, role: str, lease: timedelta) -> int:
    """Store a process that is alive for as long as a lease lasts; return its token."""
    new = insert(processes).returning(processes.c.id)
    values = {"name": name, "role": role, "begun_at": func.now(), "alive_until": func.now() + lease}
    return int((await tx.execute(new.values(**values))).scalar_one())


async def renew(tx: AsyncConnection, token: int, lease: timedelta) -> bool:
    """Let the lease of a process begin anew; return whether it had not been removed."""
    mine = update(processes).where(processes.c.id == token).values(alive_until=func.now() + lease)
    return (await tx.execute(mine)).rowcount == 1


async def there(tx: AsyncConnection, token: int) -> bool:
    """Return whether a process is there, and keep others from removing it until this transaction ends."""
    return (await tx.execute(_THERE, {"token": token})).first() is not None


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
    return [Process(row.id, row.name, row.role, row.begun_at, row.alive_until) for row in rows]


def unclaimed(claimed_by: ColumnElement[int], token: ColumnElement[int] | None = None) -> ColumnElement[bool]:
    """Return whether something is free to be claimed: nobody has, or the process that did is gone, or is ``token``."""
    gone = ~select(processes.c.id).where(processes.c.id == claimed_by).exists()
    return or_(claimed_by == null(), gone, *(() if token is None else (claimed_by == token,)))
