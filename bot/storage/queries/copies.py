"""Whether a database is a copy that is not finished yet, and of which one: that one's generation."""

from __future__ import annotations

from secrets import randbits

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import generation, unfinished_copy


async def own_generation(tx: AsyncConnection) -> int:
    """Return the number that tells this database from those it was copied from."""
    return int((await tx.execute(select(generation.c.value))).scalar_one())


async def unfinished(tx: AsyncConnection) -> int | None:
    """Return the generation of the database this one is being copied from, None for one that is whole."""
    return (await tx.execute(select(unfinished_copy.c.source))).scalar_one_or_none()


async def begin(tx: AsyncConnection, source: int) -> None:
    """Note that this database is a copy of another one and not finished."""
    await tx.execute(insert(unfinished_copy).values(source=source))


async def finish(tx: AsyncConnection) -> None:
    """Note that this database is whole, and have it tell its messages from those of the one it was copied from."""
    await tx.execute(delete(unfinished_copy))
    await tx.execute(update(generation).values(value=randbits(62)))
