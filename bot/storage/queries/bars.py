"""Who may not play where."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import EVERYWHERE, Bar, ChallengeState
from bot.storage.tables import bars, challenge_players, challenges


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
    return None if row is None else _bar(row)


async def holding(tx: AsyncConnection, guild_id: int, user_id: int) -> Bar | None:
    """Return the bar that keeps a person from playing in a server, the one that holds everywhere first."""
    here = bars.c.user_id == user_id, bars.c.guild_id.in_((EVERYWHERE, guild_id))
    row = (await tx.execute(select(bars).where(*here).order_by(bars.c.guild_id))).first()
    return None if row is None else _bar(row)


async def of(tx: AsyncConnection, user_id: int) -> list[Bar]:
    """Return a person's bars, oldest first."""
    return [_bar(row) for row in await tx.execute(select(bars).where(bars.c.user_id == user_id).order_by(bars.c.id))]


async def in_guild(tx: AsyncConnection, guild_id: int) -> list[Bar]:
    """Return the bars of a server, or those that hold ``EVERYWHERE``, newest first."""
    query = select(bars).where(bars.c.guild_id == guild_id).order_by(bars.c.id.desc())
    return [_bar(row) for row in await tx.execute(query)]


async def everything(tx: AsyncConnection) -> list[Bar]:
    """Return every bar, by server and then the newest first."""
    return [_bar(row) for row in await tx.execute(select(bars).order_by(bars.c.guild_id, bars.c.id.desc()))]


async def open_challenges(tx: AsyncConnection, guild_id: int, user_id: int) -> list[int]:
    """Return the open challenges of a server, or ``EVERYWHERE``, that a person has made, joined or been sent."""
    joined = select(challenge_players.c.challenge_id).where(challenge_players.c.user_id == user_id)
    theirs = or_(
        challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id, challenges.c.id.in_(joined)
    )
    query = select(challenges.c.id).where(theirs, challenges.c.state == ChallengeState.OPEN)
    if guild_id != EVERYWHERE:
        query = query.where(challenges.c.guild_id == guild_id)
    return list((await tx.execute(query.order_by(challenges.c.id))).scalars())


def _bar(row: Row[Any]) -> Bar:
    return Bar(row.id, row.guild_id, row.user_id, row.at)
