"""Spends a day away of a person by itself before they lose on time, inside the caller's transaction: a grace.

``bot.matches.model.policies.clocks`` says who may have one. A day that is spent serves all matches in which its person
runs out of time during it.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.policies.clocks import GRACE, may_have_grace
from bot.matches.model.rest import deadline_after, rest_of
from bot.matches.services.absences import time_left
from bot.matches.writing import clocks, outbox_messages
from bot.storage import absences, cups, guilds, locks, matches, people
from bot.storage.absences import Absence
from bot.storage.records import Match


async def give_grace(tx: AsyncConnection, match: Match, now: datetime) -> bool:
    """Give the person to move in a locked match whose time is up another day, if they may have one; return whether."""
    if not may_have_grace(match, given=True, has_day=True):
        return False
    person = match.mover.person
    # A loss locks a cup before people, so they are locked only where there is none.
    given, has_day = await _is_wanted(tx, match), await _has_day(tx, person.id, now)
    if not may_have_grace(match, given=given, has_day=has_day):
        return False
    await locks.people(tx, [person.id])
    if not await _has_day(tx, person.id, now):
        return False
    spent = await _spent_day(tx, person.id, now)
    if spent is None:
        await absences.add(tx, person.id, now, now + GRACE, grace=True)
        spent = await _spent_day(tx, person.id, now)
    assert spent is not None
    # Of this day they learn directly; a second reminder would be at the place of the first.
    clock = clocks.Clock(deadline_after(rest_of(match.rest), now, GRACE), None, match.rest)
    await matches.change(tx, match.id, **clock.columns(), graces=match.graces + 1)
    await outbox_messages.grace(tx, match, spent.id, now)
    return True


async def _has_day(tx: AsyncConnection, user_id: int, now: datetime) -> bool:
    return await _spent_day(tx, user_id, now) is not None or await time_left(tx, user_id, now) >= GRACE


async def _spent_day(tx: AsyncConnection, user_id: int, now: datetime) -> Absence | None:
    """Return the day that is being spent by itself, in whichever match; None if there is none."""
    every = await absences.since(tx, user_id, now)
    return next((absence for absence in every if absence.grace and absence.begins_at <= now), None)


async def _is_wanted(tx: AsyncConnection, match: Match) -> bool:
    """Return whether the person to move, and the cup of the match or else its server, want graces."""
    if not (await people.preferences(tx, match.mover.person.id)).graces:
        return False
    cup = None if match.cup_id is None else await cups.get(tx, match.cup_id)
    return (await guilds.settings(tx, match.guild_id)).grace if cup is None else cup.grace
