"""What people and servers decide for themselves: preferences, absences, blocks, settings; and what is kept of them."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches import announcing, clocks
from bot.matches.context import Context
from bot.matches.leaving import Leaving
from bot.matches.refusals import Refusal, Stale
from bot.storage.queries import erasure, guilds, matches, people, ratings
from bot.storage.records import Absence, GuildSettings, Match, MatchState, Person, PlayedMove, Preferences

AWAY_BUDGET = timedelta(days=21)
BUDGET_YEAR = timedelta(days=365)
DELETED_NAME = "somebody who left"


class Personal:
    """Preferences, absences, blocks, a server's settings, and the right to be forgotten."""

    def __init__(self, context: Context, leaving: Leaving) -> None:
        self._context = context
        self._leaving = leaving

    async def preferences(self, user_id: int) -> Preferences:
        """Return a person's preferences."""
        async with self._context.database.read() as tx:
            return await people.preferences(tx, user_id)

    async def prefer(self, user_id: int, wanted: Preferences) -> None:
        """Store a person's preferences."""
        async with self._context.database.write() as tx:
            await people.put_preferences(tx, user_id, wanted)

    async def settings(self, guild_id: int) -> GuildSettings:
        """Return a server's settings."""
        async with self._context.database.read() as tx:
            return await guilds.settings(tx, guild_id)

    async def settle(self, guild_id: int, wanted: GuildSettings) -> None:
        """Store a server's settings."""
        async with self._context.database.write() as tx:
            await guilds.put_settings(tx, guild_id, wanted)

    async def block(self, user_id: int, blocked_id: int, *, blocked: bool) -> None:
        """Keep a person's challenges away, or no longer. Raises ``Refusal``."""
        if user_id == blocked_id:
            raise Refusal("You cannot block yourself.")
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
            raise Refusal("That time has passed already.")
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
        """End the absence a person is in; his clocks go on from where they stood. Raises ``Refusal``."""
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
        """Return everything kept of a person as JSON in UTF-8."""
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
        # Somebody may have made fifty thousand moves.
        return await self._context.compute(_written, kept, played)

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
                    await self._leaving.give_up(match_id, seat)
                    resigned += 1
        self._context.wake()
        return resigned

    async def _erased(self, person: Person, interaction_id: int) -> bool:
        """Delete everything about a person who plays nowhere; return False for one who still does."""
        now = self._context.clock()
        async with self._context.database.write() as tx:
            if await _seats_taken(tx, person):
                return False
            await self._context.claim(tx, interaction_id)
            await people.forget(tx, person.id)
            for challenge_id in await erasure.erase(tx, person.id, -1 - secrets.randbits(62), DELETED_NAME):
                await announcing.card(tx, challenge_id, f"erased:{interaction_id}", now)
        return True


async def _seats_taken(tx: AsyncConnection, person: Person) -> list[tuple[int, int]]:
    """Return the running matches a person is playing, each with his seat."""
    running = [
        (match.id, match.seat_of(person.id)) for match in await matches.of_person(tx, person.id, MatchState.RUNNING)
    ]
    return [(match_id, seat.seat) for match_id, seat in running if seat is not None and not seat.dropped]


def _used(absences: list[Absence], now: datetime) -> timedelta:
    begin = now - BUDGET_YEAR
    spans = [min(absence.ends_at, now) - max(absence.begins_at, begin) for absence in absences]
    return sum((span for span in spans if span > timedelta(0)), timedelta(0))


def _written(kept: dict[str, Any], played: list[tuple[Match, list[PlayedMove]]]) -> bytes:
    """Write everything down, one match a line: indenting it would take ten times as long."""
    every = [_line({**asdict(match), "moves": [_move(move) for move in moves]}) for match, moves in played]
    return (_line(kept)[:-1] + ', "matches": [\n' + ",\n".join(every) + "\n]}").encode()


def _line(kept: dict[str, Any]) -> str:
    return json.dumps(kept, ensure_ascii=False, default=_as_text)


def _move(move: PlayedMove) -> dict[str, Any]:
    return {"ply": move.ply, "seat": move.seat, "kind": move.kind, "text": move.text, "at": move.at}


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _ever() -> datetime:
    return datetime.fromisoformat("2000-01-01T00:00:00+00:00")
