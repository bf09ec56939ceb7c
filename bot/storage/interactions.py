"""Interactions, and requests of the board page: which process answers one, and which were processed."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, literal, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import RequestId
from bot.storage.tables import interaction_claims, interactions, page_requests
from bot.storage.transactions import INSERTS, inserting

_MARK, _MARK_OF_PAGE = (
    {name: insert(table).on_conflict_do_nothing() for name, insert in INSERTS.items()}
    for table in (interactions, page_requests)
)


async def mark_processed(tx: AsyncConnection, request_id: RequestId, at: datetime) -> bool:
    """Note that an interaction, or a request of the board page, is being processed; return False if it was before."""
    by_page = isinstance(request_id, UUID)
    new = (_MARK_OF_PAGE if by_page else _MARK)[tx.dialect.name]
    return (await tx.execute(new, {"id": str(request_id) if by_page else request_id, "at": at})).rowcount == 1


async def was_processed(tx: AsyncConnection, request_id: RequestId) -> bool:
    """Return whether an interaction, or a request of the board page, was processed."""
    if isinstance(request_id, UUID):
        query = select(literal(1)).where(page_requests.c.id == str(request_id))
    else:
        query = select(literal(1)).where(interactions.c.id == request_id)
    return (await tx.execute(query)).first() is not None


async def last(tx: AsyncConnection, at: datetime) -> int | None:
    """Return the id of the last interaction that was processed by a time, if one is still noted."""
    query = select(interactions.c.id).where(interactions.c.at <= at).order_by(interactions.c.at.desc()).limit(1)
    return (await tx.execute(query)).scalar_one_or_none()


async def delete_old(tx: AsyncConnection, before: datetime) -> None:
    """Delete what was noted of interactions and requests before a time."""
    await tx.execute(delete(interactions).where(interactions.c.at < before))
    await tx.execute(delete(page_requests).where(page_requests.c.at < before))


async def reserve(tx: AsyncConnection, interaction_id: int) -> bool:
    """Reserve an interaction; return whether it was free. Its transaction does not wait for the server's disk.

    If the server loses its last moments in a crash, two processes may answer one interaction; what both want to store
    is stored once all the same.
    """
    if tx.dialect.name == "postgresql":
        await tx.execute(select(func.set_config("synchronous_commit", "off", true())))
    new = inserting(tx, interaction_claims).values(id=interaction_id, claimed_at=func.now())
    return (await tx.execute(new.on_conflict_do_nothing())).rowcount == 1


async def forget_reservations(tx: AsyncConnection, older: timedelta) -> None:
    """Delete reservations of interactions that are older than this, by the database's clock."""
    await tx.execute(delete(interaction_claims).where(interaction_claims.c.claimed_at < func.now() - older))
