"""When people who asked for a daily digest get the next one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import digests, people
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True)
class Digest:
    """A person's next digest, and when they had the last, None before the first."""

    id: int
    user_id: int
    due_at: datetime
    told_at: datetime | None


async def of_person(tx: AsyncConnection, user_id: int) -> Digest | None:
    row = (await tx.execute(select(digests).where(digests.c.user_id == user_id))).one_or_none()
    return None if row is None else to_dataclass(Digest, row)


async def get(tx: AsyncConnection, digest_id: int) -> Digest | None:
    row = (await tx.execute(select(digests).where(digests.c.id == digest_id))).one_or_none()
    return None if row is None else to_dataclass(Digest, row)


async def put(tx: AsyncConnection, user_id: int, due_at: datetime) -> None:
    """Store when a person gets their next digest."""
    new = inserting(tx, digests).values(user_id=user_id, due_at=due_at)
    await tx.execute(new.on_conflict_do_update(index_elements=["user_id"], set_={"due_at": due_at}))


async def due_ids(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the people whose digest is due."""
    due = select(digests.c.user_id).where(digests.c.due_at <= now).order_by(digests.c.due_at)
    return list((await tx.execute(due)).scalars())


async def tell(tx: AsyncConnection, digest: Digest, now: datetime, due_at: datetime) -> bool:
    """Store that a digest is told, and when the next is due; return False if another process has done so."""
    same = digests.c.id == digest.id, digests.c.due_at == digest.due_at
    return (await tx.execute(update(digests).where(*same).values(told_at=now, due_at=due_at))).rowcount > 0


async def remove(tx: AsyncConnection, user_id: int) -> None:
    await tx.execute(delete(digests).where(digests.c.user_id == user_id))


async def refuse(tx: AsyncConnection, user_id: int) -> None:
    """Send a person no more digests, because they take no direct messages."""
    await remove(tx, user_id)
    await tx.execute(update(people).where(people.c.user_id == user_id).values(digest_hour=None))
