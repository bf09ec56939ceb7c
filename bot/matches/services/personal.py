"""What people decide for themselves: preferences, absences, blocks; and what is kept of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model import personal_data
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.service_context import ServiceContext
from bot.matches.services.forfeits import Forfeits
from bot.matches.writing import clocks, outbox_messages
from bot.storage.queries import erasure, matches, people, ratings
from bot.storage.records import Absence, MatchState, Person, Preferences

AWAY_BUDGET = timedelta(days=21)
BUDGET_YEAR = timedelta(days=365)
DELETED_NAME = "somebody who left"


class Personal:
    """Preferences, absences, blocks, and the right to be forgotten."""

    def __init__(self, context: ServiceContext, forfeits: Forfeits) -> None:
        self._context = context
        self._forfeits = forfeits

    async def preferences(self, user_id: int) -> Preferences:
        """Return a person's preferences."""
        async with self._context.database.read() as tx:
            return await people.preferences(tx, user_id)

    async def prefer(self, user_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Store what ``change`` makes of a person's preferences, and return it.

        ``change`` is given the preferences as they are then, so that of two changes at the same time none is lost.
        """
        async with self._context.database.write() as tx:
            before = await people.preferences(tx, user_id)
            wanted = change(before)
            if wanted != before:
                await people.put_preferences(tx, user_id, wanted)
        return wanted

    async def block(self, user_id: int, blocked_id: int, *, blocked: bool) -> None:
        """Keep a person's challenges away, or no longer. Raises ``Refusal``."""
        if user_id == blocked_id:
            raise Refusal("You can't block yourself.")
        async with self._context.database.write() as tx:
            await people.set_block(tx, user_id, blocked_id, blocked=blocked)

    async def blocked(self, user_id: int) -> list[int]:
        """Return whom a person has blocked."""
        async with self._context.database.read() as tx:
            return await people.blocked_by(tx, user_id)

    async def absence(self, user_id: int) -> Absence | None:
        """Return the absence somebody is in now, or None."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            return next(iter(await people.absences_since(tx, user_id, now)), None)

    async def leave_until(self, user_id: int, until: datetime) -> timedelta:
        """Stop a person's clocks until then, in place of an absence running; return what is left of the year's budget.

        Time that is up already does not come back. Raises ``Refusal`` when the budget does not reach.
        """
        now = self._context.clock()
        if until <= now:
            raise Refusal("That time has already passed.")
        async with self._context.database.write() as tx:
            running = await people.absences_since(tx, user_id, now)
            for absence in running:
                await people.end_absence(tx, absence.id, now)
            left = AWAY_BUDGET - _used(await people.absences_since(tx, user_id, now - BUDGET_YEAR), now)
            if until - now > left:
                days = left / timedelta(days=1)
                raise Refusal(f"You can be away for {AWAY_BUDGET.days} days a year; {days:.1f} days are left.")
            await people.add_absence(tx, user_id, now, until)
            before = running[0].ends_at if running else now
            await clocks.shift(tx, await matches.waiting_for(tx, user_id, now), until - before)
        self._context.wake()
        return left - (until - now)

    async def come_back(self, user_id: int) -> None:
        """End the absence a person is in; their clocks go on from where they stood. Raises ``Refusal``."""
        now = self._context.clock()
        async with self._context.database.write() as tx:
            running = await people.absences_since(tx, user_id, now)
            if not running:
                raise Refusal("You are not away.")
            for absence in running:
                await people.end_absence(tx, absence.id, now)
                await clocks.shift(tx, await matches.waiting_for(tx, user_id, now), now - absence.ends_at)
        self._context.wake()

    async def export(self, user_id: int) -> bytes:
        """Return everything kept of a person as JSON in UTF-8.

        What others are called is theirs, and is known in the server of the match only: it is left out.
        """
        async with self._context.database.read() as tx:
            kept = {
                "discord_id": user_id,
                "preferences": asdict(await people.preferences(tx, user_id)),
                "absences": [asdict(absence) for absence in await people.absences_since(tx, user_id, _ever())],
                "blocked": await people.blocked_by(tx, user_id),
                "ratings": await ratings.all_of(tx, user_id),
                "challenges": await erasure.challenges_of(tx, user_id),
            }
            every = await matches.of_person(tx, user_id)
            played = [(match, await matches.moves_of(tx, match.id)) for match in every]
        # Somebody may have made fifty thousand moves: a match at a time lets others' turns through.
        lines = [await self._context.compute(personal_data.match_line, user_id, *each) for each in played]
        return personal_data.whole(kept, lines)

    async def erase(self, person: Person, interaction_id: int) -> int:
        """Delete everything about a person; return how many running matches were resigned with that.

        Opponents keep their games: in them the person becomes somebody without a name, under a number that leads
        nowhere.
        """
        resigned = 0
        while not await self._erased(person, interaction_id):
            async with self._context.database.read() as tx:
                seats = await _seats_taken(tx, person)
            for match_id, seat in seats:
                # A match that has moved on meanwhile is looked at once more.
                with suppress(Stale):
                    resigned += await self._forfeits.give_up(match_id, seat)
        self._context.wake()
        return resigned

    async def _erased(self, person: Person, interaction_id: int) -> bool:
        """Delete everything about a person who plays nowhere; return False for one who still does."""
        now = self._context.clock()
        async with self._context.database.write() as tx:
            if await _seats_taken(tx, person):
                return False
            await self._context.mark_processed(tx, interaction_id)
            await people.forget(tx, person.id)
            for challenge_id in await erasure.erase(tx, person.id, -1 - secrets.randbits(62), DELETED_NAME):
                await outbox_messages.card(tx, challenge_id, f"erased:{interaction_id}", now)
        return True


async def _seats_taken(tx: AsyncConnection, person: Person) -> list[tuple[int, int]]:
    """Return the running matches a person is playing, each with their seat."""
    running = [
        (match.id, match.seat_of(person.id)) for match in await matches.of_person(tx, person.id, MatchState.RUNNING)
    ]
    return [(match_id, seat.seat) for match_id, seat in running if seat is not None and not seat.dropped]


def _used(absences: list[Absence], now: datetime) -> timedelta:
    begin = now - BUDGET_YEAR
    spans = [min(absence.ends_at, now) - max(absence.begins_at, begin) for absence in absences]
    return sum((span for span in spans if span > timedelta(0)), timedelta(0))


def _ever() -> datetime:
    return datetime.fromisoformat("2000-01-01T00:00:00+00:00")
