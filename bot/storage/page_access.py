"""Access to the board page: the keys that sign links, the links that were used, and sessions.

A session ends when its row is deleted: the page looks it up for every request.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import EVERYWHERE
from bot.storage.tables import page_keys, page_links, page_sessions
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True)
class PageKey:
    """A key that signs links; ``secret`` is in hexadecimal."""

    id: int
    secret: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class PageSession:
    """A browser in which a person uses the board page, for their matches of one server.

    ``name`` and ``locale`` are what Discord said of the person when the link was made. ``checked_at`` is when the
    person was last known to be in the server.
    """

    id: int
    user_id: int
    guild_id: int
    name: str
    locale: str
    begun_at: datetime
    expires_at: datetime
    checked_at: datetime


async def keys(tx: AsyncConnection) -> list[PageKey]:
    """Return the keys, the newest first."""
    return [to_dataclass(PageKey, row) for row in await tx.execute(select(page_keys).order_by(page_keys.c.id.desc()))]


async def add_key(tx: AsyncConnection, secret: str, at: datetime) -> PageKey:
    row = (await tx.execute(insert(page_keys).returning(page_keys).values(secret=secret, made_at=at))).one()
    return to_dataclass(PageKey, row)


async def use_link(tx: AsyncConnection, link_id: str, expires_at: datetime) -> bool:
    """Note that a link is used; return False if it was before."""
    new = inserting(tx, page_links).values(id=link_id, expires_at=expires_at).on_conflict_do_nothing()
    return (await tx.execute(new)).rowcount == 1


async def link_used(tx: AsyncConnection, link_id: str) -> bool:
    return (await tx.execute(select(page_links.c.id).where(page_links.c.id == link_id))).first() is not None


async def begin(
    tx: AsyncConnection,
    token_hash: str,
    user_id: int,
    guild_id: int,
    name: str,
    locale: str,
    begun_at: datetime,
    expires_at: datetime,
) -> PageSession:
    """Store a session that begins now."""
    values = {
        "token_hash": token_hash,
        "user_id": user_id,
        "guild_id": guild_id,
        "name": name,
        "locale": locale,
        "begun_at": begun_at,
        "expires_at": expires_at,
        "checked_at": begun_at,
    }
    row = (await tx.execute(insert(page_sessions).returning(page_sessions).values(values))).one()
    return to_dataclass(PageSession, row)


async def find(tx: AsyncConnection, hashes: Collection[tuple[int, str]], now: datetime) -> list[PageSession]:
    """Return the sessions of servers' tokens, by their hashes, that have not expired."""
    here = _of_tokens(hashes), page_sessions.c.expires_at > now
    return [to_dataclass(PageSession, row) for row in await tx.execute(select(page_sessions).where(*here))]


async def end_of_tokens(tx: AsyncConnection, hashes: Collection[tuple[int, str]]) -> None:
    """End the sessions of servers' tokens, by their hashes."""
    await tx.execute(delete(page_sessions).where(_of_tokens(hashes)))


def _of_tokens(hashes: Collection[tuple[int, str]]) -> ColumnElement[bool]:
    # The hashes have an index, pairs have none.
    each = page_sessions.c.token_hash.in_([token_hash for _guild_id, token_hash in hashes])
    return each & tuple_(page_sessions.c.guild_id, page_sessions.c.token_hash).in_(hashes)


async def of_person(tx: AsyncConnection, user_id: int) -> list[PageSession]:
    """Return a person's sessions, in every server, oldest first."""
    query = select(page_sessions).where(page_sessions.c.user_id == user_id).order_by(page_sessions.c.id)
    return [to_dataclass(PageSession, row) for row in await tx.execute(query)]


async def still_there(tx: AsyncConnection, session_ids: list[int], now: datetime) -> set[int]:
    """Return those of some sessions that have neither ended nor expired."""
    here = page_sessions.c.id.in_(session_ids), page_sessions.c.expires_at > now
    return set((await tx.execute(select(page_sessions.c.id).where(*here))).scalars())


async def end(tx: AsyncConnection, session_id: int, user_id: int) -> bool:
    """End a session of a person; return whether there was one."""
    session = page_sessions.c.id == session_id, page_sessions.c.user_id == user_id
    return (await tx.execute(delete(page_sessions).where(*session))).rowcount > 0


async def end_of_person(tx: AsyncConnection, user_id: int, guild_id: int = EVERYWHERE) -> bool:
    """End a person's sessions in a server, or ``EVERYWHERE``; return whether there was one."""
    theirs = delete(page_sessions).where(page_sessions.c.user_id == user_id)
    here = theirs if guild_id == EVERYWHERE else theirs.where(page_sessions.c.guild_id == guild_id)
    return (await tx.execute(here)).rowcount > 0


async def end_of_server(tx: AsyncConnection, guild_id: int) -> None:
    await tx.execute(delete(page_sessions).where(page_sessions.c.guild_id == guild_id))


async def sessions_to_check(tx: AsyncConnection, before: datetime, limit: int) -> list[PageSession]:
    """Return some sessions whose person was last known to be in the server before a moment, the longest ago first."""
    query = select(page_sessions).where(page_sessions.c.checked_at < before).order_by(page_sessions.c.checked_at)
    return [to_dataclass(PageSession, row) for row in await tx.execute(query.limit(limit))]


async def note_checked(tx: AsyncConnection, session_id: int, at: datetime) -> None:
    """Note that the person of a session is in its server."""
    await tx.execute(update(page_sessions).where(page_sessions.c.id == session_id).values(checked_at=at))


async def delete_old(tx: AsyncConnection, now: datetime, keys_before: datetime) -> None:
    """Delete what has expired, and keys that were made before a moment."""
    for table in (page_links, page_sessions):
        await tx.execute(delete(table).where(table.c.expires_at <= now))
    await tx.execute(delete(page_keys).where(page_keys.c.made_at < keys_before))
