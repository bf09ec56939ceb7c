"""Clocks: the deadline and the reminder of the seat to move. The match stores the times that are computed here.

A turn has the time that is left in the bank of its seat (``bot.matches.model.pace``); while the clock stands, the seat
stores it. One reminder comes when a quarter of that time is left. An absence stops a person's clocks. An untimed match
has an inactivity limit: one of a single person against computer players is closed then, because no other person would
end it; between people any of them may close it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import Pace, banks_after
from bot.matches.writing import outbox_messages
from bot.storage import due, locks, matches, people
from bot.storage.records import Entry, EntryKind, Match, Person, Rules
from bot.storage.slots import Partition

REMINDED_AT = 1 / 4
"""The share of the time for a turn that is left when its person is reminded."""
SHORTEST_WARNING = timedelta(minutes=1)
"""Reminders come at least so long before the deadline."""
CLOSED_AFTER, REMINDED_AFTER = timedelta(days=30), timedelta(days=7)
"""The inactivity limit of an untimed match with one person left, and when that person is reminded."""
CLOSABLE_AFTER, WARNED_AFTER = timedelta(days=60), timedelta(days=53)
"""The inactivity limit of an untimed match between people, and when they are told of it."""
WORTH_TELLING = 1 / 100
"""The share of the time left by which a deadline has to move for the messages that name it to be edited."""
TOLD_AT_ONCE = 500
"""So many deadlines, the nearest, are put right at once: after an outage the boards of new turns wait behind these."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of the seat to move, and the time of its reminder; None without a clock."""

    deadline_at: datetime | None = None
    remind_at: datetime | None = None

    def columns(self) -> dict[str, Any]:
        """Return the columns of a match that hold its clock; a match whose time was up has time again."""
        return {"deadline_at": self.deadline_at, "remind_at": self.remind_at, "flagged": False}


def new_clock(now: datetime, bank: timedelta, away_until: datetime | None) -> Clock:
    """Return the clock of a turn that begins now, with the time in ``bank`` from now or from the person's return."""
    deadline, warning = _beginning(now, away_until) + bank, bank * REMINDED_AT
    return Clock(deadline, deadline - warning if warning >= SHORTEST_WARNING else None)


def patient_clock(now: datetime, away_until: datetime | None, *, alone: bool) -> Clock:
    """Return the inactivity limit of an untimed match, from now or from the return of the person to move.

    ``alone`` says that they are left with computer players.
    """
    begins = _beginning(now, away_until)
    ends_after, told_after = (CLOSED_AFTER, REMINDED_AFTER) if alone else (CLOSABLE_AFTER, WARNED_AFTER)
    return Clock(begins + ends_after, begins + told_after)


def banks_of(match: Match, pace: Pace) -> dict[int, timedelta]:
    """Return what is left in the bank of every seat, as it was when its turn last ended."""
    return {seat.seat: timedelta(seconds=pace.seconds if seat.bank is None else seat.bank) for seat in match.seats}


async def next_banks(tx: AsyncConnection, match: Match, entries: Sequence[Entry], at: datetime) -> dict[int, timedelta]:
    """Return what is left in the bank of every seat after the entries of a turn that ends ``at``; none without a pace.

    The clock of a person who is away has stood until now.
    """
    pace = Pace.of(match.pace, match.increment)
    if pace is None:
        return {}
    before, left = banks_of(match, pace), timedelta(0)
    running = match.to_move if match.deadline_at is not None and pace.increment is not None else None
    if running is not None and match.deadline_at is not None:
        mover = match.seats[running].person
        back_at = (await people.away_until(tx, [mover.id], at)).get(mover.id)
        # A grace is no time of the bank, which was used up.
        left = timedelta(0) if match.graces else match.deadline_at - _beginning(at, back_at)
    movers = [entry.seat for entry in entries if entry.kind is EntryKind.MOVE]
    return banks_after(pace, before, running, left, movers)


async def store_banks(tx: AsyncConnection, match: Match, banks: Mapping[int, timedelta]) -> None:
    """Store what is left in the banks of a match, where that is not what it was."""
    pace = Pace.of(match.pace, match.increment)
    before = {} if pace is None else banks_of(match, pace)
    for seat, bank in banks.items():
        if bank != before[seat]:
            await matches.change_seat(tx, match.id, seat, bank=bank.total_seconds())


async def next_clock(
    tx: AsyncConnection, bank: timedelta | None, mover: Person, now: datetime, *, alone: bool
) -> Clock:
    """Return the clock of ``mover`` from now on. It stands while they are away, and computer players have none.

    ``bank`` is what is left to them, None without a pace; ``alone`` says that one person is left, among computer
    players.
    """
    if mover.computer:
        return Clock()
    # An absence that begins at the same time stops this clock, or this clock sees the absence: both lock the person.
    await locks.people(tx, [mover.id], shared=True)
    back_at = (await people.away_until(tx, [mover.id], now)).get(mover.id)
    return patient_clock(now, back_at, alone=alone) if bank is None else new_clock(now, bank, back_at)


async def shift(tx: AsyncConnection, running: Iterable[Match], by: timedelta, now: datetime) -> None:
    """Add ``by`` to the running clocks of matches, and have the messages edited that name the nearest deadlines."""
    changes, told = [], []
    for match in running:
        deadline = None if match.deadline_at is None else match.deadline_at + by
        reminder = None if match.remind_at is None else match.remind_at + by
        changes.append({"id": match.id, "deadline_at": deadline, "remind_at": reminder})
        if match.deadline_at is not None and is_worth_telling(by, match.deadline_at - now):
            told.append((match.deadline_at, match.id))
    await matches.change_each(tx, changes)
    await outbox_messages.deadlines(tx, [match_id for _, match_id in sorted(told)[:TOLD_AT_ONCE]], now)


def is_worth_telling(moved: timedelta, left: timedelta) -> bool:
    """Return whether a time that has ``moved``, and was ``left`` before, is put right where Discord shows it."""
    return abs(moved) > max(timedelta(0), left * WORTH_TELLING)


async def compare_rules(tx: AsyncConnection, rules: Rules, servers: Partition, now: datetime) -> None:
    """Stop the clocks of matches that cannot be played by ``rules``, and let those go on that can be again.

    A clock that goes on has the time back for which it stood.
    """
    for match in await due.to_resume(tx, rules, servers):
        assert match.stopped_at is not None
        await shift(tx, [match], max(now - match.stopped_at, timedelta(0)), now)
        await matches.change(tx, match.id, stopped_at=None)
    await matches.change_each(
        tx, [{"id": match.id, "stopped_at": now} for match in await due.to_stop(tx, rules, servers)]
    )


def _beginning(now: datetime, away_until: datetime | None) -> datetime:
    return now if away_until is None else max(now, away_until)
