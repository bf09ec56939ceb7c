"""Work that one process does once: each piece has a row, and a process claims the row first."""

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
        """Return all rows of work."""

    async def claim(
        self, tx: AsyncConnection, token: int, limit: int, /, *, begun: Collection[T], unless_there_is: str | None
    ) -> list[T]:
        """Claim at most ``limit`` rows for a process that no living one has claimed; return them.

        If a process with the role ``unless_there_is`` is alive, claim nothing. Also return rows that are claimed for
        this process but not ``begun``: the answer to that claim was lost with its connection.
        """


@retried
async def take(
    database: Database, queue: WorkQueue[T], room: int, begun: Collection[T], leave_to: str | None
) -> list[T]:
    """Return the work to do here: all or, if other processes share it, ``room`` more rows than ``begun``.

    If a process with the role ``leave_to`` is alive, return nothing new.
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
    """Return whether the process ``token`` may claim a row of work.

    It may if the row is unclaimed and no process has the role that goes first, or if the row is claimed for ``token``
    but not ``begun``, because a claim's answer was lost.
    """
    forgotten = and_(claimed_by == token, not_(begun))
    return or_(forgotten, and_(unclaimed(claimed_by), _none_of(unless_there_is)))


def _none_of(role: str | None) -> ColumnElement[bool]:
    """Return whether no process has a role; True if no role is named."""
    return true() if role is None else ~select(processes.c.id).where(processes.c.role == role).exists()
