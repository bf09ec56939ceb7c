"""Takes a person out of what others keep."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import ChallengeState
from bot.storage.tables import challenge_players, challenges, rating_changes, ratings, seats


async def erase(tx: AsyncConnection, user_id: int, nobody_id: int, name: str) -> None:
    """Put ``nobody_id`` and ``name`` in a person's place everywhere; open challenges of his are called off."""
    mine = or_(challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id)
    await tx.execute(
        update(challenges).where(mine, challenges.c.state == ChallengeState.OPEN).values(state=ChallengeState.CANCELLED)
    )
    for column in (challenges.c.challenger_id, challenges.c.opponent_id):
        await tx.execute(update(challenges).where(column == user_id).values({column.name: nobody_id}))
    for table in (challenge_players, seats):
        await tx.execute(update(table).where(table.c.user_id == user_id).values(user_id=nobody_id, name=name))
    for table in (ratings, rating_changes):
        await tx.execute(update(table).where(table.c.user_id == user_id).values(user_id=nobody_id))


async def challenges_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return a person's challenges as they are stored."""
    mine = or_(challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id)
    return [dict(row._mapping) for row in await tx.execute(select(challenges).where(mine))]
