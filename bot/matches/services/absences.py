"""Absences: a person stops their clocks, for a limited time a year."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import is_live
from bot.matches.model.policies.clocks import Stop, clock_of, stops
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.service_context import ServiceContext, call_each
from bot.matches.services.eligibility import minutes_to_wait
from bot.matches.writing import clocks, outbox_messages
from bot.storage import absences, abuse_counters, locks, match_lists, running_clocks
from bot.storage.absences import Absence
from bot.storage.abuse_counters import KEPT, AbuseCounter
from bot.storage.records import Match, MatchState
from bot.storage.running_clocks import Clocks
from bot.storage.transactions import Conflict, retried
from renderers.i18n import LazyNumber
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

AWAY_BUDGET = timedelta(days=21)
BUDGET_YEAR = timedelta(days=365)


class Absences:
    """Begins and ends absences, and keeps them within the budget of a year."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def absence(self, user_id: int) -> Absence | None:
        now = self._context.clock()
        async with self._context.database.read() as tx:
            return next(iter(await _running(tx, user_id, now)), None)

    @retried
    async def leave_until(self, user_id: int, until: datetime) -> timedelta:
        """Stop a person's clocks until a time, instead of a present absence; return the rest of the year's budget.

        A deadline that has passed stays passed. Raises ``Refusal`` if the budget is too small, to a person who is to
        move in a live match, and to one who has left too often within an hour: each time their boards change.
        """
        now = await self._context.credited_now()
        if until <= now:
            raise Refusal(_("That time has already passed."))
        async with self._context.database.write() as tx:
            waiting = await _lock_clocks(tx, user_id, now)
            live = next((match for match in waiting if is_live(match.pace)), None)
            if live is not None:
                raise Refusal(
                    _(
                        "It's your turn in match {number}, which is live. Move there, then you can be away.",
                        number=live.id,
                    )
                )
            await self._note_begun(tx, user_id, now)
            running = await _running(tx, user_id, now)
            for absence in running:
                await absences.end(tx, absence.id, now)
            budget = await time_left(tx, user_id, now)
            if until - now > budget:
                days = budget / timedelta(days=1)
                raise Refusal(
                    _n(
                        "You can be away for {n} day a year; you have {left} left.",
                        "You can be away for {n} days a year; you have {left} left.",
                        AWAY_BUDGET.days,
                        left=LazyNumber(days, 1),
                    )
                )
            await absences.add(tx, user_id, now, until)
            before = running[0].ends_at if running else now
            await clocks.shift(tx, _stopped(waiting), before, until, now)
            await _change_boards(tx, user_id, now)
        return budget - (until - now)

    async def _note_begun(self, tx: AsyncConnection, user_id: int, now: datetime) -> None:
        """Keep that a person goes away; raise ``LimitReached`` if they did too often within an hour."""
        lately = await abuse_counters.times(tx, user_id, AbuseCounter.ABSENCE, "", now)
        wait = minutes_to_wait(lately, self._context.limits.absences_per_hour, KEPT[AbuseCounter.ABSENCE], now)
        if wait is not None:
            raise LimitReached(
                _n(
                    "You've gone away {number} times within an hour. You can again in {n} minute.",
                    "You've gone away {number} times within an hour. You can again in {n} minutes.",
                    wait,
                    number=len(lately),
                )
            )
        await abuse_counters.note(tx, user_id, AbuseCounter.ABSENCE, "", now)

    @retried
    async def come_back(self, user_id: int) -> None:
        """End a person's present absence; their clocks go on from where they stood. Raises ``Refusal``."""
        now = await self._context.credited_now()
        async with self._context.database.write() as tx:
            waiting = await _lock_clocks(tx, user_id, now)
            running = await _running(tx, user_id, now)
            if not running:
                raise Refusal(_("You aren't away."))
            for absence in running:
                await absences.end(tx, absence.id, now)
            await clocks.shift(tx, _stopped(waiting), max(absence.ends_at for absence in running), now, now)
            await _change_boards(tx, user_id, now)

    async def take_off_boards(self) -> None:
        """Have boards no longer say that people are away whose absence is over."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            over = await absences.over(tx, now)
        taking_off = (partial(self._take_off_boards, absence_id) for absence_id in over)
        await call_each("absences that boards still name", taking_off)

    @retried
    async def _take_off_boards(self, absence_id: int) -> None:
        async with self._context.database.write() as tx:
            user_id = await absences.take_over(tx, absence_id)
            if user_id is not None:
                await _change_boards(tx, user_id, self._context.clock())


async def time_left(tx: AsyncConnection, user_id: int, now: datetime) -> timedelta:
    """Return what is left of a person's budget of a year, of which a running absence has used only what is over."""
    begin, budget = now - BUDGET_YEAR, AWAY_BUDGET
    for absence in await absences.since(tx, user_id, begin):
        ends_at = absence.ends_at if absence.grace else min(absence.ends_at, now)
        budget -= max(ends_at - max(absence.begins_at, begin), timedelta(0))
    return budget


async def _running(tx: AsyncConnection, user_id: int, now: datetime) -> list[Absence]:
    """Return the present absences of a person, who stopped their clocks."""
    return [absence for absence in await absences.since(tx, user_id, now) if not absence.grace]


def _stopped(waiting: list[Match]) -> Clocks:
    """Return the clocks that an absence of the person to move stops."""
    return running_clocks.of_matches([match.id for match in waiting if stops(Stop.ABSENCE, clock_of(match))])


async def _change_boards(tx: AsyncConnection, user_id: int, now: datetime) -> None:
    """Have the boards of a person's matches, those with the nearest deadlines, say whether they are away."""
    every = await match_lists.of_person(tx, user_id, MatchState.RUNNING)
    running = [match for match in every if not is_live(match.pace)]
    running.sort(key=lambda match: (match.deadline_at is None, match.deadline_at or now, match.id))
    await outbox_messages.deadline_changes(tx, [match.id for match in running[: clocks.TOLD_AT_ONCE]], now)


async def _lock_clocks(tx: AsyncConnection, user_id: int, now: datetime) -> list[Match]:
    """Lock a person and the matches in which their clock runs; return the matches. Raises ``Conflict``."""
    locked = await match_lists.waiting_for(tx, user_id, now)
    await locks.people(tx, [user_id])
    waiting = await match_lists.waiting_for(tx, user_id, now)
    if {match.id for match in waiting} - {match.id for match in locked}:
        raise Conflict
    return waiting
