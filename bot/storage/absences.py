"""Absences: when people are away, who is in a match, and which absences boards still name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.matches import match_of, seat_of
from bot.storage.records import Match
from bot.storage.tables import absences, matches, seats
from bot.storage.tables.columns import Id, Instant, to_dataclass


@dataclass(frozen=True, slots=True)
class Absence:
    """A time in which a person's clocks stand still.

    A ``grace`` is a day that was spent by itself where they ran out of time; other clocks went on.
    """

    id: int
    user_id: int
    begins_at: datetime
    ends_at: datetime
    grace: bool = False


async def away(tx: AsyncConnection, user_ids: Collection[int], at: datetime) -> set[int]:
    """Return which people are away at a time."""
    some = absences.c.user_id.in_(user_ids), absences.c.begins_at <= at, absences.c.ends_at > at
    return set((await tx.execute(select(absences.c.user_id).where(*some, absences.c.grace.is_(False)))).scalars())


async def since(tx: AsyncConnection, user_id: int, at: datetime) -> list[Absence]:
    """Return a person's absences and graces that ended after a time, oldest first."""
    query = (
        select(absences).where(absences.c.user_id == user_id, absences.c.ends_at > at).order_by(absences.c.begins_at)
    )
    return [to_dataclass(Absence, row) for row in await tx.execute(query)]


async def add(
    tx: AsyncConnection, user_id: int, begins_at: datetime, ends_at: datetime, *, grace: bool = False
) -> None:
    due_at = None if grace else ends_at
    values = {"begins_at": begins_at, "ends_at": ends_at, "grace": grace, "due_at": due_at}
    await tx.execute(insert(absences).values(user_id=user_id, **values))


async def end(tx: AsyncConnection, absence_id: int, at: datetime) -> None:
    await tx.execute(update(absences).where(absences.c.id == absence_id).values(ends_at=at, due_at=None))


async def over(tx: AsyncConnection, now: datetime) -> list[int]:
    """Return the absences that are over, and that boards still name."""
    over = select(absences.c.id).where(absences.c.due_at <= now).order_by(absences.c.due_at)
    return list((await tx.execute(over)).scalars())


async def take_over(tx: AsyncConnection, absence_id: int) -> int | None:
    """Note that boards no longer name an absence, and return its person; None if another process has done so."""
    named = absences.c.id == absence_id, absences.c.due_at.is_not(None)
    query = update(absences).where(*named).values(due_at=None).returning(absences.c.user_id)
    user_id: int | None = (await tx.execute(query)).scalar_one_or_none()
    return user_id


_AWAY_UNTIL = select(func.max(absences.c.ends_at)).where(
    absences.c.user_id == seats.c.user_id,
    absences.c.begins_at <= bindparam("now", type_=Instant),
    absences.c.due_at > bindparam("now", type_=Instant),
)
_GET_WITH_ABSENCES = (
    select(matches, seats, _AWAY_UNTIL.scalar_subquery().label("away_until"))
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id == bindparam("of_match", type_=Id))
    .order_by(seats.c.seat)
)


async def of_match(tx: AsyncConnection, match_id: int, now: datetime) -> tuple[Match, dict[int, datetime]] | None:
    """Return a match, and until when people in it are away now, by seat; None if there is no such match."""
    rows = (await tx.execute(_GET_WITH_ABSENCES, {"of_match": match_id, "now": now})).all()
    if not rows:
        return None
    away = {row.seat: row.away_until for row in rows if row.away_until is not None}
    return match_of(rows[0], tuple(map(seat_of, rows))), away
