"""Links by which people without an account watch matches: at most one for each match."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import departures, guilds, matches, people, seats, watch_links


@dataclass(frozen=True, slots=True)
class WatchFacts:
    """What decides whether a match is watched by its link, and how.

    ``allowed`` says that its server wants it and still has the bot, ``private`` that its thread is private, ``named``
    that every person who plays lets their name be seen. Who has deleted their data does not. ``token`` is that of its
    link, None where it has none.
    """

    allowed: bool
    private: bool
    voided: bool
    named: bool
    token: str | None


async def match_of(tx: AsyncConnection, token: str) -> int | None:
    """Return the match that a token leads to, None for one that leads nowhere."""
    query = select(watch_links.c.match_id).where(watch_links.c.token == token)
    return (await tx.execute(query)).scalar_one_or_none()


async def add(tx: AsyncConnection, guild_id: int, match_id: int, token: str) -> None:
    """Store the link of a match of a server."""
    await tx.execute(insert(watch_links).values(guild_id=guild_id, match_id=match_id, token=token))


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Have the link of a match lead nowhere."""
    await tx.execute(delete(watch_links).where(watch_links.c.match_id == match_id))


async def remove_of_server(tx: AsyncConnection, guild_id: int) -> None:
    """Have the links of all matches of a server lead nowhere."""
    await tx.execute(delete(watch_links).where(watch_links.c.guild_id == guild_id))


_UNNAMED = (
    select(seats.c.seat)
    .outerjoin(people, people.c.user_id == seats.c.user_id)
    .where(seats.c.match_id == matches.c.id, seats.c.level.is_(None), people.c.shows_name.is_not(True))
    .exists()
)
_FACTS = (
    select(
        matches.c.id,
        matches.c.private,
        matches.c.voided_by,
        guilds.c.watching,
        departures.c.guild_id.label("departed"),
        _UNNAMED.label("unnamed"),
        watch_links.c.token,
    )
    .outerjoin(watch_links, watch_links.c.match_id == matches.c.id)
    .outerjoin(guilds, guilds.c.guild_id == matches.c.guild_id)
    .outerjoin(departures, departures.c.guild_id == matches.c.guild_id)
)


async def facts(tx: AsyncConnection, match_ids: Collection[int]) -> dict[int, WatchFacts]:
    """Return what decides how matches are watched, by their numbers; those that there are not are left out."""
    rows = await tx.execute(_FACTS.where(matches.c.id.in_(match_ids)))
    return {
        row.id: WatchFacts(
            allowed=bool(row.watching) and row.departed is None,
            private=row.private,
            voided=row.voided_by is not None,
            named=not row.unnamed,
            token=row.token,
        )
        for row in rows
    }
