"""Reminders and late notices that have their buttons still."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Notice
from bot.storage.tables import notices


async def put(tx: AsyncConnection, match_id: int, notice: Notice) -> None:
    """Store where a notice stands, in place of one of the same kind and ply."""
    same = notices.c.match_id == match_id, notices.c.ply == notice.ply, notices.c.kind == notice.kind
    await tx.execute(delete(notices).where(*same))
    values = {"ply": notice.ply, "kind": notice.kind, "channel_id": notice.channel_id, "message_id": notice.message_id}
    await tx.execute(insert(notices).values(match_id=match_id, **values))


async def taken(tx: AsyncConnection, match_id: int, before: int) -> list[Notice]:
    """Take the notices of a match out that were given before a ply, and return them in the order they were given."""
    old = notices.c.match_id == match_id, notices.c.ply < before
    rows = (await tx.execute(select(notices).where(*old).order_by(notices.c.message_id))).all()
    if rows:
        await tx.execute(delete(notices).where(*old))
    return [Notice(row.ply, row.kind, row.channel_id, row.message_id) for row in rows]
