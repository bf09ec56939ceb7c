"""The private notes of players on positions of their matches. Only their writer may be shown them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import notes, seats
from bot.storage.transactions import inserting


async def of_match(tx: AsyncConnection, match_id: int, user_id: int) -> dict[int, str]:
    """Return a person's notes on a match, by the ply after which each position stood, earliest first."""
    own = notes.c.match_id == match_id, notes.c.user_id == user_id
    return {row.ply: row.text for row in await tx.execute(select(notes).where(*own).order_by(notes.c.ply))}


async def lock_seat(tx: AsyncConnection, match_id: int, user_id: int) -> bool:
    """Keep a person in their seat until the transaction ends; return False if they have none."""
    # The sum keeps databases from looking through all seats of the person.
    theirs = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.user_id + 0 == user_id)
    return (await tx.execute(theirs.with_for_update())).first() is not None


async def put(tx: AsyncConnection, match_id: int, user_id: int, ply: int, text: str) -> None:
    """Store a note in place of an earlier one; an empty text removes it."""
    key = {"match_id": match_id, "user_id": user_id, "ply": ply}
    if text:
        added = inserting(tx, notes).values(**key, text=text)
        await tx.execute(added.on_conflict_do_update(index_elements=list(key), set_={"text": text}))
    else:
        await tx.execute(delete(notes).where(*(notes.c[name] == value for name, value in key.items())))


async def of_person(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return all notes of a person, with their matches."""
    query = select(notes).where(notes.c.user_id == user_id).order_by(notes.c.match_id, notes.c.ply)
    return [dict(row._mapping) for row in await tx.execute(query)]


async def delete_of_person(tx: AsyncConnection, user_id: int) -> None:
    await tx.execute(delete(notes).where(notes.c.user_id == user_id))
