"""Work that one process does once: a row stands for it, and the process claims the row first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, TypeVar

from sqlalchemy import (
    ColumnElement,
    and_,
    not_,
    null,
    or_,
    select,
    true,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.tables import processes
from bot.storage.transactions import retried

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


def unclaimed(claimed_by: ColumnElement[int], token: ColumnElement[int] | None = None) -> ColumnElement[bool]:
    """Return whether a row is free: not claimed, or claimed by a process that is gone or is ``token``."""
    gone = ~select(processes.c.id).where(processes.c.id == claimed_by).exists()
    return or_(claimed_by == null(), gone, *(() if token is None else (claimed_by == token,)))


def claimable(
    claimed_by: ColumnElement[int], token: int, begun: ColumnElement[bool], unless_there_is: str | None
) -> ColumnElement[bool]:
    """Return whether the process ``token`` may claim a row of work: it is unclaimed, and there is no process of a role
    that it is left to; or it is claimed for ``token`` and not ``begun``, as where a claim's answer was lost.
    """
    forgotten = and_(claimed_by == token, not_(begun))
    return or_(forgotten, and_(unclaimed(claimed_by), _none_of(unless_there_is)))


def _none_of(role: str | None) -> ColumnElement[bool]:
    """Return whether there is no process of a role; always so where none is named."""
    return true() if role is None else ~select(processes.c.id).where(processes.c.role == role).exists()
