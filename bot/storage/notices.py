"""Where notices to players stand in Discord: reminders, late notices, and news of a turn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import and_, delete, insert, literal_column, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchState
from bot.storage.tables import matches, notices, seats
from bot.storage.tables.columns import record


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
    return [record(Notice, row) for row in await tx.execute(query.order_by(notices.c.message_id))]


async def waiting_in(tx: AsyncConnection, user_id: int, message_id: int) -> list[int]:
    """Return the running matches that still wait for a person at the ply of a notice in a message, soonest first."""
    of_mover = seats.c.match_id == matches.c.id, seats.c.seat == matches.c.to_move
    of_notice = notices.c.match_id == matches.c.id, notices.c.ply == matches.c.ply
    found = select(matches.c.id).join(seats, and_(*of_mover)).join(notices, and_(*of_notice))
    running = matches.c.state == literal_column(f"'{MatchState.RUNNING}'")
    here = seats.c.user_id == user_id, running, notices.c.message_id == message_id
    return list((await tx.execute(found.where(*here).order_by(matches.c.deadline_at, matches.c.id))).scalars())


async def take(tx: AsyncConnection, match_id: int, before: int, kinds: Collection[str] | None = None) -> list[Notice]:
    """Delete the notices of a match from before a ply, of some kinds or all; return them, oldest first."""
    old = [notices.c.match_id == match_id, notices.c.ply < before]
    if kinds is not None:
        old.append(notices.c.kind.in_(kinds))
    rows = (await tx.execute(select(notices).where(*old).order_by(notices.c.message_id))).all()
    if rows:
        await tx.execute(delete(notices).where(*old))
    return [record(Notice, row) for row in rows]
