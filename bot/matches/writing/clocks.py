"""Computes and stores deadline and reminder of the seat to move, inside the caller's transaction: the clocks.

A turn has the time that is left in the bank of its seat (``bot.matches.model.pace``); while the clock stands, the seat
stores it. One reminder comes when a quarter of that time is left. An absence stops a person's clocks, and so does their
weekly rest, as it was when the turn began (``bot.matches.model.rest``), except in live matches. An untimed match
has an inactivity limit: one of a single person against computer players is closed then, because no other person would
end it; between people any of them may close it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import Pace, banks_after, is_live
from bot.matches.model.policies import clocks as policy
from bot.matches.model.policies.clocks import Stop
from bot.matches.model.quiet_hours import quiet_at, reminded_at
from bot.matches.model.rest import Rest, deadline_after, rest_of
from bot.matches.writing import outbox_messages
from bot.storage import locks, matches, people, running_clocks
from bot.storage.records import Entry, EntryKind, Match, Person, Rules
from bot.storage.running_clocks import Clocks, StandingClock

REMINDED_AT = 1 / 4
"""The share of the time for a turn that is left when its person is reminded."""
SHORTEST_WARNING = timedelta(minutes=1)
"""Reminders come at least so long before the deadline."""
CLOSED_AFTER, REMINDED_AFTER = timedelta(days=30), timedelta(days=7)
"""The inactivity limit of an untimed match with one person left, and when that person is reminded."""
CLOSABLE_AFTER, WARNED_AFTER = timedelta(days=60), timedelta(days=53)
"""The inactivity limit of an untimed match between people, and when they are told of it."""
ANSWERED_CLOSED_AFTER, ANSWERED_WARNED_AFTER = timedelta(days=90), timedelta(days=83)
"""The same where the bot only answers (``bot.storage.homes``): the match is closed then, and ``/matches`` tells so."""
WORTH_TELLING = 1 / 100
"""The share of the time left by which a deadline has to move, in all, for the messages that name it to be edited."""
CLOCKS_AT_ONCE = 100
"""So many clocks that stand in a weekly rest or a pause are moved at once."""
TOLD_AT_ONCE = 500
"""So many deadlines, the nearest, are put right at once: after an outage the boards of new turns wait behind these."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of the seat to move, the time of its reminder, and the key of the rest in which it stands.

    They are None without a clock.
    """

    deadline_at: datetime | None = None
    remind_at: datetime | None = None
    rest: str | None = None

    def columns(self) -> dict[str, Any]:
        """Return the columns of a match that hold its clock; a match whose time was up has time again."""
        return {
            "deadline_at": self.deadline_at,
            "told_deadline_at": self.deadline_at,
            "remind_at": self.remind_at,
            "flagged": False,
            "paused_until": None,
            "rest": self.rest,
        }


def new_clock(now: datetime, bank: timedelta, away_until: datetime | None, rest: Rest | None = None) -> Clock:
    """Return the clock of a turn that begins now, with the time in ``bank`` from now or from the person's return."""
    begins, warning = _beginning(now, away_until), bank * REMINDED_AT
    remind_at = deadline_after(rest, begins, bank - warning) if warning >= SHORTEST_WARNING else None
    return Clock(deadline_after(rest, begins, bank), remind_at, None if rest is None else rest.key)


def patient_clock(now: datetime, away_until: datetime | None, *, alone: bool, answered: bool = False) -> Clock:
    """Return the inactivity limit of an untimed match, from now or from the return of the person to move.

    ``alone`` says that they are left with computer players, ``answered`` that the bot only answers there.
    """
    begins = _beginning(now, away_until)
    ends_after, told_after = (CLOSED_AFTER, REMINDED_AFTER) if alone else (CLOSABLE_AFTER, WARNED_AFTER)
    if answered:
        ends_after, told_after = ANSWERED_CLOSED_AFTER, ANSWERED_WARNED_AFTER
    return Clock(begins + ends_after, begins + told_after)


def banks_of(match: Match, pace: Pace) -> dict[int, timedelta]:
    """Return what is left in the bank of every seat, as it was when its turn last ended."""
    return {seat.seat: timedelta(seconds=pace.seconds if seat.bank is None else seat.bank) for seat in match.seats}


def left_of_first_minute(match: Match, at: datetime) -> timedelta:
    """Return what is left of the first minute of a match with a pace, in which there is no downtime.

    In it a deadline is the end of that minute and the bank, with all downtime that was given back.
    """
    pace = Pace.of(match.pace, match.increment)
    if pace is None or match.deadline_at is None:
        return min(policy.FIRST_MINUTE, policy.FIRST_MINUTE - (at - match.created_at))
    return match.deadline_at - banks_of(match, pace)[match.mover.seat] - at


async def next_banks(tx: AsyncConnection, match: Match, entries: Sequence[Entry], at: datetime) -> dict[int, timedelta]:
    """Return what is left in the bank of every seat after the entries of a turn that ends ``at``; none without a pace.

    The clock of a person who is away has stood until now, as it has in their weekly rest.
    """
    pace = Pace.of(match.pace, match.increment)
    if pace is None:
        return {}
    before, time_left = banks_of(match, pace), timedelta(0)
    running = match.to_move if match.deadline_at is not None and pace.increment is not None else None
    if running is not None and match.deadline_at is not None:
        begins = _beginning(at, match.paused_until)
        if policy.stops(Stop.ABSENCE, policy.clock_of(match)):
            begins = _beginning(begins, (await people.stops(tx, match.seats[running].person.id, at)).away_until)
        # A grace is no time of the bank, which was used up.
        time_left = timedelta(0) if match.graces else _time_left(match.rest, begins, match.deadline_at)
    movers = [entry.seat for entry in entries if entry.kind is EntryKind.MOVE]
    return banks_after(pace, before, running, time_left, movers)


async def store_banks(tx: AsyncConnection, match: Match, banks: Mapping[int, timedelta]) -> None:
    """Store what is left in the banks of a match, where that is not what it was."""
    pace = Pace.of(match.pace, match.increment)
    before = {} if pace is None else banks_of(match, pace)
    for seat, bank in banks.items():
        if bank != before[seat]:
            await matches.change_seat(tx, match.id, seat, bank=bank.total_seconds())


async def next_clock(
    tx: AsyncConnection,
    bank: timedelta | None,
    mover: Person,
    now: datetime,
    *,
    alone: bool,
    pace: int | None = None,
    rest_counts: bool = False,
    head_start: timedelta = timedelta(0),
    answered: bool = False,
) -> Clock:
    """Return the clock of ``mover`` from now on, or from ``head_start`` later. Computer players have none.

    It stands while they are away, unless the match is live.

    ``bank`` is what is left to them, of ``pace`` seconds, None without a pace; ``alone`` says that one person is left,
    among computer players; ``rest_counts`` that it stands in their weekly rest, too, unless the match is live;
    ``answered`` that the bot only answers there.
    """
    if mover.computer:
        return Clock()
    # An absence that begins at the same time stops this clock, or this clock sees the absence: both lock the person.
    await locks.people(tx, [mover.id], shared=True)
    stops = await people.stops(tx, mover.id, now)
    if bank is None:
        return patient_clock(now, stops.away_until, alone=alone, answered=answered)
    begun = policy.Clock(pace, rest_counts)
    rest = rest_of(stops.rest) if policy.stops(Stop.REST, begun) else None
    away_until = stops.away_until if policy.stops(Stop.ABSENCE, begun) else None
    clock = new_clock(now + head_start, bank, away_until, rest)
    if clock.remind_at is None or clock.deadline_at is None or is_live(pace):
        return clock
    quiet = quiet_at(stops.quiet_from, stops.quiet_until, stops.zone, clock.remind_at)
    return replace(clock, remind_at=reminded_at(clock.remind_at, clock.deadline_at, now, quiet))


async def shift(tx: AsyncConnection, which: Clocks, since: datetime, until: datetime, now: datetime) -> None:
    """Have running clocks stand from one time to another, which is before it if clocks were set back.

    The messages that name the nearest deadlines are edited.
    """
    await move(tx, which, since, until)
    await put_right(tx, which, now)


async def move(tx: AsyncConnection, which: Clocks, since: datetime, until: datetime) -> None:
    """Move running clocks like ``shift``, and edit nothing."""
    await running_clocks.move(tx, which, until - since)
    await _move_standing(tx, which, since, until)


async def _move_standing(tx: AsyncConnection, which: Clocks, since: datetime | None, until: datetime) -> None:
    """Move the clocks that stand in a weekly rest or a pause: where one stood anyway, nothing is added.

    Without a time since when they stood it is that at which each was stopped.
    """
    clocks = await running_clocks.standing(tx, which, 0, CLOCKS_AT_ONCE)
    while clocks:
        await matches.change_each(tx, [_columns_after_standing(clock, since, until) for clock in clocks])
        clocks = await running_clocks.standing(tx, which, clocks[-1].id, CLOCKS_AT_ONCE)


def _columns_after_standing(clock: StandingClock, since: datetime | None, until: datetime) -> dict[str, Any]:
    """Return the columns of a clock that stood from one time to another."""
    since = since or min(clock.stopped_at or until, until)
    begun, ended = _beginning(since, clock.paused_until), _beginning(until, clock.paused_until)

    def later(at: datetime) -> datetime:
        if at <= begun or clock.rest is None:
            return at + (ended - begun)
        return deadline_after(rest_of(clock.rest), ended, _time_left(clock.rest, begun, at))

    return {
        "id": clock.id,
        "deadline_at": later(clock.deadline_at),
        "remind_at": None if clock.remind_at is None else later(clock.remind_at),
        "told_deadline_at": clock.told_deadline_at or clock.deadline_at,
    }


async def put_right(tx: AsyncConnection, which: Clocks, now: datetime) -> None:
    """Have the messages edited that name the nearest deadlines, where these have moved far enough."""
    to_tell = await running_clocks.worth_telling(tx, which, WORTH_TELLING, TOLD_AT_ONCE, now)
    await running_clocks.note_told(tx, to_tell)
    await outbox_messages.deadline_changes(tx, to_tell, now)


def _time_left(rest_key: str | None, at: datetime, deadline: datetime) -> timedelta:
    """Return what a clock shows at a time, by the rest that stops it."""
    rest = rest_of(rest_key)
    return deadline - at if rest is None else rest.time_left(at, deadline)


async def compare_rules(tx: AsyncConnection, rules: Rules, now: datetime) -> None:
    """Stop the clocks of matches that cannot be played by ``rules``, and let those go on that can be again.

    A clock that goes on has the time back for which it stood.
    """
    resumed = running_clocks.to_resume(rules)
    await running_clocks.resume(tx, resumed, now)
    await _move_standing(tx, resumed, None, now)
    await put_right(tx, resumed, now)
    await running_clocks.go_on(tx, resumed, now)
    await running_clocks.stop(tx, rules, now)


def _beginning(now: datetime, away_until: datetime | None) -> datetime:
    return now if away_until is None else max(now, away_until)
