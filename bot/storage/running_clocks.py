"""The running clocks of matches, moved by the database: a server's or a person's at once, all of them in parts.

A row of ``clock_credits`` says for which time clocks stood, and how far the parts have come. A part and its progress
are one transaction, so whenever a process ends, the next one goes on where it stopped, and nothing is credited twice.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.guilds import attended
from bot.storage.moments import Later, Microseconds, microseconds, moment
from bot.storage.records import MatchState, Rules
from bot.storage.shards import Shard, in_shard
from bot.storage.tables import clock_credits, matches
from bot.storage.tables.columns import to_dataclass
from bot.storage.work_queue import by_rules

RUNNING = matches.c.state == literal_column(f"'{MatchState.RUNNING}'")
"""Written out in statements: only then a database sees that an index of running matches holds all that is asked for."""
GOING = matches.c.stopped_at.is_(None)
"""Whether the clock of a match goes on: it stands while the bot lacks the game or the version of its rules."""
HAS_CLOCK = and_(RUNNING, matches.c.deadline_at.is_not(None), matches.c.flagged.is_(False))
"""Whether a match has a clock, and its time was not up already."""
STANDS_AT_TIMES = or_(matches.c.rest.is_not(None), matches.c.paused_until.is_not(None))
"""Whether a clock stands in a weekly rest or a pause, so that it loses only a part of a downtime, or nothing."""
ATTENDED = attended(matches)
"""Whether the bot is in the server of a match."""


@dataclass(frozen=True, slots=True)
class Credit:
    """Time for which clocks stood: those of a shard or of all servers with the bot, in matches up to ``last_match``.

    All up to ``up_to`` have it.
    """

    id: int
    since: datetime
    until: datetime
    shard: int | None
    shards: int | None
    last_match: int
    up_to: int

    @property
    def of_shard(self) -> Shard | None:
        return None if self.shard is None or self.shards is None else Shard(self.shard, self.shards)


@dataclass(frozen=True, slots=True)
class StandingClock:
    """A running clock that stands in the weekly rest of its person, or in a pause, with what Discord was told of it."""

    id: int
    rest: str | None
    paused_until: datetime | None
    deadline_at: datetime
    remind_at: datetime | None
    told_deadline_at: datetime | None
    stopped_at: datetime | None
    """Since when it stands because the bot lacks its rules."""


Clocks = ColumnElement[bool]
"""A condition on ``matches`` that picks running clocks."""


def of_server(guild_id: int) -> Clocks:
    return and_(HAS_CLOCK, GOING, matches.c.guild_id == guild_id)


def of_matches(match_ids: Collection[int]) -> Clocks:
    return and_(HAS_CLOCK, matches.c.id.in_(match_ids))


def to_resume(rules: Rules) -> Clocks:
    """Return the stopped clocks that can go on, in servers the bot is in: their rules are among ``rules``."""
    return and_(HAS_CLOCK, ~GOING, by_rules(rules), ATTENDED)


def of_all(shard: Shard | None = None) -> Clocks:
    """Return the clocks of a shard, or all, but for those of servers that removed the bot."""
    return and_(HAS_CLOCK, GOING, ATTENDED, true() if shard is None else in_shard(matches.c.guild_id, shard))


def of_part(credit: Credit, up_to: int) -> Clocks:
    """Return the clocks of a credit that do not have it yet, up to a match."""
    return and_(of_all(credit.of_shard), matches.c.id > credit.up_to, matches.c.id <= up_to)


async def move(tx: AsyncConnection, which: Clocks, by: timedelta) -> None:
    """Move clocks, but for those that stand in a weekly rest or a pause (``standing``)."""
    await _move(tx, which, microseconds(by))


async def resume(tx: AsyncConnection, which: Clocks, now: datetime) -> None:
    """Move stopped clocks by the time for which each has stood, but for those of ``standing``."""
    stood = moment(now) - Microseconds(matches.c.stopped_at)
    await _move(tx, which, case((stood > 0, stood), else_=0))


async def _move(tx: AsyncConnection, which: Clocks, by: ColumnElement[int]) -> None:
    deadline, remind, told = matches.c.deadline_at, matches.c.remind_at, matches.c.told_deadline_at
    # Matches that began their turn before this was noted have told what they had.
    values = {"deadline_at": Later(deadline, by), "told_deadline_at": func.coalesce(told, deadline)}
    # Those that stand at times are locked with the others, since they are moved next.
    moved = matches.c.id.in_(_locked(which)), ~STANDS_AT_TIMES
    await tx.execute(update(matches).where(*moved).values(remind_at=Later(remind, by), **values))


def _locked(which: Clocks) -> Select[int]:
    """Return the query for the matches of clocks, which locks them by number, as everywhere."""
    return select(matches.c.id).where(which).order_by(matches.c.id).with_for_update()


async def standing(tx: AsyncConnection, which: Clocks, above: int, most: int) -> list[StandingClock]:
    """Lock clocks that stand in a weekly rest or a pause, the first ones in matches numbered above a number."""
    query = select(*(matches.c[name] for name in StandingClock.__match_args__))
    query = query.where(which, STANDS_AT_TIMES, matches.c.id > above)
    rows = await tx.execute(query.order_by(matches.c.id).limit(most).with_for_update())
    return [to_dataclass(StandingClock, row) for row in rows]


async def stop(tx: AsyncConnection, rules: Rules, now: datetime) -> None:
    """Stop the clocks in servers the bot is in whose rules are not among ``rules``."""
    stopped = _locked(and_(HAS_CLOCK, GOING, ~by_rules(rules), ATTENDED))
    await tx.execute(update(matches).where(matches.c.id.in_(stopped)).values(stopped_at=now))


async def go_on(tx: AsyncConnection, which: Clocks, now: datetime) -> None:
    """Let stopped clocks go on, and pauses end that are over."""
    paused = matches.c.paused_until
    values = {"stopped_at": None, "paused_until": case((paused > now, paused))}
    await tx.execute(update(matches).where(matches.c.id.in_(_locked(which))).values(values))


async def worth_telling(tx: AsyncConnection, which: Clocks, share: float, most: int, now: datetime) -> list[int]:
    """Return the nearest clocks, at most so many, that have moved by more than a share of what they show.

    That is what they have moved by since it was told.
    """
    deadline = Microseconds(matches.c.deadline_at)
    moved, remaining = func.abs(deadline - Microseconds(matches.c.told_deadline_at)), deadline - moment(now)
    query = select(matches.c.id).where(which, moved > 0, moved > remaining * share)
    return list((await tx.execute(query.order_by(matches.c.deadline_at).limit(most))).scalars())


async def note_told(tx: AsyncConnection, match_ids: Collection[int]) -> None:
    """Note that the messages of matches are being changed to tell their deadlines."""
    if match_ids:
        told = matches.c.id.in_(_locked(matches.c.id.in_(match_ids)))
        await tx.execute(update(matches).where(told).values(told_deadline_at=matches.c.deadline_at))


async def add_credit(tx: AsyncConnection, since: datetime, until: datetime, shard: Shard | None = None) -> None:
    """Note that the clocks of the matches there are now stood from ``since`` to ``until``.

    ``until`` is the earlier one if the machine's clock was set back.
    """
    of_shard = {} if shard is None else {"shard": shard.number, "shards": shard.count}
    last = select(func.coalesce(func.max(matches.c.id), 0)).scalar_subquery()
    await tx.execute(insert(clock_credits).values(since=since, until=until, last_match=last, up_to=0, **of_shard))


async def credits(tx: AsyncConnection) -> list[Credit]:
    """Return the credits that are not done, in their order."""
    return [to_dataclass(Credit, row) for row in await tx.execute(select(clock_credits).order_by(clock_credits.c.id))]


async def end_of_part(tx: AsyncConnection, credit: Credit, most: int) -> int:
    """Return up to which match the next part of a credit goes, of so many clocks at most."""
    query = select(matches.c.id).where(of_all(credit.of_shard), matches.c.id > credit.up_to).order_by(matches.c.id)
    last = (await tx.execute(query.offset(most - 1).limit(1))).scalar_one_or_none()
    return credit.last_match if last is None else min(last, credit.last_match)


async def note_part(tx: AsyncConnection, credit: Credit) -> None:
    """Note how far a credit has come; it is removed where it is done."""
    this = clock_credits.c.id == credit.id
    if credit.up_to >= credit.last_match:
        await tx.execute(delete(clock_credits).where(this))
    else:
        await tx.execute(update(clock_credits).where(this).values(up_to=credit.up_to))
