"""How finished matches ended, for leaderboards and profiles."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Outcome
from bot.storage.tables import matches, seats


async def wins_since(tx: AsyncConnection, guild_id: int, game: str | None, since: datetime) -> list[tuple[int, int]]:
    """Return who has won how many matches between people in a server since a time, most wins first."""
    wins = func.count().label("wins")
    computer = seats.alias()
    against_computer = select(computer.c.seat).where(computer.c.match_id == matches.c.id, computer.c.level.is_not(None))
    query = (
        select(seats.c.user_id, wins)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(matches.c.guild_id == guild_id, matches.c.ended_at >= since, seats.c.won.is_(True), seats.c.user_id > 0)
        .where(matches.c.voided_by.is_(None), ~against_computer.exists())
        .group_by(seats.c.user_id)
        .order_by(wins.desc(), seats.c.user_id)
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    return [(row.user_id, row.wins) for row in await tx.execute(query)]


async def outcomes_of(
    tx: AsyncConnection, guild_id: int, user_id: int, viewer_id: int, *, uncounted: str
) -> list[Outcome]:
    """Return how a person's finished matches in a server ended, newest first, and which were played with a viewer.

    Those that ended for the reason ``uncounted`` are left out.
    """
    viewer = seats.alias()
    shared = select(viewer.c.seat).where(viewer.c.match_id == seats.c.match_id, viewer.c.user_id == viewer_id)
    query = (
        select(matches.c.game, seats.c.won, matches.c.ended_at, matches.c.id, shared.exists().label("shared"))
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id, matches.c.guild_id == guild_id)
        .where(matches.c.voided_by.is_(None), matches.c.reason != uncounted)
    )
    finished = (row for row in await tx.execute(query) if row.ended_at is not None)
    rows = sorted(finished, key=lambda row: (row.ended_at, row.id), reverse=True)
    return [Outcome(row.game, row.won, row.shared) for row in rows]
