"""People's preferences, absences and blocks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Absence, Preferences
from bot.storage.tables import absences, blocks, levels_beaten, people


async def preferences(tx: AsyncConnection, user_id: int) -> Preferences:
    """Return a person's preferences, the usual ones for somebody who has not said any."""
    row = (await tx.execute(select(people).where(people.c.user_id == user_id))).one_or_none()
    if row is None:
        return Preferences()
    return Preferences(
        row.theme, row.coordinates, row.confirm, row.text_boards, row.reminders, row.language, row.locale
    )


async def put_preferences(tx: AsyncConnection, user_id: int, wanted: Preferences) -> None:
    """Store a person's preferences in place of those before."""
    await tx.execute(delete(people).where(people.c.user_id == user_id))
    await tx.execute(insert(people).values(user_id=user_id, **asdict(wanted)))


async def away_until(tx: AsyncConnection, user_ids: Collection[int], now: datetime) -> dict[int, datetime]:
    """Return until when some people are away, of those who are."""
    query = (
        select(absences.c.user_id, func.max(absences.c.ends_at).label("ends_at"))
        .where(absences.c.user_id.in_(user_ids), absences.c.begins_at <= now, absences.c.ends_at > now)
        .group_by(absences.c.user_id)
    )
    return {row.user_id: row.ends_at for row in await tx.execute(query)}


async def absences_since(tx: AsyncConnection, user_id: int, since: datetime) -> list[Absence]:
    """Return a person's absences that ended after a time, oldest first."""
    query = (
        select(absences).where(absences.c.user_id == user_id, absences.c.ends_at > since).order_by(absences.c.begins_at)
    )
    return [Absence(row.id, row.user_id, row.begins_at, row.ends_at) for row in await tx.execute(query)]


async def add_absence(tx: AsyncConnection, user_id: int, begins_at: datetime, ends_at: datetime) -> None:
    """Store an absence."""
    await tx.execute(insert(absences).values(user_id=user_id, begins_at=begins_at, ends_at=ends_at))


async def end_absence(tx: AsyncConnection, absence_id: int, at: datetime) -> None:
    """Let an absence end at another time."""
    await tx.execute(update(absences).where(absences.c.id == absence_id).values(ends_at=at))


async def blocked_by(tx: AsyncConnection, user_id: int) -> list[int]:
    """Return whom a person has blocked."""
    return list((await tx.execute(select(blocks.c.blocked_id).where(blocks.c.user_id == user_id))).scalars())


async def who_blocked(tx: AsyncConnection, blocked_id: int, user_ids: Collection[int]) -> list[int]:
    """Return which of some people have blocked a person."""
    query = select(blocks.c.user_id).where(blocks.c.user_id.in_(user_ids), blocks.c.blocked_id == blocked_id)
    return list((await tx.execute(query)).scalars())


async def blocks_between(tx: AsyncConnection, one: int, other: int) -> bool:
    """Return whether either of two people has blocked the other."""
    return other in await blocked_by(tx, one) or one in await blocked_by(tx, other)


async def set_block(tx: AsyncConnection, user_id: int, blocked_id: int, *, blocked: bool) -> None:
    """Block a person, or no longer."""
    await tx.execute(delete(blocks).where(blocks.c.user_id == user_id, blocks.c.blocked_id == blocked_id))
    if blocked:
        await tx.execute(insert(blocks).values(user_id=user_id, blocked_id=blocked_id))


async def forget(tx: AsyncConnection, user_id: int) -> None:
    """Delete what is kept of a person beside matches and ratings."""
    await tx.execute(delete(people).where(people.c.user_id == user_id))
    await tx.execute(delete(absences).where(absences.c.user_id == user_id))
    await tx.execute(delete(levels_beaten).where(levels_beaten.c.user_id == user_id))
    await tx.execute(delete(blocks).where((blocks.c.user_id == user_id) | (blocks.c.blocked_id == user_id)))
