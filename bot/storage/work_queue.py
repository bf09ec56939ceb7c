"""Rows that stand for work to be done once, by whichever process takes them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.retrying import retried

T = TypeVar("T")


class WorkQueue(Protocol[T]):
    """The queries of one kind of work."""

    async def pending(self, tx: AsyncConnection, /) -> list[T]:
        """Return all that is to be done."""

    async def claim(
        self, tx: AsyncConnection, token: int, limit: int, /, *, begun: Collection[T], unless_there_is: str | None
    ) -> list[T]:
        """Claim for a process what no living one has, at most ``limit``; return it.

        It is left to the processes of a role, ``unless_there_is`` none of it. What is claimed for this process and not
        ``begun`` is returned as well: it has never heard of that, because its connection broke.
        """


@retried
async def take(
    database: Database, queue: WorkQueue[T], room: int, begun: Collection[T], leave_to: str | None
) -> list[T]:
    """Return what is to be done here: all, or where other processes do the same, as much as there is ``room`` for
    beside what is ``begun``.

    That is left to the processes of the role ``leave_to`` while there are any.
    """
    if database.token is None:
        async with database.read() as tx:
            return await queue.pending(tx)
    if room <= 0:
        return []
    async with database.write() as tx:
        return await queue.claim(tx, database.token, room, begun=begun, unless_there_is=leave_to)
