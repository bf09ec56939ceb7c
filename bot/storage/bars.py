"""Bars: people who may not play in a server, or anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import EVERYWHERE
from bot.storage.tables import bars
from bot.storage.tables.columns import to_dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: the person may not play in the server, or ``EVERYWHERE``."""

    id: int
    guild_id: int
    user_id: int
    at: datetime


async def add(tx: AsyncConnection, guild_id: int, user_id: int, at: datetime) -> int:
    """Store a bar and return its id. Raises ``IntegrityError`` for a second one of the same person and server."""
    query = insert(bars).returning(bars.c.id).values(guild_id=guild_id, user_id=user_id, at=at)
    return int((await tx.execute(query)).scalar_one())


async def remove(tx: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """Lift a bar; return whether there was one."""
    query = delete(bars).where(bars.c.guild_id == guild_id, bars.c.user_id == user_id)
    return (await tx.execute(query)).rowcount > 0


async def get(tx: AsyncConnection, bar_id: int) -> Bar | None:
    """Return a bar that has not been lifted."""
    row = (await tx.execute(select(bars).where(bars.c.id == bar_id))).one_or_none()
    return None if row is None else to_dataclass(Bar, row)


async def holding(tx: AsyncConnection, guild_id: int, user_id: int) -> Bar | None:
    """Return the bar that keeps a person from playing in a server; one for ``EVERYWHERE`` goes first."""
    here = bars.c.user_id == user_id, bars.c.guild_id.in_((EVERYWHERE, guild_id))
    row = (await tx.execute(select(bars).where(*here).order_by(bars.c.guild_id))).first()
    return None if row is None else to_dataclass(Bar, row)


async def of_person(tx: AsyncConnection, user_id: int) -> list[Bar]:
    """Return a person's bars, oldest first."""
    query = select(bars).where(bars.c.user_id == user_id).order_by(bars.c.id)
    return [to_dataclass(Bar, row) for row in await tx.execute(query)]


async def in_server(tx: AsyncConnection, guild_id: int) -> list[Bar]:
    """Return the bars of a server, or those that hold ``EVERYWHERE``, newest first."""
    query = select(bars).where(bars.c.guild_id == guild_id).order_by(bars.c.id.desc())
    return [to_dataclass(Bar, row) for row in await tx.execute(query)]


async def every(tx: AsyncConnection) -> list[Bar]:
    """Return every bar, by server and then the newest first."""
    query = select(bars).order_by(bars.c.guild_id, bars.c.id.desc())
    return [to_dataclass(Bar, row) for row in await tx.execute(query)]
