"""The turns that computer players have to play: a row from the transaction that began one to that which plays it."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import and_, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.queries.processes import none_of, unclaimed
from bot.storage.records import ComputerTurn
from bot.storage.tables import computer_turns


async def add(tx: AsyncConnection, match_id: int, ply: int) -> None:
    """Store that the computer player of a match is to move at a ply."""
    await tx.execute(insert(computer_turns).values(match_id=match_id, ply=ply))


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Forget the turn of a match, which was played or will never be."""
    await tx.execute(delete(computer_turns).where(computer_turns.c.match_id == match_id))


async def claim(
    tx: AsyncConnection,
    token: int,
    limit: int,
    *,
    begun: Collection[ComputerTurn] = (),
    unless_there_is: str | None = None,
) -> list[ComputerTurn]:
    """Claim turns that no living process has claimed, at most ``limit``; return them.

    They are left to the processes of a role, ``unless_there_is`` none of it. Those that are claimed for ``token`` and
    not ``begun`` are returned as well.

    What others are claiming at the same moment is skipped. They stay claimed until they are played, or until ``token``
    is gone.
    """
    playing = [turn.match_id for turn in begun]
    forgotten = and_(computer_turns.c.claimed_by == token, computer_turns.c.match_id.not_in(playing))
    free = or_(forgotten, and_(unclaimed(computer_turns.c.claimed_by), none_of(unless_there_is)))
    order = computer_turns.c.match_id, computer_turns.c.ply
    query = select(computer_turns).where(free).order_by(*order).limit(limit)
    found = [ComputerTurn(row.match_id, row.ply) for row in await tx.execute(query.with_for_update(skip_locked=True))]
    for due in found:
        mine = computer_turns.c.match_id == due.match_id, computer_turns.c.ply == due.ply
        await tx.execute(update(computer_turns).where(*mine).values(claimed_by=token))
    return found


async def pending(tx: AsyncConnection) -> list[ComputerTurn]:
    """Return every turn that is to be played, in the order of the matches."""
    rows = await tx.execute(select(computer_turns).order_by(computer_turns.c.match_id))
    return [ComputerTurn(row.match_id, row.ply) for row in rows]
