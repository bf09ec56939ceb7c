"""Erasure: what is deleted of a person, and who stands in their place in what stays."""

from __future__ import annotations

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import reratings
from bot.storage.challenges import made_or_sent, open_about
from bot.storage.records import ChallengeState
from bot.storage.tables import (
    absences,
    blocks,
    challenge_players,
    challenges,
    digests,
    ladder_players,
    levels_beaten,
    matches,
    mentions,
    people,
    quiet_turns,
    rating_changes,
    ratings,
    seats,
    visits,
)


async def delete_settings(tx: AsyncConnection, user_id: int) -> None:
    """Delete the rows of a person, except in matches and ratings; blocks by others stay, as bars do."""
    await tx.execute(delete(people).where(people.c.user_id == user_id))
    await tx.execute(delete(absences).where(absences.c.user_id == user_id))
    await tx.execute(delete(levels_beaten).where(levels_beaten.c.user_id == user_id))
    await tx.execute(delete(blocks).where(blocks.c.user_id == user_id))
    for table in (quiet_turns, digests, mentions, ladder_players, visits):
        await tx.execute(delete(table).where(table.c.user_id == user_id))


async def anonymise(tx: AsyncConnection, user_id: int, nobody_id: int, name: str) -> list[int]:
    """Put ``nobody_id`` and ``name`` in a person's place everywhere.

    Cancel their open challenges, and remove them from those of others. Return the numbers of these challenges.
    """
    touched = await open_about(tx, user_id, lock=True)
    still_open = challenges.c.state == ChallengeState.OPEN
    others = select(challenges.c.id).where(still_open, challenges.c.challenger_id != user_id)
    await tx.execute(
        delete(challenge_players).where(
            challenge_players.c.user_id == user_id, challenge_players.c.challenge_id.in_(others)
        )
    )
    await tx.execute(update(challenges).where(made_or_sent(user_id), still_open).values(state=ChallengeState.CANCELLED))
    for column in (challenges.c.challenger_id, challenges.c.opponent_id):
        await tx.execute(update(challenges).where(column == user_id).values({column.name: nobody_id}))
    theirs = {"user_id": nobody_id, "name": name}
    await tx.execute(update(challenge_players).where(challenge_players.c.user_id == user_id).values(theirs))
    await tx.execute(update(seats).where(seats.c.user_id == user_id).values(news=None, **theirs))
    await tx.execute(
        update(matches).where(matches.c.voided_by == user_id).values(voided_by=nobody_id, voided_name=None)
    )
    await reratings.begin_anew(tx, user_id)
    for table in (ratings, rating_changes):
        await tx.execute(update(table).where(table.c.user_id == user_id).values(user_id=nobody_id))
    return touched
