"""Which interactions were claimed while two processes are connected for the same servers."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, func
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.inserting import inserting
from bot.storage.tables import interaction_claims


async def claim(tx: AsyncConnection, interaction_id: int) -> bool:
    """Claim an interaction; return whether nobody had."""
    new = inserting(tx, interaction_claims).values(id=interaction_id, claimed_at=func.now())
    return (await tx.execute(new.on_conflict_do_nothing())).rowcount == 1


async def forget(tx: AsyncConnection, older: timedelta) -> None:
    """Delete the claims that are older than this; the time is the database's own."""
    await tx.execute(delete(interaction_claims).where(interaction_claims.c.claimed_at < func.now() - older))
