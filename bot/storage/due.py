"""Finds reminders, deadlines and the like that fall due, and says when the next one does."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Select,
    bindparam,
    select,
    true,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.contest_states import CupState
from bot.storage.guilds import attended
from bot.storage.records import ChallengeState
from bot.storage.running_clocks import GOING, HAS_CLOCK, RUNNING
from bot.storage.shards import Shard, outside
from bot.storage.tables import (
    absences,
    challenges,
    cups,
    daily_puzzles,
    digests,
    held_turns,
    ladders,
    matches,
    puzzle_channels,
    quiet_turns,
)

_NOT_QUARANTINED = matches.c.id.not_in(bindparam("quarantined", expanding=True))


async def next_due(
    tx: AsyncConnection, quarantined: Collection[int] = (), away: Collection[Shard] = ()
) -> datetime | None:
    """Return when the next thing falls due; ``quarantined`` matches and servers of shards ``away`` are left out.

    That is a reminder, a deadline, the end of an open challenge, the beginning of a cup, a puzzle of the day, its
    solver count, the week of a ladder, the end of a person's quiet hours or absence, their digest, or a held turn.
    """
    times = (await tx.execute(_next_due(frozenset(away)), {"quarantined": list(quarantined)})).one()
    return min((time for time in times if time is not None), default=None)


async def to_remind(tx: AsyncConnection, now: datetime, away: Collection[Shard] = ()) -> list[int]:
    """Return the running matches whose reminder is due, outside shards that are ``away``."""
    query = select(matches.c.id).where(RUNNING, matches.c.remind_at <= now, GOING, attended(matches))
    return list((await tx.execute(query.where(outside(matches.c.guild_id, away)).order_by(matches.c.id))).scalars())


async def to_flag(tx: AsyncConnection, now: datetime, away: Collection[Shard] = ()) -> list[int]:
    """Return the running matches whose time is up and that are not flagged, outside shards that are ``away``."""
    late = matches.c.flagged.is_(False), matches.c.deadline_at <= now, GOING
    query = select(matches.c.id).where(RUNNING, *late, attended(matches), outside(matches.c.guild_id, away))
    return list((await tx.execute(query)).scalars())


async def to_tell(tx: AsyncConnection, now: datetime, away: Collection[Shard] = ()) -> list[int]:
    """Return the matches whose turn is to be told now, outside shards that are ``away``."""
    query = select(held_turns.c.match_id).where(held_turns.c.due_at <= now, attended(held_turns))
    query = query.where(outside(held_turns.c.guild_id, away))
    return sorted((await tx.execute(query)).scalars())


async def any_live(tx: AsyncConnection, now: datetime, seconds: int) -> bool:
    """Return whether a clock with a bank of less than so many seconds runs."""
    # Their deadlines are near, so an index finds them among many that are not.
    soon = matches.c.deadline_at < now + timedelta(seconds=seconds)
    here = GOING, attended(matches)
    query = select(matches.c.id).where(HAS_CLOCK, soon, matches.c.pace < seconds, *here).limit(1)
    return (await tx.execute(query)).first() is not None


@cache
def _next_due(away: frozenset[Shard]) -> Select[Any]:
    """Return the query for ``next_due``, built once, because it is put after every turn."""
    playing = RUNNING, GOING, _NOT_QUARANTINED
    awaited: tuple[tuple[Column[Any], tuple[ColumnElement[bool], ...]], ...] = (
        (matches.c.remind_at, (*playing, attended(matches))),
        (matches.c.deadline_at, (*playing, matches.c.flagged.is_(False), attended(matches))),
        (challenges.c.expires_at, (challenges.c.state == ChallengeState.OPEN,)),
        (cups.c.starts_at, (cups.c.state == CupState.OPEN, attended(cups))),
        (puzzle_channels.c.due_at, (attended(puzzle_channels),)),
        (ladders.c.due_at, (attended(ladders),)),
        (daily_puzzles.c.count_due_at, (attended(daily_puzzles),)),
        (quiet_turns.c.due_at, ()),
        (held_turns.c.due_at, (attended(held_turns),)),
        (digests.c.due_at, ()),
        (absences.c.due_at, ()),
    )
    return select(
        *(
            select(column)
            .where(column.is_not(None), *conditions, _reached(column.table, away))
            .order_by(column)
            .limit(1)
            .scalar_subquery()
            for column, conditions in awaited
        )
    )


def _reached(table: FromClause, away: Collection[Shard]) -> ColumnElement[bool]:
    """Return whether a row belongs to no server of shards that are ``away``."""
    return outside(table.c.guild_id, away) if "guild_id" in table.c else true()
