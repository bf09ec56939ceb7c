"""Who serves which slot, and when the next connection to Discord's gateway may be begun, over all processes.

A layout says into how many slots how many shards are divided. Shard and slot are counted from 0.
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, extract, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.inserting import inserting
from bot.storage.process_records import Share, Slot
from bot.storage.queries.processes import unclaimed
from bot.storage.tables import identifications, processes, slots


async def layout(tx: AsyncConnection) -> tuple[int, int] | None:
    """Return how many slots and shards there are, None where that was never said."""
    row = (await tx.execute(select(slots.c.slots, slots.c.shards).limit(1))).one_or_none()
    return None if row is None else (row.slots, row.shards)


async def held(tx: AsyncConnection) -> bool:
    """Return whether a living process holds any slot."""
    return (await tx.execute(select(slots.c.slot).where(~unclaimed(slots.c.held_by)).limit(1))).first() is not None


async def lay_out(tx: AsyncConnection, count: int, shards: int) -> None:
    """Divide shards into slots anew; nobody holds any of them then."""
    await tx.execute(delete(slots))
    await tx.execute(insert(slots), [{"slot": slot, "slots": count, "shards": shards} for slot in range(count)])


async def take(tx: AsyncConnection, token: int) -> Share | None:
    """Give the first free slot to a process; return what it serves with that, None where no slot is free."""
    free = select(slots).where(unclaimed(slots.c.held_by)).order_by(slots.c.slot).limit(1)
    row = (await tx.execute(free.with_for_update(skip_locked=True))).one_or_none()
    if row is None:
        return None
    await tx.execute(update(slots).where(slots.c.slot == row.slot).values(held_by=token))
    return Share(row.slot, row.slots, row.shards)


async def every(tx: AsyncConnection) -> list[Slot]:
    """Return every slot with the token of the living process that holds it, if one does."""
    query = select(slots, processes.c.id.label("holder")).outerjoin(processes, processes.c.id == slots.c.held_by)
    rows = await tx.execute(query.order_by(slots.c.slot))
    return [Slot(Share(row.slot, row.slots, row.shards), row.holder) for row in rows]


async def next_identification(tx: AsyncConnection, bucket: int, apart: timedelta) -> timedelta:
    """Reserve the next moment at which a connection of a bucket may identify itself; return how long until then."""
    new = inserting(tx, identifications).values(bucket=bucket, next_at=func.now() + apart)
    later = func.greatest(identifications.c.next_at, func.now()) + apart
    upsert = new.on_conflict_do_update(index_elements=[identifications.c.bucket], set_={"next_at": later})
    seconds = extract("epoch", identifications.c.next_at - func.now())
    left = float((await tx.execute(upsert.returning(seconds))).scalar_one())
    return max(timedelta(0), timedelta(seconds=left) - apart)
