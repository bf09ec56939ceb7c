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
    and_,
    bindparam,
    literal_column,
    not_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.matches import match_of
from bot.storage.records import ChallengeState, CupState, Match, MatchState, Rules
from bot.storage.slots import EVERYTHING, Partition, of_partition
from bot.storage.tables import (
    absences,
    challenges,
    cups,
    daily_puzzles,
    departures,
    digests,
    held_turns,
    ladders,
    matches,
    puzzle_channels,
    quiet_turns,
)
from bot.storage.work_queue import by_rules

_RUNNING = matches.c.state == literal_column(f"'{MatchState.RUNNING}'")
"""Written out in statements: only then a database sees that an index of running matches holds all that is asked for."""
_GOING = matches.c.stopped_at.is_(None)
"""Whether the clock of a match goes on: it stands while the bot lacks the game or the version of its rules."""
_NOT_QUARANTINED = matches.c.id.not_in(bindparam("quarantined", expanding=True))


async def next_due(
    tx: AsyncConnection,
    quarantined: Collection[int] = (),
    partition: Partition = EVERYTHING,
    away: Collection[Partition] = (),
) -> datetime | None:
    """Return when the next thing falls due in a partition, ``quarantined`` matches and servers ``away`` left out.

    That is a reminder, a deadline, the end of an open challenge, the beginning of a cup, a puzzle of the day, its
    solver count, the week of a ladder, the end of a person's quiet hours or absence, their digest, or a held turn.
    """
    times = (await tx.execute(_next_due(partition, frozenset(away)), {"quarantined": list(quarantined)})).one()
    return min((time for time in times if time is not None), default=None)


async def to_remind(
    tx: AsyncConnection, now: datetime, partition: Partition = EVERYTHING, away: Collection[Partition] = ()
) -> list[int]:
    """Return the running matches of a partition whose reminder is due, those in servers ``away`` left out."""
    query = select(matches.c.id).where(_RUNNING, matches.c.remind_at <= now, _GOING, _attended(matches))
    return list(
        (await tx.execute(query.where(_within(matches.c.guild_id, partition, away)).order_by(matches.c.id))).scalars()
    )


async def to_flag(
    tx: AsyncConnection, now: datetime, partition: Partition = EVERYTHING, away: Collection[Partition] = ()
) -> list[int]:
    """Return a partition's running matches whose time is up and that are not flagged; not those in servers ``away``."""
    late = matches.c.flagged.is_(False), matches.c.deadline_at <= now, _GOING
    query = select(matches.c.id).where(
        _RUNNING, *late, _attended(matches), _within(matches.c.guild_id, partition, away)
    )
    return list((await tx.execute(query)).scalars())


async def to_tell(
    tx: AsyncConnection, now: datetime, partition: Partition = EVERYTHING, away: Collection[Partition] = ()
) -> list[int]:
    """Return the matches of a partition whose turn is to be told now, those in servers ``away`` left out."""
    query = select(held_turns.c.match_id).where(held_turns.c.due_at <= now, _attended(held_turns))
    query = query.where(_within(held_turns.c.guild_id, partition, away))
    return sorted((await tx.execute(query)).scalars())


async def with_clock(tx: AsyncConnection, servers: int | Partition = EVERYTHING) -> list[Match]:
    """Lock unflagged running matches with a running clock: a server's, or those of a partition's servers with the bot.

    They come without their seats.
    """
    if isinstance(servers, Partition):
        where = and_(_attended(matches), of_partition(matches.c.guild_id, servers))
    else:
        where = matches.c.guild_id == servers
    return await _lock_matches(tx, _has_running_clock(), _GOING, where)


async def any_live(tx: AsyncConnection, now: datetime, seconds: int, partition: Partition) -> bool:
    """Return whether a clock with a bank of less than so many seconds runs in servers of a partition."""
    # Their deadlines are near, so an index finds them among many that are not.
    soon = matches.c.deadline_at < now + timedelta(seconds=seconds)
    here = _GOING, _attended(matches), of_partition(matches.c.guild_id, partition)
    query = select(matches.c.id).where(_has_running_clock(), soon, matches.c.pace < seconds, *here).limit(1)
    return (await tx.execute(query)).first() is not None


async def to_stop(tx: AsyncConnection, rules: Rules, servers: Partition) -> list[Match]:
    """Lock the matches whose clock has to be stopped, in servers the bot is in: their rules are not among ``rules``.

    They come without their seats.
    """
    here = _attended(matches), of_partition(matches.c.guild_id, servers)
    return await _lock_matches(tx, _has_running_clock(), _GOING, ~by_rules(rules), *here)


async def to_resume(tx: AsyncConnection, rules: Rules, servers: Partition) -> list[Match]:
    """Lock the matches whose stopped clock can go on, in servers the bot is in: their rules are among ``rules``.

    They come without their seats.
    """
    here = _attended(matches), of_partition(matches.c.guild_id, servers)
    return await _lock_matches(tx, _has_running_clock(), ~_GOING, by_rules(rules), *here)


def _has_running_clock() -> ColumnElement[bool]:
    """Return whether a match has a clock, and its time was not up already."""
    return and_(_RUNNING, matches.c.deadline_at.is_not(None), matches.c.flagged.is_(False))


async def _lock_matches(tx: AsyncConnection, *where: ColumnElement[bool]) -> list[Match]:
    query = select(matches).where(*where).order_by(matches.c.id).with_for_update()
    return [match_of(row, ()) for row in await tx.execute(query)]


def _within(guild_id: ColumnElement[int], partition: Partition, away: Collection[Partition]) -> ColumnElement[bool]:
    return and_(of_partition(guild_id, partition), *(not_(of_partition(guild_id, one)) for one in away))


@cache
def _next_due(partition: Partition, away: frozenset[Partition]) -> Select[Any]:
    """Return the query for ``next_due``, built once, because it is put after every turn."""
    playing = _RUNNING, _GOING, _NOT_QUARANTINED
    awaited: tuple[tuple[Column[Any], tuple[ColumnElement[bool], ...]], ...] = (
        (matches.c.remind_at, (*playing, _attended(matches))),
        (matches.c.deadline_at, (*playing, matches.c.flagged.is_(False), _attended(matches))),
        (challenges.c.expires_at, (challenges.c.state == ChallengeState.OPEN,)),
        (cups.c.starts_at, (cups.c.state == CupState.OPEN, _attended(cups))),
        (puzzle_channels.c.due_at, (_attended(puzzle_channels),)),
        (ladders.c.due_at, (_attended(ladders),)),
        (daily_puzzles.c.count_due_at, (_attended(daily_puzzles),)),
        (quiet_turns.c.due_at, ()),
        (held_turns.c.due_at, (_attended(held_turns),)),
        (digests.c.due_at, ()),
        (absences.c.due_at, ()),
    )
    return select(
        *(
            select(column)
            .where(column.is_not(None), *conditions, _within(_belongs_to(column.table), partition, away))
            .order_by(column)
            .limit(1)
            .scalar_subquery()
            for column, conditions in awaited
        )
    )


def _belongs_to(table: FromClause) -> ColumnElement[int]:
    """Return the column by which a row is in a partition: its server, or its person where it has none."""
    return table.c.guild_id if "guild_id" in table.c else table.c.user_id


def _attended(table: FromClause) -> ColumnElement[bool]:
    """Return whether the bot is in the server of a row: nothing falls due in a server that removed it."""
    return table.c.guild_id.not_in(select(departures.c.guild_id))
