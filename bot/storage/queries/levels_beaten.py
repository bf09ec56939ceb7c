"""Which levels of computer players somebody has beaten at which game, and in which match for the first time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.inserting import inserting
from bot.storage.tables import levels_beaten, matches, seats


async def note(tx: AsyncConnection, user_id: int, game: str, level: int, match_id: int) -> None:
    """Store that somebody has beaten a level in a match, unless they had before."""
    values = {"user_id": user_id, "game": game, "level": level, "match_id": match_id}
    await tx.execute(inserting(tx, levels_beaten).values(values).on_conflict_do_nothing())


async def first_with(tx: AsyncConnection, match_id: int) -> int | None:
    """Return the level that was beaten for the first time with a match, if one was."""
    query = select(levels_beaten.c.level).where(levels_beaten.c.match_id == match_id)
    return (await tx.execute(query)).scalar_one_or_none()


async def highest(tx: AsyncConnection, user_id: int) -> dict[str, int]:
    """Return the highest level somebody has beaten, by game."""
    query = (
        select(levels_beaten.c.game, func.max(levels_beaten.c.level).label("level"))
        .where(levels_beaten.c.user_id == user_id)
        .group_by(levels_beaten.c.game)
        .order_by(levels_beaten.c.game)
    )
    return {row.game: row.level for row in await tx.execute(query)}


async def all_of(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """Return the levels somebody has beaten as they are stored."""
    query = (
        select(levels_beaten)
        .where(levels_beaten.c.user_id == user_id)
        .order_by(levels_beaten.c.game, levels_beaten.c.level)
    )
    return [dict(row._mapping) for row in await tx.execute(query)]


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Forget that a level was beaten with a match that was voided, unless its winner has beaten it in another, too."""
    voided = delete(levels_beaten).where(levels_beaten.c.match_id == match_id).returning(levels_beaten)
    for row in (await tx.execute(voided)).all():
        other = await _first_win(tx, row.user_id, row.game, row.level)
        if other is not None:
            await note(tx, row.user_id, row.game, row.level, other)


async def _first_win(tx: AsyncConnection, user_id: int, game: str, level: int) -> int | None:
    """Return the first match that counts in which somebody alone has beaten a level, the lowest they played against."""
    mine, others = seats.alias(), seats.alias()
    people = select(others).where(
        others.c.match_id == matches.c.id, others.c.level.is_(None), others.c.seat != mine.c.seat
    )
    lowest = select(func.min(others.c.level)).where(others.c.match_id == matches.c.id).scalar_subquery()
    query = (
        select(matches.c.id)
        .join(mine, mine.c.match_id == matches.c.id)
        .where(mine.c.user_id == user_id, mine.c.won.is_(True), matches.c.game == game, matches.c.voided_by.is_(None))
        # A match that was imported counts for nobody, and has no place in the order in which they ended.
        .where(~people.exists(), lowest == level, matches.c.finish.is_not(None))
        .order_by(matches.c.finish)
        .limit(1)
    )
    return (await tx.execute(query)).scalar_one_or_none()
