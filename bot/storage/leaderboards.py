"""Leaderboards in pages: who has which place in a server, by rating or by wins. The database ranks and cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Subquery, and_, case, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.rating_records import Rating
from bot.storage.tables import matches, ratings, seats
from bot.storage.tables.columns import to_dataclass


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
    query = select(ratings, points.label("value"), case((certain, 1), else_=0).label("certain")).where(
        ratings.c.guild_id == guild_id,
        ratings.c.game == game,
        ratings.c.updated_at >= since,
        ratings.c.user_id > 0,  # erased people have a negative number
    )
    return await _page(tx, query, part)


async def by_wins(tx: AsyncConnection, guild_id: int, game: str | None, since: datetime, part: Part) -> Leaderboard:
    """Rank people by the matches between people that they have won in a server since a time."""
    computer = seats.alias()
    against_computer = select(computer.c.seat).where(computer.c.match_id == matches.c.id, computer.c.level.is_not(None))
    query = (
        select(seats.c.user_id, func.count().label("value"), literal_column("1").label("certain"))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(matches.c.guild_id == guild_id, matches.c.ended_at >= since, seats.c.won.is_(True), seats.c.user_id > 0)
        .where(matches.c.voided_by.is_(None), ~against_computer.exists())
        .group_by(seats.c.user_id)
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    return await _page(tx, query, part)


async def _page(tx: AsyncConnection, query: Select[Any], part: Part) -> Leaderboard:
    """Return a page of people with their ``value``, the ``certain`` ones first.

    The database counts who comes before two of them, and sorts no more than it returns: it takes seven times as long to
    rank everybody.
    """
    every = query.subquery()
    of_all = select(func.count(), func.max(every.c.value)).select_from(every)
    total, high = (await tx.execute(of_all)).one()
    if not total:
        return Leaderboard([], None, 0, 0, 0)
    last = (total - 1) // part.size
    page = min(part.page, last)
    rows = await _rows(tx, every, page * part.size, min(part.size, total - page * part.size), total)
    own = None
    if all(row.user_id != part.reader_id for row in rows):
        own = (await tx.execute(select(every).where(every.c.user_id == part.reader_id))).one_or_none()
    asked = rows[:1] if own is None else [rows[0], own]
    before = (await tx.execute(select(*(_before(every, row) for row in asked)).select_from(every))).one()
    listed = [_placed(rows[0], before[0] + 1)]
    for number, (above, row) in enumerate(pairwise(rows), page * part.size + 2):
        level = (above.certain, above.value) == (row.certain, row.value)
        listed.append(_placed(row, listed[-1].place if level else number))
    return Leaderboard(listed, None if own is None else _placed(own, before[1] + 1), page, last, int(high))


async def _rows(tx: AsyncConnection, every: Subquery, begin: int, size: int, total: int) -> Sequence[Row[Any]]:
    """Return so many rows from one on, counted from whichever end is nearer."""
    order = every.c.certain.desc(), every.c.value.desc(), every.c.user_id.asc()
    rows_after = total - begin - size
    if begin <= rows_after:
        return (await tx.execute(select(every).order_by(*order).limit(size).offset(begin))).all()
    backwards = every.c.certain.asc(), every.c.value.asc(), every.c.user_id.desc()
    return (await tx.execute(select(every).order_by(*backwards).limit(size).offset(rows_after))).all()[::-1]


def _before(every: Subquery, row: Row[Any]) -> ColumnElement[int]:
    """Return how many people come before one, those who share their place left out."""
    higher = and_(every.c.certain == row.certain, every.c.value > row.value)
    return func.count().filter(or_(every.c.certain > row.certain, higher))


def _placed(row: Row[Any], place: int) -> Placed:
    return Placed(place, row.user_id, int(row.value), to_dataclass(Rating, row) if "mu" in row._fields else None)
