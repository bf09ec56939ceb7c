"""When people last used the bot, and which of their matches have ended since, for those who come back after days."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.match_lists import grouped
from bot.storage.records import EntryKind, Match
from bot.storage.tables import matches, moves, seats, visits
from bot.storage.transactions import inserting


async def last(tx: AsyncConnection, user_id: int) -> datetime | None:
    """Return when a person last used the bot, up to an hour early; None if they never did."""
    return (await tx.execute(select(visits.c.seen_at).where(visits.c.user_id == user_id))).scalar_one_or_none()


async def note(tx: AsyncConnection, user_id: int, before: datetime | None, at: datetime) -> bool:
    """Note that a person uses the bot, whose last use was ``before``; return False if that has been noted meanwhile."""
    if before is None:
        new = inserting(tx, visits).values(user_id=user_id, seen_at=at).on_conflict_do_nothing()
        return (await tx.execute(new)).rowcount > 0
    same = visits.c.user_id == user_id, visits.c.seen_at == before
    return (await tx.execute(update(visits).where(*same).values(seen_at=at))).rowcount > 0


async def ended_meanwhile(
    tx: AsyncConnection, user_id: int, since: datetime, until: datetime, *, resigned: str, most: int
) -> tuple[list[Match], int]:
    """Return the matches of a person in all servers that ended between two times, newest first, and their number.

    Left out are voided ones, those against computer players alone, and those that the person ended: their last entry is
    the person's move, or has the text ``resigned``.
    """
    other = seats.alias()
    people = select(other.c.seat).where(
        other.c.match_id == matches.c.id, other.c.user_id != user_id, other.c.level.is_(None)
    )
    own = select(moves.c.ply).where(
        moves.c.match_id == matches.c.id,
        moves.c.ply == matches.c.ply,
        moves.c.seat == seats.c.seat,
        or_(moves.c.kind == EntryKind.MOVE, moves.c.text == resigned),
    )
    theirs = and_(seats.c.match_id == matches.c.id, seats.c.user_id == user_id)
    newest = (
        select(matches.c.id, func.count().over().label("number"))
        .join(seats, theirs)
        .where(matches.c.ended_at > since, matches.c.ended_at < until, matches.c.voided_by.is_(None))
        .where(people.exists(), ~own.exists())
        .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
        .limit(most)
        .subquery()
    )
    every = seats.alias()
    query = select(matches, every, newest.c.number).join(newest, newest.c.id == matches.c.id)
    query = query.join(every, every.c.match_id == matches.c.id)
    rows = (await tx.execute(query.order_by(matches.c.ended_at.desc(), matches.c.id.desc(), every.c.seat))).all()
    return grouped(rows), rows[0].number if rows else 0
