"""Locks for people, servers and the archive, which have no row of their own to lock.

PostgreSQL keeps them until the transaction ends; SQLite has one writer at a time and needs none. Every transaction
locks in the same order, so that no two wait for each other in a circle: a server, matches by number, challenges by
number, cups by number, the ratings of a server, people, messages of the outbox.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b

from sqlalchemy import ARRAY, BigInteger, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

_KEY = func.unnest(bindparam("keys", type_=ARRAY(BigInteger))).column_valued("key")
# One after the other in the order of the array, in one round trip.
_EXCLUSIVE, _SHARED = select(func.pg_advisory_xact_lock(_KEY)), select(func.pg_advisory_xact_lock_shared(_KEY))


async def people(tx: AsyncConnection, user_ids: Iterable[int], *, shared: bool = False) -> None:
    """Lock the counts and rows of some people. Ids below 1 are not people.

    A ``shared`` lock keeps people as they are; holders of shared locks do not wait for each other.
    """
    await _lock(tx, [f"person:{user_id}" for user_id in set(user_ids) if user_id > 0], shared=shared)


async def guild(tx: AsyncConnection, guild_id: int) -> None:
    """Lock a server: its settings, and whether the bot is in it."""
    await _lock(tx, [f"guild:{guild_id}"])


async def ratings(tx: AsyncConnection, *guild_ids: int, shared: bool = False) -> None:
    """Keep results from coming into the ratings of servers; a result that comes in asks for a ``shared`` lock."""
    await _lock(tx, [f"ratings:{guild_id}" for guild_id in guild_ids], shared=shared)


async def active_bot(tx: AsyncConnection) -> None:
    """Keep others from changing which bot is active, and which one follows it."""
    await _lock(tx, ["active bot"])


async def archive(tx: AsyncConnection) -> None:
    """Keep others from importing matches."""
    await _lock(tx, ["archive"])


async def _lock(tx: AsyncConnection, names: Collection[str], *, shared: bool = False) -> None:
    if names and tx.dialect.name == "postgresql":
        keys = [int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True) for name in names]
        await tx.execute(_SHARED if shared else _EXCLUSIVE, {"keys": sorted(keys)})
