"""Takes a person out of what others keep."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import ChallengeState
from bot.storage.tables import challenge_players, challenges, matches, rating_changes, ratings, seats


async def lock_challenges(tx: AsyncConnection, user_id: int) -> list[int]:
    """Lock the open challenges a person has to do with, and return their numbers."""
    mine = or_(challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id)
    joined = select(challenge_players.c.challenge_id).where(challenge_players.c.user_id == user_id)
    still_open = challenges.c.state == ChallengeState.OPEN
    ids = select(challenges.c.id).where(still_open, or_(mine, challenges.c.id.in_(joined)))
    return list((await tx.execute(ids.order_by(challenges.c.id).with_for_update())).scalars())


async def erase(tx: AsyncConnection, user_id: int, nobody_id: int, name: str) -> list[int]:
    """Put ``nobody_id`` and ``name`` in a person's place everywhere.

    Their open challenges are called off, and they leave those of others. Return the numbers of these challenges.
    """
    touched = await lock_challenges(tx, user_id)
    mine = or_(challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id)
    still_open = challenges.c.state == ChallengeState.OPEN
    others = select(challenges.c.id).where(still_open, challenges.c.challenger_id != user_id)
    await tx.execute(
        delete(challenge_players).where(
            challenge_players.c.user_id == user_id, challenge_players.c.challenge_id.in_(others)
        )
    )
    await tx.execute(update(challenges).where(mine, still_open).values(state=ChallengeState.CANCELLED))
    for column in (challenges.c.challenger_id, challenges.c.opponent_id):
        await tx.execute(update(challenges).where(column == user_id).values({column.name: nobody_id}))
    for table in (challenge_players, seats):
        await tx.execute(update(table).where(table.c.user_id == user_id).values(user_id=nobody_id, name=name))
    await tx.execute(update(matches).where(matches.c.voided_by == user_id).values(voided_by=nobody_id))
    for table in (ratings, rating_changes):
        await tx.execute(update(table).where(table.c.user_id == user_id).values(user_id=nobody_id))
    return touched


async def challenges_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return a person's challenges as they are stored."""
    mine = or_(challenges.c.challenger_id == user_id, challenges.c.opponent_id == user_id)
    return [dict(row._mapping) for row in await tx.execute(select(challenges).where(mine))]
