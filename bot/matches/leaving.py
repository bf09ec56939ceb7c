"""Leaving a match before its end: resigned, out of time, or gone from the server."""

from __future__ import annotations

from datetime import datetime

from bot.matches import announcing
from bot.matches.context import Context
from bot.matches.entries import MOVED_ON, append, check_ply, committed, locked, look
from bot.matches.positions import IS_GONE, RESIGNS, TIMES_OUT, Positions, Standing
from bot.matches.refusals import Refusal, Stale
from bot.storage.queries import guilds, matches, people
from bot.storage.records import Match, MatchState, MoveKind, Person, PlayedMove


class Leaving:
    """How a seat drops out. With two players that ends the match; with more the others play on."""

    def __init__(self, context: Context, positions: Positions) -> None:
        self._context = context
        self._positions = positions

    async def resign(
        self, guild_id: int, match_id: int, person: Person, interaction_id: int, *, ply: int | None = None
    ) -> Match:
        """Give a match up. Raises ``Refusal``."""
        match, standing = await self._look(guild_id, match_id)
        if match.state is MatchState.OVER:
            raise Stale("This match is over.")
        seat = match.seat_of(person.id)
        if seat is None:
            raise Refusal("You are not playing in this match.")
        if seat.dropped:
            raise Refusal("You have left this match already.")
        check_ply(match, ply)
        await self._drop(match, standing, seat.seat, RESIGNS, interaction_id)
        return match

    async def claim(
        self,
        guild_id: int,
        match_id: int,
        person: Person,
        interaction_id: int,
        *,
        ply: int | None = None,
        gone: frozenset[int] = frozenset(),
    ) -> Match:
        """Claim that whoever is to move has lost: his time is up, or he is among those ``gone`` from the server.

        ``ply`` is the ply of the control that was used. Raises ``Refusal`` where neither is so.
        """
        match, standing = await self._look(guild_id, match_id)
        if match.state is MatchState.OVER:
            raise Stale("This match is over.")
        seat = match.seat_of(person.id)
        if seat is None or seat.dropped:
            raise Refusal("Only those who play in this match can claim a win.")
        if seat.to_move:
            raise Refusal("It is your own turn; there is nothing to claim.")
        check_ply(match, ply)
        late = match.movers[0]
        if late.person.id in gone:
            await self._drop(match, standing, late.seat, IS_GONE, interaction_id)
            return match
        if match.deadline_at is None:
            raise Refusal("This match has no time limit, so there is nothing to claim.")
        if match.deadline_at > self._context.clock():
            raise Refusal("{} still has time; the board says until when.", late.person)
        await self._drop(match, standing, late.seat, TIMES_OUT, interaction_id)
        return match

    async def give_up(self, match_id: int, seat: int) -> None:
        """Let a seat drop out of a running match without being asked, as when its player is forgotten."""
        async with self._context.database.read() as tx:
            match = await matches.get(tx, match_id)
            if match is None or match.state is not MatchState.RUNNING:
                return
            standing = await self._positions.of(tx, match)
        await self._drop(match, standing, seat, RESIGNS, None)

    async def time_out(self, match_id: int) -> None:
        """Let whoever is to move lose, if his time is up for certain."""
        async with self._context.database.read() as tx:
            match = await matches.get(tx, match_id)
            if match is None or not _time_is_up(match, self._context.clock()):
                return
            standing = await self._positions.of(tx, match)
        await self._drop(match, standing, match.movers[0].seat, TIMES_OUT, None)

    async def notice_late(self) -> None:
        """Deal with every match whose time is up: end it, or tell the opponent that he may claim the win."""
        async with self._context.database.read() as tx:
            due = await matches.to_flag(tx, self._context.clock())
        for match_id in due:
            if await self._flag(match_id):
                await self.time_out(match_id)

    async def remind(self) -> None:
        """Have everybody reminded whose reminder is due."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            due = await matches.to_remind(tx, now)
        if not due:
            return
        async with self._context.database.write() as tx:
            for match_id in due:
                match = await matches.get(tx, match_id, lock=True)
                await matches.change(tx, match_id, remind_at=None)
                if match is None or match.deadline_at is None or match.deadline_at <= now:
                    continue
                if (await people.preferences(tx, match.movers[0].person.id)).reminders:
                    await announcing.reminder(tx, match_id, match.ply, now)
        self._context.wake()

    async def _flag(self, match_id: int) -> bool:
        """Note that the time of a match is up; return whether that ends it by itself."""
        now = self._context.clock()
        async with self._context.database.write() as tx:
            match = await matches.get(tx, match_id, lock=True)
            if match is None or match.flagged or not _time_is_up(match, now):
                return False
            if (await guilds.settings(tx, match.guild_id)).automatic:
                return True
            await matches.change(tx, match_id, flagged=True)
            await announcing.late(tx, match_id, match.ply, now)
        self._context.wake()
        return False

    async def _look(self, guild_id: int, match_id: int) -> tuple[Match, Standing]:
        async with self._context.database.read() as tx:
            return await look(tx, self._positions, guild_id, match_id)

    async def _drop(self, match: Match, standing: Standing, seat: int, text: str, interaction_id: int | None) -> None:
        now = self._context.clock()
        entry = PlayedMove(match.ply + 1, seat, MoveKind.DROP, text, now)
        after = await self._context.compute(standing.after, entry)
        async with self._context.database.write() as tx:
            if interaction_id is not None:
                await self._context.claim(tx, interaction_id)
            current = await locked(tx, match.id)
            if current.ply != match.ply or current.state is not match.state:
                raise Stale(MOVED_ON)
            if text == TIMES_OUT and not _time_is_up(current, now):
                raise Stale(MOVED_ON)
            await append(tx, current, [entry], after)
        self._positions.remember(match.id, after)
        committed(match, [entry], after)
        self._context.wake()


def _time_is_up(match: Match, now: datetime) -> bool:
    return match.state is MatchState.RUNNING and match.deadline_at is not None and match.deadline_at <= now
