"""What falls due in matches: reminders and deadlines."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.process_records import EVERYTHING, Share
from bot.storage.queries.shares import of_share
from bot.storage.records import MatchState
from bot.storage.tables import departures, matches

_RUNNING = matches.c.state == MatchState.RUNNING
_ATTENDED = matches.c.guild_id.not_in(select(departures.c.guild_id))
"""In the servers the bot was sent away from nothing falls due."""
_NOT_SET_ASIDE = matches.c.id.not_in(bindparam("set_aside", expanding=True))


@cache
def _next_due(share: Share) -> Select[Any]:
    """Return the query for ``next_due``, built once, because it is put after every turn."""
    columns = (matches.c.remind_at, ()), (matches.c.deadline_at, (matches.c.flagged.is_(False),))
    return select(
        *(
            select(column)
            .where(
                _RUNNING, column.is_not(None), *others, _ATTENDED, _NOT_SET_ASIDE, of_share(matches.c.guild_id, share)
            )
            .order_by(column)
            .limit(1)
            .scalar_subquery()
            for column, others in columns
        )
    )


async def next_due(tx: AsyncConnection, set_aside: Collection[int] = (), share: Share = EVERYTHING) -> datetime | None:
    """Return when the next reminder or deadline of a share falls due, matches that are ``set_aside`` left out."""
    times = (await tx.execute(_next_due(share), {"set_aside": list(set_aside)})).one()
    return min((time for time in times if time is not None), default=None)


async def to_remind(tx: AsyncConnection, now: datetime, share: Share = EVERYTHING) -> list[int]:
    """Return the running matches of a share whose reminder is due."""
    query = select(matches.c.id).where(_RUNNING, matches.c.remind_at <= now, _ATTENDED)
    return list((await tx.execute(query.where(of_share(matches.c.guild_id, share)).order_by(matches.c.id))).scalars())


async def to_flag(tx: AsyncConnection, now: datetime, share: Share = EVERYTHING) -> list[int]:
    """Return the running matches of a share whose time is up and not yet noticed."""
    late = matches.c.flagged.is_(False), matches.c.deadline_at <= now
    query = select(matches.c.id).where(_RUNNING, *late, _ATTENDED, of_share(matches.c.guild_id, share))
    return list((await tx.execute(query)).scalars())
