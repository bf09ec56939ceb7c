"""The turns that computer players have to play: a row from the transaction that began one to that which plays it."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import ComputerTurn
from bot.storage.tables import computer_turns


async def add(tx: AsyncConnection, match_id: int, ply: int) -> None:
    """Store that the computer player of a match is to move at a ply."""
    await tx.execute(insert(computer_turns).values(match_id=match_id, ply=ply))


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Forget the turn of a match, which was played or will never be."""
    await tx.execute(delete(computer_turns).where(computer_turns.c.match_id == match_id))


async def pending(tx: AsyncConnection) -> list[ComputerTurn]:
    """Return every turn that is to be played, in the order of the matches."""
    rows = await tx.execute(select(computer_turns).order_by(computer_turns.c.match_id))
    return [ComputerTurn(row.match_id, row.ply) for row in rows]
