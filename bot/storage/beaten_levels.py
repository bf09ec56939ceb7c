"""Levels of the computer player that people have beaten, and their results against it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import levels_beaten, matches, moves, seats
from bot.storage.transactions import inserting


async def note(tx: AsyncConnection, user_id: int, game: str, level: int, match_id: int) -> None:
    """Store that a person has beaten a level in a match, unless they had before."""
    values = {"user_id": user_id, "game": game, "level": level, "match_id": match_id}
    await tx.execute(inserting(tx, levels_beaten).values(values).on_conflict_do_nothing())


async def first_with(tx: AsyncConnection, match_id: int) -> int | None:
    """Return the level that a person beat for the first time with a match, or None."""
    query = select(levels_beaten.c.level).where(levels_beaten.c.match_id == match_id)
    return (await tx.execute(query)).scalar_one_or_none()


async def highest(tx: AsyncConnection, user_id: int) -> dict[str, int]:
    """Return the highest level a person has beaten, by game."""
    query = (
        select(levels_beaten.c.game, func.max(levels_beaten.c.level).label("level"))
        .where(levels_beaten.c.user_id == user_id)
        .group_by(levels_beaten.c.game)
        .order_by(levels_beaten.c.game)
    )
    return {row.game: row.level for row in await tx.execute(query)}


async def results(tx: AsyncConnection, user_id: int, game: str) -> list[tuple[int, bool | None]]:
    """Return the lowest level and whether the person won, None for a draw, of each match that counts, newest first.

    These are the finished matches of one person against computer players alone, in any server. Left out are wins that
    repeat, move for move, an earlier one against the same level.
    """
    against = _against_computers(user_id, game).add_columns(matches.c.variant, matches.c.ply).cte("against")
    match, earlier, then, now = against.alias(), against.alias(), moves.alias(), moves.alias()
    other = select(then).join(now, now.c.ply == then.c.ply)
    other = other.where(then.c.match_id == earlier.c.id, now.c.match_id == match.c.id, then.c.text != now.c.text)
    same = [earlier.c[column] == match.c[column] for column in ("level", "won", "variant", "ply")]
    repeats = select(earlier).where(earlier.c.finish < match.c.finish, match.c.won, *same, ~other.exists()).exists()
    query = select(match.c.level, match.c.won).where(~repeats).order_by(match.c.finish.desc())
    return [(row.level, row.won) for row in await tx.execute(query)]


async def of_person(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    query = (
        select(levels_beaten)
        .where(levels_beaten.c.user_id == user_id)
        .order_by(levels_beaten.c.game, levels_beaten.c.level)
    )
    return [dict(row._mapping) for row in await tx.execute(query)]


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Forget that a voided match has beaten a level, unless its winner has beaten the level in another one, too."""
    voided = delete(levels_beaten).where(levels_beaten.c.match_id == match_id).returning(levels_beaten)
    for row in (await tx.execute(voided)).all():
        match = _against_computers(row.user_id, row.game).subquery()
        wins = select(match.c.id).where(match.c.level == row.level, match.c.won.is_(True)).order_by(match.c.finish)
        other = (await tx.execute(wins.limit(1))).scalar_one_or_none()
        if other is not None:
            await note(tx, row.user_id, row.game, row.level, other)


def _against_computers(user_id: int, game: str) -> Select[tuple[int, int, bool | None, int]]:
    """Return the query for a person's matches that count against computer players alone, with their lowest level."""
    mine, others = seats.alias(), seats.alias()
    opponents = select(others).where(others.c.match_id == matches.c.id, others.c.seat != mine.c.seat)
    lowest = select(func.min(others.c.level)).where(others.c.match_id == matches.c.id).scalar_subquery()
    return (
        select(matches.c.id, lowest.label("level"), mine.c.won, matches.c.finish)
        .join(mine, mine.c.match_id == matches.c.id)
        .where(mine.c.user_id == user_id, matches.c.game == game, matches.c.voided_by.is_(None))
        # An imported match does not count, and has no place in the order in which matches ended.
        .where(~opponents.where(others.c.level.is_(None)).exists(), matches.c.finish.is_not(None))
    )
