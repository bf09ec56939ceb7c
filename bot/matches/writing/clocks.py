"""Clocks: the deadline and the reminder of the seat to move. The match stores the times that are computed here.

A pace is the time for one move. One reminder comes when a quarter of the pace is left, at least an hour before the
deadline. An absence stops a person's clocks. An untimed match of one person against computer players has an inactivity
limit, because no other person would end it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import due, locks, matches, people
from bot.storage.records import Match, Person, Rules
from bot.storage.slots import Partition
from renderers.i18n import gettext_lazy as _

PACES = {
    _("12 hours a move"): timedelta(hours=12),
    _("1 day a move"): timedelta(days=1),
    _("2 days a move"): timedelta(days=2),
    _("3 days a move"): timedelta(days=3),
    _("7 days a move"): timedelta(days=7),
    _("14 days a move"): timedelta(days=14),
}
"""The paces that people can choose, besides none, by the text that they see."""
LATEST_REMINDER = timedelta(hours=1)
CLOSED_AFTER, REMINDED_AFTER = timedelta(days=30), timedelta(days=7)
"""The inactivity limit of an untimed match with one person left, and when that person is reminded."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of the seat to move, and the time of its reminder; None without a clock."""

    deadline_at: datetime | None = None
    remind_at: datetime | None = None

    def columns(self) -> dict[str, Any]:
        """Return the columns of a match that hold its clock; a match whose time was up has time again."""
        return {"deadline_at": self.deadline_at, "remind_at": self.remind_at, "flagged": False}


def pace_in_words(seconds: int | None) -> str:
    """Return a pace as people see it."""
    return next((text for text, pace in PACES.items() if pace.total_seconds() == seconds), _("no time limit"))


def new_clock(now: datetime, pace: int | None, away_until: datetime | None) -> Clock:
    """Return the clock of a turn that begins now: ``pace`` seconds, from now or from the person's return."""
    if pace is None:
        return Clock()
    begins = _beginning(now, away_until)
    deadline = begins + timedelta(seconds=pace)
    return Clock(deadline, reminder(deadline, pace))


def patient_clock(now: datetime, away_until: datetime | None) -> Clock:
    """Return the inactivity limit of an untimed match with one person left, from now or from their return."""
    begins = _beginning(now, away_until)
    return Clock(begins + CLOSED_AFTER, begins + REMINDED_AFTER)


def reminder(deadline: datetime, pace: int) -> datetime:
    """Return when the person to move is reminded: a quarter of the pace, at least an hour, before the deadline."""
    return deadline - max(timedelta(seconds=pace) / 4, LATEST_REMINDER)


async def next_clock(
    tx: AsyncConnection, pace: int | None, movers: Collection[Person], now: datetime, *, alone: bool
) -> Clock:
    """Return the clock of ``movers`` from now on. It stands while one of them is away, and computer players have none.

    ``alone`` says that one person is left, among computer players.
    """
    if any(mover.computer for mover in movers) or (pace is None and not alone):
        return Clock()
    ids = [mover.id for mover in movers]
    # An absence that begins at the same time stops this clock, or this clock sees the absence: both lock the people.
    await locks.people(tx, ids, shared=True)
    away = await people.away_until(tx, ids, now)
    back_at = max(away.values(), default=None)
    return patient_clock(now, back_at) if pace is None else new_clock(now, pace, back_at)


async def shift(tx: AsyncConnection, running: Iterable[Match], by: timedelta) -> None:
    """Add ``by`` to the clocks of matches, for time that the bot has lost; a match whose time was up has time again."""
    await matches.change_each(
        tx,
        [{"id": match.id, **_shifted(match, by).columns()} for match in running],
    )


async def compare_rules(tx: AsyncConnection, rules: Rules, servers: Partition, now: datetime) -> None:
    """Stop the clocks of matches that cannot be played by ``rules``, and let those go on that can be again.

    A clock that goes on has the time back for which it stood.
    """
    for match in await due.to_resume(tx, rules, servers):
        assert match.stopped_at is not None
        await shift(tx, [match], max(now - match.stopped_at, timedelta(0)))
        await matches.change(tx, match.id, stopped_at=None)
    await matches.change_each(
        tx, [{"id": match.id, "stopped_at": now} for match in await due.to_stop(tx, rules, servers)]
    )


def _beginning(now: datetime, away_until: datetime | None) -> datetime:
    return now if away_until is None else max(now, away_until)


def _shifted(match: Match, by: timedelta) -> Clock:
    return Clock(
        None if match.deadline_at is None else match.deadline_at + by,
        None if match.remind_at is None else match.remind_at + by,
    )
