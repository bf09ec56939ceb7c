"""Puzzles: a person's attempts and their record, and a server's puzzles of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    bindparam,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.guilds import attended
from bot.storage.records import AttemptState
from bot.storage.tables import daily_puzzles, puzzle_attempts, puzzle_channels, puzzle_ratings
from bot.storage.tables.columns import to_dataclass


@dataclass(frozen=True, slots=True)
class PuzzleAttempt:
    """A person's attempt at a puzzle. A person gets each puzzle once.

    ``puzzle`` is its key, see ``bot.games.puzzles``. If a day's puzzle comes round again, the new attempt replaces the
    old one. ``ply`` counts the plies of the solution played so far, with the opponent's answers. ``wrong`` lists the
    different wrong tries, each after its ply and a colon. ``guild_id`` and ``day`` name a server's puzzle of the day;
    both are None for any other puzzle.
    """

    id: int
    user_id: int
    game: str
    puzzle: str
    guild_id: int | None
    day: date | None
    state: AttemptState
    ply: int
    wrong: tuple[str, ...]
    begun_at: datetime
    ended_at: datetime | None

    @property
    def at_first_try(self) -> bool:
        """Whether it was solved without a wrong try."""
        return self.state is AttemptState.SOLVED and not self.wrong


@dataclass(frozen=True, slots=True)
class PuzzleRating:
    """A person's puzzle rating over all servers, and how many days in a row they solved the puzzle of the day.

    ``first_try`` counts the puzzles solved at the first try, ``failed`` those given up or begun with a wrong try.
    """

    user_id: int
    mu: float
    sigma: float
    first_try: int = 0
    failed: int = 0
    streak: int = 0
    longest_streak: int = 0
    last_day: date | None = None
    """The latest day whose puzzle they solved."""


@dataclass(frozen=True, slots=True)
class PuzzleChannel:
    """Where and when the bot posts a server's puzzle of the day: at a full hour of its time zone."""

    guild_id: int
    channel_id: int
    hour: int
    zone: str
    due_at: datetime


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A server's puzzle of a day, and where it was posted ``at`` a time."""

    guild_id: int
    day: date
    game: str
    puzzle: str
    channel_id: int
    message_id: int | None
    at: datetime
    count_due_at: datetime | None = None
    """When the solver count on its post is to be updated."""


async def attempt(tx: AsyncConnection, attempt_id: int, *, lock: bool = False) -> PuzzleAttempt | None:
    """Return an attempt, or None; ``lock`` keeps others from changing it until the transaction ends."""
    query = select(puzzle_attempts).where(puzzle_attempts.c.id == attempt_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else to_dataclass(PuzzleAttempt, row)


async def versions(tx: AsyncConnection, attempt_ids: Sequence[int]) -> dict[int, str]:
    """Return for each of some attempts a text that changes with the attempt."""
    columns = puzzle_attempts.c.id, puzzle_attempts.c.ply, puzzle_attempts.c.state, puzzle_attempts.c.wrong
    rows = await tx.execute(select(*columns).where(puzzle_attempts.c.id.in_(attempt_ids)))
    return {row.id: f"{row.ply} {row.state} {len(row.wrong)}" for row in rows}


async def attempts_of(tx: AsyncConnection, user_id: int) -> list[PuzzleAttempt]:
    """Return a person's attempts, oldest first."""
    query = select(puzzle_attempts).where(puzzle_attempts.c.user_id == user_id).order_by(puzzle_attempts.c.id)
    return [to_dataclass(PuzzleAttempt, row) for row in await tx.execute(query)]


async def add_attempt(
    tx: AsyncConnection, user_id: int, game: str, puzzle: str, at: datetime, daily: DailyPuzzle | None = None
) -> int:
    """Store a new attempt of a person, and return its number."""
    added = await tx.execute(
        insert(puzzle_attempts)
        .values(
            user_id=user_id,
            game=game,
            puzzle=puzzle,
            guild_id=None if daily is None else daily.guild_id,
            day=None if daily is None else daily.day,
            state=AttemptState.OPEN,
            ply=0,
            wrong=(),
            begun_at=at,
        )
        .returning(puzzle_attempts.c.id)
    )
    return int(added.scalar_one())


async def change_attempt(tx: AsyncConnection, attempt_id: int, **values: Any) -> None:
    await tx.execute(update(puzzle_attempts).where(puzzle_attempts.c.id == attempt_id).values(**values))


async def solvers(tx: AsyncConnection, daily: DailyPuzzle) -> list[PuzzleAttempt]:
    """Return the attempts that solved a server's puzzle of the day, the first to do so first."""
    query = (
        select(puzzle_attempts)
        .where(
            puzzle_attempts.c.guild_id == daily.guild_id,
            puzzle_attempts.c.day == daily.day,
            puzzle_attempts.c.state == AttemptState.SOLVED,
        )
        .order_by(puzzle_attempts.c.ended_at, puzzle_attempts.c.id)
    )
    return [to_dataclass(PuzzleAttempt, row) for row in await tx.execute(query)]


async def rating(tx: AsyncConnection, user_id: int) -> PuzzleRating | None:
    """Return a person's puzzle record, or None before their first puzzle."""
    row = (await tx.execute(select(puzzle_ratings).where(puzzle_ratings.c.user_id == user_id))).one_or_none()
    return None if row is None else to_dataclass(PuzzleRating, row)


async def longest_streak(tx: AsyncConnection, guild_id: int, since: date, last: date) -> PuzzleRating | None:
    """Return the record with the longest streak among those who tried a server's puzzles of the day since.

    Streaks whose last day was before ``last`` have ended.
    """
    tried = select(puzzle_attempts.c.user_id).where(
        puzzle_attempts.c.guild_id == guild_id, puzzle_attempts.c.day >= since
    )
    query = select(puzzle_ratings).where(puzzle_ratings.c.user_id.in_(tried), puzzle_ratings.c.last_day >= last)
    longest = query.order_by(puzzle_ratings.c.streak.desc(), puzzle_ratings.c.user_id).limit(1)
    row = (await tx.execute(longest)).one_or_none()
    return None if row is None else to_dataclass(PuzzleRating, row)


async def put_rating(tx: AsyncConnection, new_rating: PuzzleRating) -> None:
    """Store a person's puzzle record in place of the earlier one."""
    await tx.execute(delete(puzzle_ratings).where(puzzle_ratings.c.user_id == new_rating.user_id))
    values = {column.name: getattr(new_rating, column.name) for column in puzzle_ratings.c}
    await tx.execute(insert(puzzle_ratings).values(**values))


async def delete_of_person(tx: AsyncConnection, user_id: int) -> None:
    """Delete all rows about a person and puzzles."""
    for table in (puzzle_attempts, puzzle_ratings):
        await tx.execute(delete(table).where(table.c.user_id == user_id))


async def channel(tx: AsyncConnection, guild_id: int) -> PuzzleChannel | None:
    """Return where a server has its puzzle of the day, or None."""
    row = (await tx.execute(select(puzzle_channels).where(puzzle_channels.c.guild_id == guild_id))).one_or_none()
    return None if row is None else to_dataclass(PuzzleChannel, row)


async def put_channel(tx: AsyncConnection, new_channel: PuzzleChannel) -> None:
    """Store where and when a server has its puzzle of the day, in place of the earlier choice."""
    await drop_channel(tx, new_channel.guild_id)
    values = {column.name: getattr(new_channel, column.name) for column in puzzle_channels.c}
    await tx.execute(insert(puzzle_channels).values(**values))


async def drop_channel(tx: AsyncConnection, guild_id: int) -> None:
    """Store that a server has no puzzle of the day."""
    await tx.execute(delete(puzzle_channels).where(puzzle_channels.c.guild_id == guild_id))


async def due(tx: AsyncConnection, now: datetime) -> Sequence[int]:
    """Return the servers whose puzzle of the day is to be posted."""
    query = select(puzzle_channels.c.guild_id).where(puzzle_channels.c.due_at <= now, attended(puzzle_channels))
    return (await tx.execute(query.order_by(puzzle_channels.c.due_at, puzzle_channels.c.guild_id))).scalars().all()


async def add_daily(tx: AsyncConnection, daily: DailyPuzzle) -> None:
    """Store a server's puzzle of a day. Raises ``IntegrityError`` if that day has one."""
    values = {column.name: getattr(daily, column.name) for column in daily_puzzles.c}
    await tx.execute(insert(daily_puzzles).values(**values))


async def daily(tx: AsyncConnection, guild_id: int, day: date) -> DailyPuzzle | None:
    return await _one_daily(tx, daily_puzzles.c.guild_id == guild_id, daily_puzzles.c.day == day)


async def latest_daily(tx: AsyncConnection, guild_id: int, before: date | None = None) -> DailyPuzzle | None:
    """Return a server's latest puzzle of a day, or the latest before a day."""
    earlier = [] if before is None else [daily_puzzles.c.day < before]
    return await _one_daily(tx, daily_puzzles.c.guild_id == guild_id, *earlier)


async def next_daily(tx: AsyncConnection, guild_id: int, day: date) -> DailyPuzzle | None:
    """Return a server's first puzzle of the day after a day: it tells the answer to the one of that day."""
    query = select(daily_puzzles).where(daily_puzzles.c.guild_id == guild_id, daily_puzzles.c.day > day)
    row = (await tx.execute(query.order_by(daily_puzzles.c.day).limit(1))).one_or_none()
    return None if row is None else to_dataclass(DailyPuzzle, row)


_LATEST = (
    select(daily_puzzles)
    .where(daily_puzzles.c.guild_id == bindparam("guild"))
    .order_by(daily_puzzles.c.day.desc())
    .limit(1)
    .subquery()
)
_ENDED = select(puzzle_attempts.c.id).where(
    puzzle_attempts.c.user_id == bindparam("user"),
    puzzle_attempts.c.puzzle == _LATEST.c.puzzle,
    puzzle_attempts.c.state != AttemptState.OPEN,
    puzzle_attempts.c.begun_at > bindparam("since"),
)
_UNSOLVED_DAILY = select(_LATEST).where(_LATEST.c.message_id.is_not(None), ~_ENDED.exists())


async def unsolved_daily(tx: AsyncConnection, guild_id: int, user_id: int, since: datetime) -> DailyPuzzle | None:
    """Return a server's latest puzzle of the day if it is posted and a person has not ended it since then."""
    values = {"guild": guild_id, "user": user_id, "since": since}
    row = (await tx.execute(_UNSOLVED_DAILY, values)).one_or_none()
    return None if row is None else to_dataclass(DailyPuzzle, row)


async def count_soon(tx: AsyncConnection, guild_id: int, day: date, at: datetime) -> None:
    """Have the solver count of a day updated by then, unless an earlier update is due."""
    this = daily_puzzles.c.guild_id == guild_id, daily_puzzles.c.day == day
    query = update(daily_puzzles).where(*this, daily_puzzles.c.count_due_at.is_(None))
    await tx.execute(query.values(count_due_at=at))


async def counts_due(tx: AsyncConnection, now: datetime) -> list[DailyPuzzle]:
    """Return the puzzles of the day whose solver count is due for an update."""
    query = select(daily_puzzles).where(daily_puzzles.c.count_due_at <= now, attended(daily_puzzles))
    ordered = query.order_by(daily_puzzles.c.count_due_at)
    return [to_dataclass(DailyPuzzle, row) for row in await tx.execute(ordered)]


async def clear_count_due(tx: AsyncConnection, daily: DailyPuzzle) -> bool:
    """Clear the update of a day's solver count; return whether one was due."""
    this = daily_puzzles.c.guild_id == daily.guild_id, daily_puzzles.c.day == daily.day
    waiting = daily_puzzles.c.count_due_at.is_not(None)
    return (await tx.execute(update(daily_puzzles).where(*this, waiting).values(count_due_at=None))).rowcount == 1


async def posted_daily(tx: AsyncConnection, guild_id: int, day: date, message_id: int) -> None:
    this = daily_puzzles.c.guild_id == guild_id, daily_puzzles.c.day == day
    await tx.execute(update(daily_puzzles).where(*this).values(message_id=message_id))


async def _one_daily(tx: AsyncConnection, *conditions: ColumnElement[bool]) -> DailyPuzzle | None:
    query = select(daily_puzzles).where(*conditions).order_by(daily_puzzles.c.day.desc()).limit(1)
    row = (await tx.execute(query)).one_or_none()
    return None if row is None else to_dataclass(DailyPuzzle, row)
