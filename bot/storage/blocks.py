"""Blocks: which people keep which others from inviting them."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import blocks


async def blocked_by(tx: AsyncConnection, user_id: int) -> list[int]:
    return list((await tx.execute(select(blocks.c.blocked_id).where(blocks.c.user_id == user_id))).scalars())


async def who_blocked(tx: AsyncConnection, blocked_id: int, user_ids: Collection[int]) -> list[int]:
    """Return those of some people who have blocked a person."""
    query = select(blocks.c.user_id).where(blocks.c.user_id.in_(user_ids), blocks.c.blocked_id == blocked_id)
    return list((await tx.execute(query)).scalars())


async def among(tx: AsyncConnection, user_ids: Collection[int]) -> list[tuple[int, int]]:
    """Return which of some people have blocked which others of them."""
    query = select(blocks.c.user_id, blocks.c.blocked_id)
    rows = await tx.execute(query.where(blocks.c.user_id.in_(user_ids), blocks.c.blocked_id.in_(user_ids)))
    return [(user_id, blocked_id) for user_id, blocked_id in rows]


async def between(tx: AsyncConnection, user_id: int, other_id: int) -> bool:
    """Return whether either of two people has blocked the other."""
    return other_id in await blocked_by(tx, user_id) or user_id in await blocked_by(tx, other_id)


async def put(tx: AsyncConnection, user_id: int, blocked_id: int, *, blocked: bool) -> None:
    """Block a person, or lift the block."""
    await tx.execute(delete(blocks).where(blocks.c.user_id == user_id, blocks.c.blocked_id == blocked_id))
    if blocked:
        await tx.execute(insert(blocks).values(user_id=user_id, blocked_id=blocked_id))
