"""Work that one process does once: each piece has a row, and a process claims the row first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol, TypeVar

from sqlalchemy import (
    ColumnElement,
    and_,
    func,
    not_,
    null,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.processes import rules_of
from bot.storage.records import BotState, Rules
from bot.storage.signals import Signal, note
from bot.storage.tables import matches, processes
from bot.storage.transactions import retried

T = TypeVar("T")


class WorkQueue(Protocol[T]):
    """The queries of one kind of work."""

    async def pending(self, tx: AsyncConnection, rules: Rules | None, /) -> list[T]:
        """Return all rows of work on matches played by ``rules``."""

    async def claim(
        self, tx: AsyncConnection, token: int, limit: int, /, *, begun: Collection[T], rules: Rules | None
    ) -> list[T]:
        """Claim at most ``limit`` rows for a process that no living one has claimed; return them.

        They are about matches played by ``rules``. Also return rows that are claimed for this process but not
        ``begun``: the answer to that claim was lost with its connection.
        """

    async def release(self, tx: AsyncConnection, token: int, row: T, /) -> None:
        """Let other processes claim a row that a process has claimed."""


@retried
async def take(
    database: Database,
    queue: WorkQueue[T],
    room: int,
    begun: Collection[T],
    leave_to: str | None,
    rules: Rules | None = None,
) -> list[T]:
    """Return the work to do here: all or, if other processes share it, ``room`` more rows than ``begun``.

    ``rules`` are those that this process can play by; None stands for work that needs no game. It leaves to processes
    with the role ``leave_to`` what these can do.
    """
    if database.token is None:
        async with database.read() as tx:
            return await queue.pending(tx, rules)
    if room <= 0:
        return []
    async with database.write() as tx:
        if leave_to is not None and (others := await rules_of(tx, leave_to)):
            # Left to this process are the rules by which none of the others can play.
            told = [their_rules for their_rules in others if their_rules is not None]
            own = frozenset[tuple[str, int]]() if rules is None or len(told) < len(others) else frozenset(rules)
            rules = own.difference(*told)
        return await queue.claim(tx, database.token, room, begun=begun, rules=rules)


def by_rules(rules: Rules) -> ColumnElement[bool]:
    """Return whether a match is played by one of some rules."""
    return tuple_(matches.c.game, matches.c.rules).in_(sorted(rules))


def of_match_by(match_id: ColumnElement[Any], rules: Rules | None) -> ColumnElement[bool]:
    """Return whether the match of a row is played by one of some rules; True if none are named.

    A subquery for each row: otherwise a database that expects few rows might compare them with all matches.
    """
    if rules is None:
        return true()
    played = select(by_rules(rules)).where(matches.c.id == match_id)
    return func.coalesce(played.scalar_subquery(), true())


@retried
async def give_back(database: Database, queue: WorkQueue[T], row: T) -> None:
    """Let other processes claim a row that this one has claimed."""
    assert database.token is not None
    async with database.write() as tx:
        await queue.release(tx, database.token, row)
        note(tx, Signal.WORK)


def unclaimed(claimed_by: ColumnElement[int]) -> ColumnElement[bool]:
    """Return whether a row is free: not claimed, or claimed by a process that is gone or has handed over."""
    working = processes.c.id == claimed_by, processes.c.state.is_distinct_from(BotState.LEAVING)
    return or_(claimed_by == null(), ~select(processes.c.id).where(*working).exists())


def claimable(
    claimed_by: ColumnElement[int],
    token: int,
    begun: ColumnElement[bool],
    match_id: ColumnElement[int],
    rules: Rules | None,
) -> ColumnElement[bool]:
    """Return whether the process ``token`` may claim a row of work.

    It may if the row is unclaimed and its match is played by one of ``rules``, or if the row is claimed for ``token``
    but not ``begun``, because a claim's answer was lost.
    """
    forgotten = and_(claimed_by == token, not_(begun))
    return or_(forgotten, and_(unclaimed(claimed_by), of_match_by(match_id, rules)))
