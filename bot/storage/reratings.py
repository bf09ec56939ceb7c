"""Servers whose ratings are computed again, because a match of theirs was voided: one row each until that is done."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import locks
from bot.storage.tables import ratings, reratings
from bot.storage.transactions import inserting


async def ask(tx: AsyncConnection, guild_id: int, at: datetime) -> None:
    """Have the ratings of a server computed again; a computation that is under way begins anew."""
    await locks.ratings(tx, guild_id)
    new = inserting(tx, reratings).values(guild_id=guild_id, version=0, asked_at=at)
    again = {"version": reratings.c.version + 1}
    await tx.execute(new.on_conflict_do_update(index_elements=[reratings.c.guild_id], set_=again))


async def begin_anew(tx: AsyncConnection, user_id: int) -> None:
    """Have computations under way begin anew in the servers of a person whose ratings get another id."""
    rated = select(ratings.c.guild_id).where(ratings.c.user_id == user_id).distinct()
    await locks.ratings(tx, *(await tx.execute(rated)).scalars(), shared=True)
    theirs = update(reratings).where(reratings.c.guild_id.in_(rated))
    await tx.execute(theirs.values(version=reratings.c.version + 1))


async def version(tx: AsyncConnection, guild_id: int) -> int | None:
    """Return the version of a server's results that is to be rated, None if its ratings are up to date."""
    return (await tx.execute(select(reratings.c.version).where(reratings.c.guild_id == guild_id))).scalar_one_or_none()


async def remove(tx: AsyncConnection, guild_id: int) -> None:
    """Note that the ratings of a server are up to date."""
    await tx.execute(delete(reratings).where(reratings.c.guild_id == guild_id))


async def pending(tx: AsyncConnection) -> list[int]:
    """Return the servers to rate again, in the order in which that was asked for."""
    return list((await tx.execute(_oldest_first())).scalars())


@cache
def _oldest_first() -> Select[Any]:
    # Built once, because it is put after every turn.
    return select(reratings.c.guild_id).order_by(reratings.c.asked_at, reratings.c.guild_id)
