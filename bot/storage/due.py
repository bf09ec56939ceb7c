"""Finds reminders, deadlines and the like that fall due, and says when the next one does."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
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
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.matches import match_of
from bot.storage.records import ChallengeState, CupState, Match, MatchState, Rules
from bot.storage.slots import EVERYTHING, Partition, of_partition
from bot.storage.tables import challenges, cups, daily_puzzles, departures, matches, puzzle_channels
from bot.storage.work_queue import by_rules

_RUNNING = matches.c.state == literal_column(f"'{MatchState.RUNNING}'")
"""Written out in statements: only then a database sees that an index of running matches holds all that is asked for."""
_GOING = matches.c.stopped_at.is_(None)
"""Whether the clock of a match goes on: it stands while the bot lacks the game or the version of its rules."""
_NOT_QUARANTINED = matches.c.id.not_in(bindparam("quarantined", expanding=True))


async def next_due(
    tx: AsyncConnection, quarantined: Collection[int] = (), partition: Partition = EVERYTHING
) -> datetime | None:
    """Return when the next thing falls due in a partition, ``quarantined`` matches left out.

    That is a reminder, a deadline, the end of an open challenge, the beginning of a cup, a puzzle of the day or its
    solver count.
    """
    times = (await tx.execute(_next_due(partition), {"quarantined": list(quarantined)})).one()
    return min((time for time in times if time is not None), default=None)


async def to_remind(tx: AsyncConnection, now: datetime, partition: Partition = EVERYTHING) -> list[int]:
    """Return the running matches of a partition whose reminder is due."""
    query = select(matches.c.id).where(_RUNNING, matches.c.remind_at <= now, _GOING, _attended(matches))
    return list(
        (await tx.execute(query.where(of_partition(matches.c.guild_id, partition)).order_by(matches.c.id))).scalars()
    )


async def to_flag(tx: AsyncConnection, now: datetime, partition: Partition = EVERYTHING) -> list[int]:
    """Return a partition's running matches whose time is up and that are not flagged yet."""
    late = matches.c.flagged.is_(False), matches.c.deadline_at <= now, _GOING
    query = select(matches.c.id).where(_RUNNING, *late, _attended(matches), of_partition(matches.c.guild_id, partition))
    return list((await tx.execute(query)).scalars())


async def with_clock(tx: AsyncConnection, servers: int | Partition = EVERYTHING) -> list[Match]:
    """Lock unflagged running matches with a running clock: a server's, or those of a partition's servers with the bot.

    They come without their seats.
    """
    if isinstance(servers, Partition):
        where = and_(_attended(matches), of_partition(matches.c.guild_id, servers))
    else:
        where = matches.c.guild_id == servers
    return await _locked(tx, _timed(), _GOING, where)


async def to_stop(tx: AsyncConnection, rules: Rules, servers: Partition) -> list[Match]:
    """Lock the matches whose clock has to be stopped, in servers the bot is in: their rules are not among ``rules``.

    They come without their seats.
    """
    here = _attended(matches), of_partition(matches.c.guild_id, servers)
    return await _locked(tx, _timed(), _GOING, ~by_rules(rules), *here)


async def to_resume(tx: AsyncConnection, rules: Rules, servers: Partition) -> list[Match]:
    """Lock the matches whose stopped clock can go on, in servers the bot is in: their rules are among ``rules``.

    They come without their seats.
    """
    here = _attended(matches), of_partition(matches.c.guild_id, servers)
    return await _locked(tx, _timed(), ~_GOING, by_rules(rules), *here)


def _timed() -> ColumnElement[bool]:
    """Return whether a match has a clock, and its time was not up already."""
    return and_(_RUNNING, matches.c.deadline_at.is_not(None), matches.c.flagged.is_(False))


async def _locked(tx: AsyncConnection, *where: ColumnElement[bool]) -> list[Match]:
    query = select(matches).where(*where).order_by(matches.c.id).with_for_update()
    return [match_of(row, ()) for row in await tx.execute(query)]


@cache
def _next_due(partition: Partition) -> Select[Any]:
    """Return the query for ``next_due``, built once, because it is put after every turn."""
    playing = _RUNNING, _GOING, _NOT_QUARANTINED
    awaited: tuple[tuple[Column[Any], tuple[ColumnElement[bool], ...]], ...] = (
        (matches.c.remind_at, (*playing, _attended(matches))),
        (matches.c.deadline_at, (*playing, matches.c.flagged.is_(False), _attended(matches))),
        (challenges.c.expires_at, (challenges.c.state == ChallengeState.OPEN,)),
        (cups.c.starts_at, (cups.c.state == CupState.OPEN, _attended(cups))),
        (puzzle_channels.c.due_at, (_attended(puzzle_channels),)),
        (daily_puzzles.c.count_due_at, (_attended(daily_puzzles),)),
    )
    return select(
        *(
            select(column)
            .where(column.is_not(None), *conditions, of_partition(column.table.c.guild_id, partition))
            .order_by(column)
            .limit(1)
            .scalar_subquery()
            for column, conditions in awaited
        )
    )


def _attended(table: FromClause) -> ColumnElement[bool]:
    """Return whether the bot is in the server of a row: nothing falls due in a server that removed it."""
    return table.c.guild_id.not_in(select(departures.c.guild_id))
