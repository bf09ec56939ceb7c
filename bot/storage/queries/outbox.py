"""The outbox: what has to be said in Discord, and which interactions have been answered already."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Integer, Row, Select, bindparam, delete, func, insert, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Errand, OutboxState
from bot.storage.tables import interactions, matches, outbox

_PENDING = (OutboxState.WAITING, OutboxState.SENDING)
_MATCH = outbox.c.payload["match"].as_integer()


async def add(
    tx: AsyncConnection, *, key: str, topic: str, kind: str, at: datetime, payload: dict[str, Any] | None = None
) -> None:
    """Store something to be said. Raises ``IntegrityError`` when ``key`` was stored before."""
    await tx.execute(
        insert(outbox).values(
            key=key,
            topic=topic,
            kind=kind,
            payload=payload or {},
            state=OutboxState.WAITING,
            attempts=0,
            due_at=at,
            created_at=at,
        )
    )


async def known(tx: AsyncConnection, key: str) -> bool:
    """Return whether an errand of that key was stored before."""
    return (await tx.execute(select(outbox.c.id).where(outbox.c.key == key))).first() is not None


async def busy(tx: AsyncConnection, topic: str, kind: str) -> bool:
    """Return whether something of a topic and kind still has to be said."""
    still = outbox.c.topic == topic, outbox.c.state.in_(_PENDING), outbox.c.kind == kind
    query = select(outbox.c.id).where(*still).limit(1)
    return (await tx.execute(query)).first() is not None


async def heads(tx: AsyncConnection, *, busy: Collection[str], limit: int) -> list[Errand]:
    """Return the first pending errand of each topic that is not busy, due or not, soonest due first."""
    return [_errand(row) for row in await tx.execute(_HEADS, {"busy": list(busy), "limit": limit})]


async def mark(tx: AsyncConnection, errand_id: int, state: OutboxState, **values: Any) -> None:
    """Move an errand on in its life."""
    await tx.execute(update(outbox).where(outbox.c.id == errand_id).values(state=state, **values))


async def pending(tx: AsyncConnection) -> int:
    """Count what still has to be said."""
    query = select(func.count()).select_from(outbox).where(outbox.c.state.in_(_PENDING))
    return int((await tx.execute(query)).scalar_one())


async def refused(tx: AsyncConnection, guild_id: int) -> list[int]:
    """Return the matches of a server of which something could not be said anywhere."""
    failed = outbox.c.state == OutboxState.FAILED, matches.c.guild_id == guild_id
    query = select(matches.c.id).join(outbox, matches.c.id == _MATCH).where(*failed).distinct()
    return sorted((await tx.execute(query)).scalars())


async def revive(tx: AsyncConnection, match_ids: Collection[int], now: datetime) -> None:
    """Have everything tried again that could not be said of some matches."""
    failed = outbox.c.state == OutboxState.FAILED, _MATCH.in_(match_ids)
    values = {"state": OutboxState.SENDING, "due_at": now, "done_at": None}
    await tx.execute(update(outbox).where(*failed).values(**values))


async def stalled(tx: AsyncConnection, since: datetime) -> int:
    """Count what should have been said before ``since`` and still can be, if nothing at all was said from then on.

    What waits for something else of its topic, which Discord has put off, does not count.
    """
    if (await tx.execute(select(outbox.c.id).where(outbox.c.done_at >= since).limit(1))).first() is not None:
        return 0
    late = outbox.c.state.in_(_PENDING), outbox.c.due_at < since, ~_earlier_of_its_topic()
    return int((await tx.execute(select(func.count()).select_from(outbox).where(*late))).scalar_one())


async def claim(tx: AsyncConnection, interaction_id: int, at: datetime) -> bool:
    """Note that an interaction is being carried out; False when it was before."""
    seen = await tx.execute(select(interactions.c.id).where(interactions.c.id == interaction_id))
    if seen.first() is not None:
        return False
    await tx.execute(insert(interactions).values(id=interaction_id, at=at))
    return True


async def forget(tx: AsyncConnection, before: datetime, refused_before: datetime) -> None:
    """Delete what is finished and old enough: answered interactions, said errands, and those there was no place for."""
    await tx.execute(delete(interactions).where(interactions.c.at < before))
    refused = outbox.c.state == OutboxState.FAILED
    await tx.execute(delete(outbox).where(outbox.c.state.not_in(_PENDING), ~refused, outbox.c.done_at < before))
    await tx.execute(delete(outbox).where(refused, outbox.c.done_at < refused_before))


def _earlier_of_its_topic() -> ColumnElement[bool]:
    """Return whether something else of an errand's topic comes before it."""
    before = outbox.alias()
    same_topic = before.c.topic == outbox.c.topic
    return select(before.c.id).where(same_topic, before.c.state.in_(_PENDING), before.c.id < outbox.c.id).exists()


def _first_of_each_topic() -> Select[Any]:
    """Return the query for ``heads``, to be built once: it is put several times a turn."""
    limit = bindparam("limit", type_=Integer)
    free = outbox.c.topic.not_in(bindparam("busy", expanding=True))
    soonest = outbox.c.due_at, outbox.c.id
    # Each state by its index, in order: after an outage thousands may be pending, and they are asked for one by one.
    of_each_state = [
        select(outbox.c.id)
        .where(outbox.c.state == state, free, ~_earlier_of_its_topic())
        .order_by(*soonest)
        .limit(limit)
        .subquery()
        for state in _PENDING
    ]
    firsts = union_all(*(select(found.c.id) for found in of_each_state))
    return select(outbox).where(outbox.c.id.in_(firsts)).order_by(*soonest).limit(limit)


_HEADS = _first_of_each_topic()


def _errand(row: Row[Any]) -> Errand:
    return Errand(
        id=row.id,
        key=row.key,
        topic=row.topic,
        kind=row.kind,
        payload=row.payload,
        state=OutboxState(row.state),
        attempts=row.attempts,
        due_at=row.due_at,
        created_at=row.created_at,
    )
