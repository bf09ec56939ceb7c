"""Leaderboards in pages: who has which place in a server, by rating or by wins. The database ranks and cuts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.rating_records import Rating
from bot.storage.tables import matches, ratings, seats
from bot.storage.tables.columns import record


@dataclass(frozen=True, slots=True)
class Placed:
    """A person on a leaderboard. People with the same ``value``, points or wins, share a place."""

    place: int
    user_id: int
    value: int
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """One page of a leaderboard, from 0 to ``last``; ``own`` is the reader if they stand on another page.

    ``high`` is the value of the best on all pages.
    """

    listed: list[Placed]
    own: Placed | None
    page: int
    last: int
    high: int


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a leaderboard that is wanted: a page of some size, and the reader's own place."""

    page: int
    size: int
    reader_id: int


@dataclass(frozen=True, slots=True)
class RatingScale:
    """How ratings are shown: as points, and with a question mark until they are certain."""

    points_per_mu: int
    certain_games: int
    certain_sigma: float


async def by_rating(
    tx: AsyncConnection, guild_id: int, game: str, since: datetime, scale: RatingScale, part: Part
) -> Leaderboard:
    """Rank the ratings of a game in a server that changed since a time: certain ones first, then by points."""
    points = func.round(ratings.c.mu * scale.points_per_mu)
    games = ratings.c.wins + ratings.c.draws + ratings.c.losses
    certain = and_(games >= scale.certain_games, ratings.c.sigma <= scale.certain_sigma)
    query = select(ratings, points.label("value")).where(
        ratings.c.guild_id == guild_id,
        ratings.c.game == game,
        ratings.c.updated_at >= since,
        ratings.c.user_id > 0,  # erased people have a negative number
    )
    return await _page(tx, query, (certain.desc(), points.desc()), ratings.c.user_id, part)


async def by_wins(tx: AsyncConnection, guild_id: int, game: str | None, since: datetime, part: Part) -> Leaderboard:
    """Rank people by the matches between people that they have won in a server since a time."""
    wins = func.count()
    computer = seats.alias()
    against_computer = select(computer.c.seat).where(computer.c.match_id == matches.c.id, computer.c.level.is_not(None))
    query = (
        select(seats.c.user_id, wins.label("value"))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(matches.c.guild_id == guild_id, matches.c.ended_at >= since, seats.c.won.is_(True), seats.c.user_id > 0)
        .where(matches.c.voided_by.is_(None), ~against_computer.exists())
        .group_by(seats.c.user_id)
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    return await _page(tx, query, (wins.desc(),), seats.c.user_id, part)


async def _page(
    tx: AsyncConnection,
    query: Select[Any],
    order: tuple[ColumnElement[Any], ...],
    user_id: ColumnElement[int],
    part: Part,
) -> Leaderboard:
    place = func.rank().over(order_by=order).label("place")
    number = func.row_number().over(order_by=(*order, user_id)).label("number")
    every = query.subquery()
    values = select(func.count(), func.max(every.c.value)).select_from(every)
    total, high = (await tx.execute(values)).one()
    if not total:
        return Leaderboard([], None, 0, 0, 0)
    last = (total - 1) // part.size
    page = min(part.page, last)
    ranked = query.add_columns(place, number).subquery()
    on_page = ranked.c.number.between(page * part.size + 1, (page + 1) * part.size)
    wanted = select(ranked).where(or_(on_page, ranked.c.user_id == part.reader_id)).order_by(ranked.c.number)
    listed, own = list[Placed](), None
    for row in await tx.execute(wanted):
        rating = record(Rating, row) if "mu" in row._fields else None
        placed = Placed(row.place, row.user_id, int(row.value), rating)
        if page * part.size < row.number <= (page + 1) * part.size:
            listed.append(placed)
        else:
            own = placed
    return Leaderboard(listed, own, page, last, int(high))
