"""The daily digest: what waits for a person, what has ended and what runs out, once a day at an hour they choose."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.service_context import ServiceContext, call_each
from bot.matches.services.preferences import PersonalSettings, next_digest
from bot.matches.writing import outbox_messages
from bot.storage import digests, locks, match_lists, people
from bot.storage.records import Match, Person
from bot.storage.transactions import retried

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DigestView:
    """The content of a person's digest, of all servers."""

    user_id: int
    now: datetime
    waiting: tuple[Match, ...]
    """The matches in which they are to move, least time left first."""
    ended: tuple[Match, ...]
    """The matches that have ended since the last digest, the first of them first."""

    @property
    def person(self) -> Person:
        """The person, by the name they have in the first match. There must be one."""
        return next(seat.person for seat in self.every[0].seats if seat.person.id == self.user_id)

    @property
    def every(self) -> tuple[Match, ...]:
        return self.waiting + self.ended

    def only(self, told: Collection[Match]) -> DigestView:
        """Return the part of the digest that is about some matches."""
        waiting, ended = (tuple(match for match in part if match in told) for part in (self.waiting, self.ended))
        return replace(self, waiting=waiting, ended=ended)


class Digests:
    """Has the digests of people sent."""

    def __init__(self, context: ServiceContext, settings: PersonalSettings) -> None:
        self._context = context
        self._settings = settings

    async def send_due(self) -> None:
        """Have all due digests sent, and store when the next are due."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            due = await digests.due_ids(tx, now)
        await call_each("digests that could not be sent", (partial(self._send, user_id) for user_id in due))

    async def view(self, digest_id: int, since: datetime) -> DigestView | None:
        """Return a digest as things stand; None if there is nothing in it, or it is no longer wanted."""
        async with self._context.database.read() as tx:
            digest = await digests.get(tx, digest_id)
            if digest is None:
                return None
            view = await _content(tx, digest.user_id, since, self._context.clock())
        return view if view.every else None

    @retried
    async def refuse(self, user_id: int) -> None:
        """Send a person no more digests, because they take no direct messages."""
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            await digests.refuse(tx, user_id)
        self._settings.forget(user_id)

    @retried
    async def _send(self, user_id: int) -> None:
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            digest, preferences = await digests.of_person(tx, user_id), await people.preferences(tx, user_id)
            if digest is None or digest.due_at > now:
                return
            # After several days of downtime there is one digest.
            due_at = next_digest(preferences, now, now)
            if not await digests.tell(tx, digest, now, due_at):
                return
            since = digest.told_at or digest.due_at - _DAY
            view = await _content(tx, user_id, since, now)
            if view.every:
                await outbox_messages.digest(tx, digest.id, digest.due_at, since, view.every[0].id, now)


async def _content(tx: AsyncConnection, user_id: int, since: datetime, now: datetime) -> DigestView:
    waiting = await match_lists.waiting_since(tx, user_id, None)
    ended = await match_lists.ended_since(tx, user_id, since)
    return DigestView(user_id, now, tuple(waiting), tuple(ended))
