"""Ratings and their changes. The game ``OVERALL`` stands for all games of a server together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Rating, RatingChange
from bot.storage.tables import matches, rating_changes, ratings

OVERALL = ""


async def of(tx: AsyncConnection, guild_id: int, game: str, user_ids: Collection[int]) -> dict[int, Rating]:
    """Return the ratings of some people in one game, of those who have one."""
    query = select(ratings).where(
        ratings.c.guild_id == guild_id, ratings.c.game == game, ratings.c.user_id.in_(user_ids)
    )
    return {row.user_id: _rating(row) for row in await tx.execute(query)}


async def everywhere(tx: AsyncConnection, guild_id: int, user_id: int) -> dict[str, Rating]:
    """Return a person's ratings in a server by game, the overall one included."""
    query = select(ratings).where(ratings.c.guild_id == guild_id, ratings.c.user_id == user_id)
    return {row.game: _rating(row) for row in await tx.execute(query)}


async def all_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return a person's ratings in every server as they are stored."""
    return [dict(row._mapping) for row in await tx.execute(select(ratings).where(ratings.c.user_id == user_id))]


async def board(tx: AsyncConnection, guild_id: int, game: str, since: datetime) -> list[Rating]:
    """Return the ratings of a game in a server that changed since a time, in no order that means anything."""
    query = select(ratings).where(
        ratings.c.guild_id == guild_id,
        ratings.c.game == game,
        ratings.c.updated_at >= since,
        ratings.c.user_id > 0,  # those who had themselves deleted go on under a negative number
    )
    return [_rating(row) for row in await tx.execute(query)]


async def everything(tx: AsyncConnection) -> dict[tuple[int, str, int], Rating]:
    """Return every rating by server, game and person."""
    return {(row.guild_id, row.game, row.user_id): _rating(row) for row in await tx.execute(select(ratings))}


async def put(tx: AsyncConnection, guild_id: int, game: str, new: Iterable[Rating], at: datetime) -> None:
    """Store the ratings of some people in one game in place of what they had."""
    values = [
        {
            "guild_id": guild_id,
            "game": game,
            "user_id": rating.user_id,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "wins": rating.wins,
            "draws": rating.draws,
            "losses": rating.losses,
            "updated_at": at,
        }
        for rating in new
    ]
    await tx.execute(
        delete(ratings).where(
            ratings.c.guild_id == guild_id,
            ratings.c.game == game,
            ratings.c.user_id.in_([value["user_id"] for value in values]),
        )
    )
    await tx.execute(insert(ratings), values)


async def add_changes(tx: AsyncConnection, game: str, changes: Iterable[RatingChange]) -> None:
    """Store what a match did to ratings."""
    await tx.execute(
        insert(rating_changes),
        [
            {
                "match_id": change.match_id,
                "game": game,
                "user_id": change.user_id,
                "mu_before": change.mu_before,
                "sigma_before": change.sigma_before,
                "mu_after": change.mu_after,
                "sigma_after": change.sigma_after,
                "at": change.at,
            }
            for change in changes
        ],
    )


async def changes_of_match(tx: AsyncConnection, match_id: int, game: str) -> dict[int, RatingChange]:
    """Return what a match did to the ratings of a game, by person."""
    query = select(rating_changes).where(rating_changes.c.match_id == match_id, rating_changes.c.game == game)
    return {row.user_id: change_of(row) for row in await tx.execute(query)}


async def history(tx: AsyncConnection, guild_id: int, game: str, user_id: int) -> list[RatingChange]:
    """Return a person's rating changes in a server and game, oldest first."""
    query = (
        select(rating_changes)
        .join(matches, matches.c.id == rating_changes.c.match_id)
        .where(matches.c.guild_id == guild_id, rating_changes.c.game == game, rating_changes.c.user_id == user_id)
        .order_by(rating_changes.c.at, rating_changes.c.match_id)
    )
    return [change_of(row) for row in await tx.execute(query)]


def _rating(row: Row[Any]) -> Rating:
    return Rating(row.user_id, row.mu, row.sigma, row.wins, row.draws, row.losses)


def change_of(row: Row[Any]) -> RatingChange:
    """Return what a row of the table says."""
    return RatingChange(
        row.match_id, row.user_id, row.mu_before, row.sigma_before, row.mu_after, row.sigma_after, row.at
    )
