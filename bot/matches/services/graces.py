"""A grace before a loss on time: a day away of the person to move is spent by itself, and they have that day.

At most ``MOST`` are spent in a turn, so that a player who has vanished still loses. A day that is spent serves all
matches in which its person runs out of time during it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import DAY
from bot.matches.model.rest import deadline_after, rest_of
from bot.matches.services.absences import time_left
from bot.matches.writing import clocks, outbox_messages
from bot.storage import absences, cups, guilds, locks, matches
from bot.storage.records import Match

GRACE = timedelta(days=1)
MOST = 2
"""How many graces a turn may have."""


async def give_grace(tx: AsyncConnection, match: Match, now: datetime) -> bool:
    """Give the person to move in a locked match whose time is up another day, if they may have one; return whether.

    Live matches and those against computer players alone have none, nor has one whose win may be claimed already.
    """
    person = match.mover.person
    if match.flagged or match.alone or not person.mentionable or match.pace is None or match.pace < DAY:
        return False
    if match.graces >= MOST or not await _is_wanted(tx, match):
        return False
    # A loss locks a cup before people, so they are locked only where there is none.
    if not await _has_day(tx, person.id, now):
        return False
    await locks.people(tx, [person.id])
    if not await _has_day(tx, person.id, now):
        return False
    if not await _spends_day(tx, person.id, now):
        await absences.add(tx, person.id, now, now + GRACE, grace=True)
    # Of this day they learn directly; a second reminder would be at the place of the first.
    clock = clocks.Clock(deadline_after(rest_of(match.rest), now, GRACE), None, match.rest)
    await matches.change(tx, match.id, **clock.columns(), graces=match.graces + 1)
    await outbox_messages.grace(tx, match, now)
    return True


async def _has_day(tx: AsyncConnection, user_id: int, now: datetime) -> bool:
    return await _spends_day(tx, user_id, now) or await time_left(tx, user_id, now) >= GRACE


async def _spends_day(tx: AsyncConnection, user_id: int, now: datetime) -> bool:
    """Return whether a day is being spent by itself, in whichever match."""
    return any(one.grace and one.begins_at <= now for one in await absences.since(tx, user_id, now))


async def _is_wanted(tx: AsyncConnection, match: Match) -> bool:
    """Return whether the cup of a match, or else its server, wants graces."""
    cup = None if match.cup_id is None else await cups.get(tx, match.cup_id)
    return (await guilds.settings(tx, match.guild_id)).grace if cup is None else cup.grace
