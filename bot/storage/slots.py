"""The slots of all processes, and when the next connection to Discord's gateway may begin.

A layout divides a number of shards into slots. Shards and slots are counted from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import (
    ColumnElement,
    Integer,
    and_,
    case,
    delete,
    extract,
    func,
    insert,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.processes import alive
from bot.storage.tables import identifications, processes, slots
from bot.storage.transactions import inserting
from bot.storage.work_queue import unclaimed


@dataclass(frozen=True, slots=True)
class Partition:
    """The servers that one process serves: those of every shard whose number leaves ``slot`` when divided by ``slots``.

    Slots and shards are counted from 0. With one slot the partition is everything.
    """

    slot: int = 0
    slots: int = 1
    shards: int = 1

    @property
    def shard_ids(self) -> list[int]:
        return list(range(self.slot, self.shards, self.slots))

    def __contains__(self, guild_id: int) -> bool:
        """Return whether a server is in this partition, as Discord divides servers among shards."""
        return (guild_id >> 22) % self.shards % self.slots == self.slot


EVERYTHING = Partition()
"""The partition of a bot that is the only one."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A partition of the servers, with the tokens of its holder and of the successor, if one is named."""

    partition: Partition
    holder: int | None
    successor: int | None = None


async def layout(tx: AsyncConnection) -> tuple[int, int] | None:
    """Return the numbers of slots and shards, None before the first layout."""
    row = (await tx.execute(select(slots.c.slots, slots.c.shards).limit(1))).one_or_none()
    return None if row is None else (row.slots, row.shards)


async def any_held(tx: AsyncConnection) -> bool:
    """Return whether a living process holds any slot, or is about to."""
    in_use = or_(~unclaimed(slots.c.held_by), ~unclaimed(slots.c.successor))
    return (await tx.execute(select(slots.c.slot).where(in_use).limit(1))).first() is not None


async def lay_out(tx: AsyncConnection, count: int, shards: int) -> None:
    """Divide shards into slots anew; no process holds any of them then."""
    await tx.execute(delete(slots))
    await tx.execute(insert(slots), [{"slot": slot, "slots": count, "shards": shards} for slot in range(count)])


async def take(tx: AsyncConnection, token: int) -> Slot | None:
    """Give a process the slot whose successor it is, or the first free one; None if there is neither.

    If the returned slot has another holder, that process still serves: this one may connect, and then ``succeed``.
    """
    named = slots.c.successor == token
    free = and_(unclaimed(slots.c.held_by), unclaimed(slots.c.successor))
    wanted = select(slots).where(or_(named, free)).order_by(named.is_not(True), slots.c.slot).limit(1)
    row = (await tx.execute(wanted.with_for_update(skip_locked=True))).one_or_none()
    if row is None:
        return None
    partition = Partition(row.slot, row.slots, row.shards)
    if row.successor == token and await alive(tx, row.held_by):
        return Slot(partition, row.held_by, token)
    await tx.execute(update(slots).where(slots.c.slot == row.slot).values(held_by=token, successor=None))
    return Slot(partition, token)


async def name_successor(tx: AsyncConnection, token: int, role: str) -> int | None:
    """Name the newest process of a role that stands by the successor of a slot's holder; return its token.

    Return None if no process stands by, or the process ``token`` holds no slot. Only under ``locks.layout``.
    """
    elsewhere = select(slots.c.slot).where(or_(slots.c.held_by == processes.c.id, slots.c.successor == processes.c.id))
    idle = and_(processes.c.role == role, processes.c.alive_until > func.now(), ~elsewhere.exists())
    newest = select(func.max(processes.c.id)).where(idle).scalar_subquery()
    named = update(slots).where(slots.c.held_by == token).values(successor=newest).returning(slots.c.successor)
    successor: int | None = (await tx.execute(named)).scalar_one_or_none()
    return successor


async def succeed(tx: AsyncConnection, token: int) -> bool:
    """Make a named successor the holder of its slot; return False if another one was named since."""
    mine = or_(slots.c.successor == token, slots.c.held_by == token)
    successor = case((slots.c.held_by == token, slots.c.successor))
    taken = update(slots).where(mine).values(held_by=token, successor=successor)
    return (await tx.execute(taken)).rowcount == 1


async def every(tx: AsyncConnection) -> list[Slot]:
    """Return every slot with the tokens of its living holder and successor, if it has them."""
    holder, successor = processes.alias(), processes.alias()
    query = (
        select(slots, holder.c.id.label("holder"), successor.c.id.label("following"))
        .outerjoin(holder, holder.c.id == slots.c.held_by)
        .outerjoin(successor, successor.c.id == slots.c.successor)
    )
    rows = await tx.execute(query.order_by(slots.c.slot))
    return [Slot(Partition(row.slot, row.slots, row.shards), row.holder, row.following) for row in rows]


async def begin_identification(tx: AsyncConnection, bucket: int, apart: timedelta) -> timedelta:
    """Note that a connection of a bucket identifies now, if enough time has passed since the last one.

    Return None then; otherwise return how much of that time is left.
    """
    new = inserting(tx, identifications).values(bucket=bucket, next_at=func.now() + apart)
    free = identifications.c.next_at <= func.now()
    again = new.on_conflict_do_update(
        index_elements=[identifications.c.bucket], set_={"next_at": new.excluded.next_at}, where=free
    )
    if (await tx.execute(again)).rowcount:
        return timedelta(0)
    left = select(extract("epoch", identifications.c.next_at - func.now())).where(identifications.c.bucket == bucket)
    return timedelta(seconds=float((await tx.execute(left)).scalar_one()))


async def note_identification(tx: AsyncConnection, bucket: int, apart: timedelta) -> None:
    """Note that a connection of a bucket has identified itself now: the next one may after this time."""
    sent = update(identifications).where(identifications.c.bucket == bucket)
    await tx.execute(sent.values(next_at=func.now() + apart))


def of_partition(guild_id: ColumnElement[int], partition: Partition) -> ColumnElement[bool]:
    if partition.slots == 1:
        return true()
    return (guild_id.bitwise_rshift(literal(22, Integer)) % partition.shards) % partition.slots == partition.slot
