"""Where notices to players stand in Discord: reminders, late notices, and news of a turn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import notices
from bot.storage.tables.columns import to_dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice of a ply of a match, by its kind of message, and the message that shows it."""

    ply: int
    kind: str
    channel_id: int
    message_id: int


async def put(tx: AsyncConnection, match_id: int, notice: Notice) -> None:
    """Store where a notice stands, in place of one of the same kind and ply."""
    same = notices.c.match_id == match_id, notices.c.ply == notice.ply, notices.c.kind == notice.kind
    await tx.execute(delete(notices).where(*same))
    await tx.execute(insert(notices).values(match_id=match_id, **asdict(notice)))


async def at_ply(tx: AsyncConnection, match_id: int, ply: int) -> list[Notice]:
    """Return the notices of a ply of a match, oldest first."""
    query = select(notices).where(notices.c.match_id == match_id, notices.c.ply == ply)
    return [to_dataclass(Notice, row) for row in await tx.execute(query.order_by(notices.c.message_id))]


async def take(tx: AsyncConnection, match_id: int, before: int, kinds: Collection[str] | None = None) -> list[Notice]:
    """Delete the notices of a match from before a ply, of some kinds or all; return them, oldest first."""
    old = [notices.c.match_id == match_id, notices.c.ply < before]
    if kinds is not None:
        old.append(notices.c.kind.in_(kinds))
    rows = (await tx.execute(select(notices).where(*old).order_by(notices.c.message_id))).all()
    if rows:
        await tx.execute(delete(notices).where(*old))
    return [to_dataclass(Notice, row) for row in rows]
