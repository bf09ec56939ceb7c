"""Servers: their settings, when the bot last served them, and those that removed the bot.

The rows of a server that removed the bot are deleted in two stages: ratings, running matches and settings at once;
finished matches, which may be many, part by part. Until these are gone, their server has a row in ``deletions``, and
they do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    FromClause,
    ScalarSelect,
    Select,
    delete,
    func,
    insert,
    null,
    select,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import EVERYWHERE, ChallengeState, MatchState
from bot.storage.tables import (
    bars,
    challenges,
    cups,
    daily_puzzles,
    deletions,
    guilds,
    heartbeats,
    ladder_matches,
    ladder_players,
    ladders,
    matches,
    mentions,
    outbox,
    page_sessions,
    puzzle_attempts,
    puzzle_channels,
    ratings,
    reratings,
    seats,
    shares,
)
from bot.storage.tables import departures as departed
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting

_ALIVE = "alive"
"""The name of the one heartbeat."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """How a server wants the bot to behave."""

    channels: tuple[int, ...] = ()
    """The channels where play is allowed; none means all."""
    threads: bool = True
    pace: int | None = 259200
    """The bank of time of challenges that name no pace, in seconds; None for no limit."""
    automatic: bool = False
    """Whether a match is lost as soon as the time is up, and not when the opponent claims the win."""
    language: str | None = None
    """The tag of the language of public messages; None for the language of the server's locale."""
    cups: bool = False
    """Whether everybody may start a cup, and not only people who manage the server."""
    increment: int | None = None
    """The seconds that a move adds to that bank; None if every move has a whole one."""
    grace: bool = True
    """Whether a day away is spent by itself before a slow match is lost on time."""
    weekly: bool = True
    """Whether there is a weekly post, where there is a puzzle of the day."""
    weekly_channel: int | None = None
    """The channel of the weekly post; None for that of the puzzle."""
    rest_counts: bool = True
    """Whether the weekly rest of players stops their clocks in matches that begin."""
    watching: bool = False
    """Whether anybody with a match's link watches it, without an account."""


_SETTINGS_AND_STANDINGS = (
    outbox,
    ratings,
    reratings,
    guilds,
    puzzle_channels,
    daily_puzzles,
    bars,
    page_sessions,
    cups,
    shares,
    ladders,
    ladder_players,
    ladder_matches,
    mentions,
)


async def settings(tx: AsyncConnection, guild_id: int) -> GuildSettings:
    """Return a server's settings, the defaults if it has stored none."""
    row = (await tx.execute(select(guilds).where(guilds.c.guild_id == guild_id))).one_or_none()
    return GuildSettings() if row is None else to_dataclass(GuildSettings, row)


async def put_settings(tx: AsyncConnection, guild_id: int, new_settings: GuildSettings) -> None:
    """Store a server's settings in place of the earlier ones."""
    await tx.execute(delete(guilds).where(guilds.c.guild_id == guild_id))
    await tx.execute(insert(guilds).values(guild_id=guild_id, **asdict(new_settings)))


async def departures(tx: AsyncConnection) -> dict[int, datetime]:
    """Return the servers that removed the bot, and when they did."""
    return {row.guild_id: row.at for row in await tx.execute(select(departed))}


async def depart(tx: AsyncConnection, guild_id: int, now: datetime) -> None:
    """Note that the bot is not in a server, unless that is noted."""
    await tx.execute(inserting(tx, departed).values(guild_id=guild_id, at=now).on_conflict_do_nothing())


async def come_back(tx: AsyncConnection, guild_id: int) -> None:
    """Note that the bot is in a server again."""
    await tx.execute(delete(departed).where(departed.c.guild_id == guild_id))


def attended(table: FromClause) -> ColumnElement[bool]:
    """Return whether the bot is in the server of a row: in one that removed it nothing falls due or is told."""
    return table.c.guild_id.not_in(select(departed.c.guild_id))


async def last_heartbeat(tx: AsyncConnection) -> datetime | None:
    """Return when people were last known to be served."""
    return (await tx.execute(select(heartbeats.c.at))).scalar_one_or_none()


async def beat(tx: AsyncConnection, now: datetime, servers: int | None = None) -> None:
    """Note that people are served, and how many servers the fullest shard has, if that is known."""
    values = {"at": now} if servers is None else {"at": now, "servers": servers}
    new = inserting(tx, heartbeats).values(name=_ALIVE, **values)
    await tx.execute(new.on_conflict_do_update(index_elements=[heartbeats.c.name], set_=values))


async def fullest_shard(tx: AsyncConnection) -> int | None:
    """Return how many servers the fullest shard had at the last heartbeat, None if that is not known."""
    return (await tx.execute(select(heartbeats.c.servers))).scalar_one_or_none()


async def known_servers(tx: AsyncConnection) -> set[int]:
    """Return the servers that have any rows. Direct messages are none: the bot cannot be removed from them."""
    servers = []
    for table in (matches, challenges, cups, guilds, puzzle_channels, bars, ladders):
        # Steps through the index from one server to the next: there are far more matches than servers.
        server = select(func.min(table.c.guild_id).label("guild_id")).cte(f"of_{table.name}", recursive=True)
        following = select(func.min(table.c.guild_id)).where(table.c.guild_id > server.c.guild_id).scalar_subquery()
        server = server.union_all(select(following).where(server.c.guild_id.is_not(None)))
        servers.append(select(server.c.guild_id).where(server.c.guild_id > EVERYWHERE))
    return set((await tx.execute(union(*servers))).scalars())


async def to_delete(tx: AsyncConnection, before: datetime) -> list[int]:
    """Return the servers that removed the bot before a moment, and those whose deletion is not finished."""
    gone = select(departed.c.guild_id).where(departed.c.at < before)
    begun = select(deletions.c.guild_id)
    return list((await tx.execute(gone.union(begun))).scalars())


async def deletion_begun(tx: AsyncConnection, guild_id: int) -> bool:
    return (await tx.execute(select(deletions).where(deletions.c.guild_id == guild_id))).first() is not None


async def begin_deletion(tx: AsyncConnection, guild_id: int, before: datetime) -> bool:
    """Delete ratings, running matches and settings of a server; return False unless it removed the bot before then."""
    long_gone = select(departed).where(departed.c.guild_id == guild_id, departed.c.at < before)
    if (await tx.execute(long_gone)).first() is None:
        return False
    last = {"last_match": _last(matches.c.id, matches.c.guild_id == guild_id)}
    last["last_challenge"] = _last(challenges.c.id, challenges.c.guild_id == guild_id)
    await tx.execute(inserting(tx, deletions).values(guild_id=guild_id, **last).on_conflict_do_nothing())
    for table in _SETTINGS_AND_STANDINGS:
        await tx.execute(delete(table).where(table.c.guild_id == guild_id))
    # The attempt stays with its person; the server's post, from which it was made, goes.
    posted = update(puzzle_attempts).where(puzzle_attempts.c.guild_id == guild_id)
    await tx.execute(posted.values(guild_id=null(), day=null()))
    running = matches.c.guild_id == guild_id, matches.c.state == MatchState.RUNNING
    await _delete_matches(tx, select(matches.c.id).where(*running))
    still_open = challenges.c.guild_id == guild_id, challenges.c.state == ChallengeState.OPEN
    await tx.execute(delete(challenges).where(*still_open))
    return True


async def delete_part(tx: AsyncConnection, guild_id: int, limit: int, before: datetime) -> bool:
    """Delete some of a server's remaining matches and challenges; return whether there may be more."""
    row = (await tx.execute(select(deletions).where(deletions.c.guild_id == guild_id))).one_or_none()
    if row is None:
        return False
    some = select(matches.c.id).where(matches.c.guild_id == guild_id, matches.c.id <= row.last_match).limit(limit)
    if ids := (await tx.execute(some)).scalars().all():
        await _delete_matches(tx, ids)
        return True
    remaining = challenges.c.guild_id == guild_id, challenges.c.id <= row.last_challenge
    if numbers := (await tx.execute(select(challenges.c.id).where(*remaining).limit(limit))).scalars().all():
        await tx.execute(delete(challenges).where(challenges.c.id.in_(numbers)))
        return True
    await tx.execute(delete(deletions).where(deletions.c.guild_id == guild_id))
    await tx.execute(delete(departed).where(departed.c.guild_id == guild_id, departed.c.at < before))
    return False


async def delete_direct(tx: AsyncConnection, user_id: int) -> None:
    """Delete the matches of a person in their direct messages with the bot, of which they are the only player."""
    other = seats.alias("other")
    people = select(other.c.seat).where(other.c.match_id == matches.c.id, other.c.level.is_(None))
    own = select(matches.c.id, matches.c.guild_id).join(seats, seats.c.match_id == matches.c.id)
    own = own.where(seats.c.user_id == user_id, matches.c.guild_id < EVERYWHERE)
    rows = (await tx.execute(own.where(~people.where(other.c.user_id != user_id).exists()))).all()
    await tx.execute(delete(outbox).where(outbox.c.guild_id.in_({row.guild_id for row in rows})))
    await _delete_matches(tx, [row.id for row in rows])


def being_deleted(match_id: ColumnElement[int], guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    return (
        select(deletions.c.guild_id)
        .where(deletions.c.guild_id == guild_id, match_id <= deletions.c.last_match)
        .exists()
    )


def _last(number: ColumnElement[int], here: ColumnElement[bool]) -> ScalarSelect[int]:
    return select(func.coalesce(func.max(number), 0)).where(here).scalar_subquery()


async def _delete_matches(tx: AsyncConnection, chosen: Select[int] | Sequence[int]) -> None:
    """Delete matches with all rows about them, and the challenges they came from or led to."""
    for match_id in (challenges.c.match_id, challenges.c.rematch_of):
        await tx.execute(delete(challenges).where(match_id.in_(chosen)))
    await tx.execute(delete(matches).where(matches.c.id.in_(chosen)))
