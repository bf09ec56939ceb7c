"""Servers that removed the bot: what is left of them, and how it is deleted, a part at a time.

A deletion has two stages. What counts or runs goes at once: ratings, running matches, settings. Finished matches, which
may be many, follow by and by; until they are gone their server has a row in ``deletions``, and they count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, ScalarSelect, delete, func, null, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.inserting import inserting
from bot.storage.process_records import Share
from bot.storage.queries.shares import of_share
from bot.storage.records import EVERYWHERE, ChallengeState, MatchState
from bot.storage.tables import (
    bars,
    challenges,
    daily_puzzles,
    deletions,
    departures,
    guilds,
    matches,
    outbox,
    puzzle_attempts,
    puzzle_channels,
    ratings,
)

_SETTINGS_AND_STANDINGS = (outbox, ratings, guilds, puzzle_channels, daily_puzzles, bars)


async def known_servers(tx: AsyncConnection, share: Share) -> set[int]:
    """Return the servers of a share of which anything is kept."""
    found: set[int] = set()
    for table in (matches, challenges, guilds, puzzle_channels, bars):
        # From one server to the next by the index: there are far more matches than servers.
        server = select(func.min(table.c.guild_id).label("guild_id")).cte(recursive=True)
        following = select(func.min(table.c.guild_id)).where(table.c.guild_id > server.c.guild_id).scalar_subquery()
        server = server.union_all(select(following).where(server.c.guild_id.is_not(None)))
        found.update((await tx.execute(select(server.c.guild_id).where(server.c.guild_id != EVERYWHERE))).scalars())
    return {guild_id for guild_id in found if guild_id in share}


async def to_delete(tx: AsyncConnection, before: datetime, share: Share) -> list[int]:
    """Return the servers of a share that removed the bot before a moment, and those whose deletion is not finished."""
    gone = select(departures.c.guild_id).where(departures.c.at < before, of_share(departures.c.guild_id, share))
    begun = select(deletions.c.guild_id).where(of_share(deletions.c.guild_id, share))
    return list((await tx.execute(gone.union(begun))).scalars())


async def is_begun(tx: AsyncConnection, guild_id: int) -> bool:
    """Return whether the deletion of a server has begun."""
    return (await tx.execute(select(deletions).where(deletions.c.guild_id == guild_id))).first() is not None


async def begin(tx: AsyncConnection, guild_id: int, before: datetime) -> bool:
    """Delete what counts or runs in a server that removed the bot before a moment; return False for any other."""
    long_gone = select(departures).where(departures.c.guild_id == guild_id, departures.c.at < before)
    if (await tx.execute(long_gone)).first() is None:
        return False
    last = {"last_match": _last(matches.c.id, matches.c.guild_id == guild_id)}
    last["last_challenge"] = _last(challenges.c.id, challenges.c.guild_id == guild_id)
    await tx.execute(inserting(tx, deletions).values(guild_id=guild_id, **last).on_conflict_do_nothing())
    for table in _SETTINGS_AND_STANDINGS:
        await tx.execute(delete(table).where(table.c.guild_id == guild_id))
    # Whether somebody has solved a puzzle is theirs; which server's post they did it by is the server's.
    posted = update(puzzle_attempts).where(puzzle_attempts.c.guild_id == guild_id)
    await tx.execute(posted.values(guild_id=null(), day=null()))
    running = matches.c.guild_id == guild_id, matches.c.state == MatchState.RUNNING
    await _delete_matches(tx, (await tx.execute(select(matches.c.id).where(*running))).scalars().all())
    still_open = challenges.c.guild_id == guild_id, challenges.c.state == ChallengeState.OPEN
    await tx.execute(delete(challenges).where(*still_open))
    return True


async def delete_part(tx: AsyncConnection, guild_id: int, limit: int, before: datetime) -> bool:
    """Delete some of the matches and challenges left of a server; return whether there may be more."""
    row = (await tx.execute(select(deletions).where(deletions.c.guild_id == guild_id))).one_or_none()
    if row is None:
        return False
    some = select(matches.c.id).where(matches.c.guild_id == guild_id, matches.c.id <= row.last_match).limit(limit)
    if ids := (await tx.execute(some)).scalars().all():
        await _delete_matches(tx, ids)
        return True
    left = challenges.c.guild_id == guild_id, challenges.c.id <= row.last_challenge
    if numbers := (await tx.execute(select(challenges.c.id).where(*left).limit(limit))).scalars().all():
        await tx.execute(delete(challenges).where(challenges.c.id.in_(numbers)))
        return True
    await tx.execute(delete(deletions).where(deletions.c.guild_id == guild_id))
    await tx.execute(delete(departures).where(departures.c.guild_id == guild_id, departures.c.at < before))
    return False


def being_deleted(match_id: ColumnElement[int], guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return whether a match belongs to what is being deleted."""
    return (
        select(deletions.c.guild_id)
        .where(deletions.c.guild_id == guild_id, match_id <= deletions.c.last_match)
        .exists()
    )


def _last(number: ColumnElement[int], here: ColumnElement[bool]) -> ScalarSelect[int]:
    return select(func.coalesce(func.max(number), 0)).where(here).scalar_subquery()


async def _delete_matches(tx: AsyncConnection, ids: Sequence[int]) -> None:
    """Delete matches with all that is kept of them, and the challenges they came from or led to."""
    for begin in range(0, len(ids), 500):
        some = ids[begin : begin + 500]
        await tx.execute(
            delete(challenges).where(or_(challenges.c.match_id.in_(some), challenges.c.rematch_of.in_(some)))
        )
        await tx.execute(delete(matches).where(matches.c.id.in_(some)))
