"""Matches that are being voided. Each is a row until the later ratings of its server are computed again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import locks
from bot.storage.records import Rules
from bot.storage.tables import voids
from bot.storage.tables.columns import record
from bot.storage.work_queue import claimable


@dataclass(frozen=True, slots=True)
class Void:
    """A match that is being voided, and the id of the manager who asked for it (``OPERATOR`` for an operator)."""

    match_id: int
    guild_id: int
    voided_by: int


async def add(tx: AsyncConnection, void: Void, at: datetime) -> None:
    """Store that a match is to be voided, after those of its server that are stored already."""
    # Numbers follow the order of commits, so the first void of a server stays the first.
    await locks.ratings(tx, void.guild_id)
    values = {"match_id": void.match_id, "guild_id": void.guild_id, "voided_by": void.voided_by}
    await tx.execute(insert(voids).values(**values, asked_at=at))


async def of_match(tx: AsyncConnection, match_id: int) -> Void | None:
    """Return the void of a match that is not carried out yet."""
    row = (await tx.execute(select(voids).where(voids.c.match_id == match_id))).one_or_none()
    return None if row is None else record(Void, row)


async def first_of(tx: AsyncConnection, guild_id: int) -> Void | None:
    """Return the void of a server that is to be carried out next."""
    query = select(voids).where(voids.c.guild_id == guild_id).order_by(voids.c.id).limit(1)
    row = (await tx.execute(query)).one_or_none()
    return None if row is None else record(Void, row)


async def asked_by(tx: AsyncConnection, user_id: int) -> list[int]:
    """Return the matches that a person is having voided."""
    return list((await tx.execute(select(voids.c.match_id).where(voids.c.voided_by == user_id))).scalars())


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Delete the void of a match: it is carried out."""
    await tx.execute(delete(voids).where(voids.c.match_id == match_id))


async def pending(tx: AsyncConnection, _rules: Rules | None = None) -> list[int]:
    """Return the matches to void next, one of each server. Any process can void one, also without its game."""
    return list((await tx.execute(_next())).scalars())


async def claim(
    tx: AsyncConnection, token: int, limit: int, *, begun: Collection[int] = (), rules: Rules | None = None
) -> list[int]:
    """Claim at most ``limit`` voids that no living process has claimed, see ``WorkQueue``; return their matches.

    Of each server only the first one is given out, so one match of a server is voided at a time.
    """
    free = claimable(voids.c.claimed_by, token, voids.c.match_id.in_(begun), voids.c.match_id, rules)
    query = _next().where(free).limit(limit)
    found = list((await tx.execute(query.with_for_update(skip_locked=True))).scalars())
    await tx.execute(update(voids).where(voids.c.match_id.in_(found)).values(claimed_by=token))
    return found


@cache
def _next() -> Select[Any]:
    """Return the query for the first void of each server, built once, because it is put after every turn."""
    first = select(func.min(voids.c.id)).group_by(voids.c.guild_id)
    return select(voids.c.match_id).where(voids.c.id.in_(first)).order_by(voids.c.id)


async def release(tx: AsyncConnection, token: int, match_id: int) -> None:
    """Let other processes claim a row that a process has claimed."""
    mine = voids.c.match_id == match_id, voids.c.claimed_by == token
    await tx.execute(update(voids).where(*mine).values(claimed_by=None))
