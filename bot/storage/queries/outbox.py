"""The outbox: what has to be posted in Discord, and which interactions have been answered already."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    null,
    select,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import ReturningUpdate

from bot.storage.inserting import inserting
from bot.storage.process_records import Share
from bot.storage.queries.processes import unclaimed
from bot.storage.queries.shares import of_share
from bot.storage.records import OutboxMessage, OutboxState
from bot.storage.schema import Id
from bot.storage.tables import challenges, interactions, matches, outbox
from bot.storage.tables import generation as generations

_UNSENT = (OutboxState.PENDING, OutboxState.SENDING)
_MATCH = outbox.c.payload["match"].as_integer()
_CHALLENGE = outbox.c.payload["challenge"].as_integer()


async def add(
    tx: AsyncConnection, *, key: str, topic: str, kind: str, at: datetime, payload: dict[str, Any] | None = None
) -> None:
    """Store a message to be sent. Raises ``IntegrityError`` when ``key`` was stored before."""
    await tx.execute(
        insert(outbox).values(
            key=key,
            topic=topic,
            kind=kind,
            payload=payload or {},
            guild_id=_guild_of(payload or {}),
            state=OutboxState.PENDING,
            attempts=0,
            due_at=at,
            created_at=at,
        )
    )


def _guild_of(payload: dict[str, Any]) -> ColumnElement[int]:
    """Return the server a message is about, 0 for one about none."""
    about = {"match": matches, "challenge": challenges}
    found = [
        select(table.c.guild_id).where(table.c.id == payload[name]) for name, table in about.items() if name in payload
    ]
    return func.coalesce(*(query.scalar_subquery() for query in found), payload.get("guild"), 0)


async def known(tx: AsyncConnection, key: str) -> bool:
    """Return whether a message of that key was stored before."""
    return (await tx.execute(select(outbox.c.id).where(outbox.c.key == key))).first() is not None


async def busy(tx: AsyncConnection, topic: str, kind: str) -> bool:
    """Return whether a message of a topic and kind still has to be sent."""
    still = outbox.c.topic == topic, outbox.c.state.in_(_UNSENT), outbox.c.kind == kind
    query = select(outbox.c.id).where(*still).limit(1)
    return (await tx.execute(query)).first() is not None


async def heads(tx: AsyncConnection, *, busy: Collection[str], limit: int) -> list[OutboxMessage]:
    """Return the first pending message of each topic that is not busy, due or not, soonest due first."""
    return [_message(row) for row in await tx.execute(_HEADS, {"busy": list(busy), "limit": limit})]


async def claim(
    tx: AsyncConnection,
    token: int,
    share: Share,
    *,
    busy: Collection[str],
    limit: int,
    at: datetime,
    repeatable: Collection[str] = (),
) -> list[OutboxMessage]:
    """Claim the first pending messages of topics that are neither busy nor another living process's.

    They are marked as begun ``at`` that time, but for those of the kinds that are ``repeatable``, and returned as they
    were before. They are about the servers of a share: only the process that is connected for a server knows its
    channels. For PostgreSQL.

    What others are claiming at the same moment is skipped. They stay claimed until they are done or ``token`` is gone.
    """
    values = {"busy": list(busy), "limit": limit, "token": token, "at": at, "repeatable": list(repeatable)}
    found = [_message(row) for row in await tx.execute(_claiming(share), values)]
    return sorted(found, key=lambda message: (message.due_at, message.id))


async def mark(tx: AsyncConnection, message_id: int, state: OutboxState, **values: Any) -> None:
    """Move a message on in its life."""
    await tx.execute(update(outbox).where(outbox.c.id == message_id).values(state=state, **values))


async def pending(tx: AsyncConnection) -> int:
    """Count what still has to be sent."""
    query = select(func.count()).select_from(outbox).where(outbox.c.state.in_(_UNSENT))
    return int((await tx.execute(query)).scalar_one())


async def waiting(tx: AsyncConnection, share: Share) -> tuple[int, datetime | None]:
    """Count what still has to be sent to the servers of a share, and return since when the first of it is due."""
    query = select(func.count(), func.min(outbox.c.due_at)).where(
        outbox.c.state.in_(_UNSENT), of_share(outbox.c.guild_id, share)
    )
    count, since = (await tx.execute(query)).one()
    return count, since


async def dropped(tx: AsyncConnection, guild_id: int) -> dict[int, list[int]]:
    """Return the dropped messages about a server's matches and challenges, each with the places it is meant for."""
    is_dropped = outbox.c.state == OutboxState.DROPPED
    of_match = select(outbox.c.id, matches.c.thread_id, matches.c.channel_id).join(outbox, matches.c.id == _MATCH)
    of_challenge = select(outbox.c.id, null(), challenges.c.channel_id).join(outbox, challenges.c.id == _CHALLENGE)
    query = union_all(
        of_match.where(is_dropped, matches.c.guild_id == guild_id),
        of_challenge.where(is_dropped, challenges.c.guild_id == guild_id),
    )
    rows = (await tx.execute(query)).all()
    return {message_id: [place for place in places if place is not None] for message_id, *places in rows}


async def revive(tx: AsyncConnection, message_ids: Collection[int], now: datetime) -> None:
    """Have dropped messages tried again; they may have been posted all the same."""
    values = {"state": OutboxState.SENDING, "due_at": now, "done_at": None}
    await tx.execute(update(outbox).where(outbox.c.id.in_(message_ids)).values(**values))


async def stalled(tx: AsyncConnection, since: datetime, share: Share) -> int:
    """Count what should have been sent before ``since`` and still can be, if nothing at all was sent from then on.

    What waits for something else of its topic, which Discord has put off, does not count, nor what belongs to servers
    outside a share.
    """
    ours = of_share(outbox.c.guild_id, share)
    if (await tx.execute(select(outbox.c.id).where(outbox.c.done_at >= since, ours).limit(1))).first() is not None:
        return 0
    late = outbox.c.state.in_(_UNSENT), outbox.c.due_at < since, ours, ~_earlier_of_its_topic()
    return int((await tx.execute(select(func.count()).select_from(outbox).where(*late))).scalar_one())


async def mark_processed(tx: AsyncConnection, interaction_id: int, at: datetime) -> bool:
    """Note that an interaction is being carried out; False when it was before."""
    new = inserting(tx, interactions).values(id=interaction_id, at=at).on_conflict_do_nothing()
    return (await tx.execute(new)).rowcount == 1


async def forget(tx: AsyncConnection, before: datetime, refused_before: datetime) -> None:
    """Delete what is finished and old enough: processed interactions, sent messages, and dropped ones."""
    await tx.execute(delete(interactions).where(interactions.c.at < before))
    refused = outbox.c.state == OutboxState.DROPPED
    await tx.execute(delete(outbox).where(outbox.c.state.not_in(_UNSENT), ~refused, outbox.c.done_at < before))
    await tx.execute(delete(outbox).where(refused, outbox.c.done_at < refused_before))


def _earlier_of_its_topic() -> ColumnElement[bool]:
    """Return whether another message of the same topic comes before it."""
    before = outbox.alias()
    same_topic = before.c.topic == outbox.c.topic
    return select(before.c.id).where(same_topic, before.c.state.in_(_UNSENT), before.c.id < outbox.c.id).exists()


def _first_of_each_topic(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the query for ``heads`` and ``claim``, to be built once: it is put several times a turn."""
    limit = bindparam("limit", type_=Integer)
    free = outbox.c.topic.not_in(bindparam("busy", expanding=True))
    soonest = outbox.c.due_at, outbox.c.id
    # Each state by its index, in order: after an outage thousands may be pending, and they are asked for one by one.
    of_each_state = [
        select(outbox.c.id)
        .where(outbox.c.state == state, free, ~_earlier_of_its_topic(), *conditions)
        .order_by(*soonest)
        .limit(limit)
        .subquery()
        for state in _UNSENT
    ]
    firsts = union_all(*(select(found.c.id) for found in of_each_state))
    generation = select(generations.c.value).scalar_subquery().label("generation")
    return select(outbox, generation).where(outbox.c.id.in_(firsts)).order_by(*soonest).limit(limit)


_HEADS = _first_of_each_topic()
_CLAIMABLE = outbox.c.state.in_(_UNSENT), unclaimed(outbox.c.claimed_by, bindparam("token", type_=Id))


@cache
def _claiming(share: Share) -> ReturningUpdate[Any]:
    """Return the query for ``claim``, in one statement: it is put several times a turn."""
    first = _first_of_each_topic(*_CLAIMABLE, of_share(outbox.c.guild_id, share))
    # Said once more outside: of a row that has changed meanwhile only that is looked at again.
    free = first.where(*_CLAIMABLE).with_for_update(skip_locked=True, of=outbox).cte("free")
    begins = free.c.kind.not_in(bindparam("repeatable", expanding=True))
    begun_at = func.coalesce(free.c.begun_at, bindparam("at", type_=outbox.c.begun_at.type))
    return (
        update(outbox)
        .where(outbox.c.id == free.c.id)
        .values(
            claimed_by=bindparam("token", type_=Id),
            state=case((begins, OutboxState.SENDING), else_=free.c.state),
            attempts=free.c.attempts + case((begins, 1), else_=0),
            begun_at=case((begins, begun_at), else_=free.c.begun_at),
        )
        .returning(*free.c)
    )


def _message(row: Row[Any]) -> OutboxMessage:
    return OutboxMessage(
        id=row.id,
        key=row.key,
        topic=row.topic,
        kind=row.kind,
        payload=row.payload,
        state=OutboxState(row.state),
        attempts=row.attempts,
        due_at=row.due_at,
        created_at=row.created_at,
        begun_at=row.begun_at,
        generation=row.generation,
    )
