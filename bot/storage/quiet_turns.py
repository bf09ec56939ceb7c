"""Turns that began in a person's quiet hours, of which they are told when these are over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import quiet_turns
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True)
class QuietTurns:
    """Turns of a person that began in their quiet hours, from ``since`` on; they are told of them at ``due_at``."""

    id: int
    user_id: int
    since: datetime
    due_at: datetime


async def note(tx: AsyncConnection, user_id: int, guild_id: int, since: datetime, due_at: datetime) -> None:
    """Note that a turn of a person has begun in their quiet hours, unless one is noted already."""
    new = inserting(tx, quiet_turns).values(user_id=user_id, guild_id=guild_id, since=since, due_at=due_at)
    await tx.execute(new.on_conflict_do_nothing())


async def over(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the rows of people whose quiet hours are over."""
    over = select(quiet_turns.c.id).where(quiet_turns.c.due_at <= now).order_by(quiet_turns.c.id)
    return list((await tx.execute(over)).scalars())


async def take(tx: AsyncConnection, row_id: int) -> QuietTurns | None:
    """Delete the row of a person whose quiet hours are over, and return it; None if another process has done so."""
    taken = delete(quiet_turns).where(quiet_turns.c.id == row_id).returning(quiet_turns)
    row = (await tx.execute(taken)).one_or_none()
    return None if row is None else to_dataclass(QuietTurns, row)


async def of_person(tx: AsyncConnection, user_id: int) -> list[QuietTurns]:
    """Return what is noted of a person's turns in their quiet hours."""
    return [
        to_dataclass(QuietTurns, row)
        for row in await tx.execute(select(quiet_turns).where(quiet_turns.c.user_id == user_id))
    ]
