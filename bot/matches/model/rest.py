"""Weekly rest: the days, or the hours of the night, in which a person's clocks stand, by the clocks of a zone. Pure."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

MOST_DAYS = 2
"""The days of rest in a week."""
MOST_HOURS = 10
"""The hours of rest in a day, by the clocks of the zone: a night in which they are put back is longer."""
_MIDNIGHT = 0


@dataclass(frozen=True, slots=True)
class Rest:
    """Rest on ``days`` of the week, 0 is Monday, or else in the ``hours`` from the first to the second, 0 to 23.

    It is rest while the clocks of ``zone`` show such a day or hour: an hour that they repeat counts twice, one that
    they skip not at all. Raises ``ValueError`` for both, neither, or too much.
    """

    zone: tzinfo
    days: frozenset[int] = frozenset()
    hours: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if bool(self.days) == (self.hours is not None):
            raise ValueError("either days or hours")
        if not self.days <= set(range(7)) or len(self.days) > MOST_DAYS:
            raise ValueError(f"at most {MOST_DAYS} days, from 0 to 6")
        if self.hours is not None:
            begin, end = self.hours
            if not {begin, end} <= set(range(24)) or not 0 < (end - begin) % 24 <= MOST_HOURS:
                raise ValueError(f"at most {MOST_HOURS} hours, from 0 to 23")

    def covers(self, at: datetime) -> bool:
        """Return whether the person's clocks stand at a moment."""
        shown = at.astimezone(self.zone)
        if self.hours is None:
            return shown.weekday() in self.days
        begin, end = self.hours
        return (shown.hour - begin) % 24 < (end - begin) % 24

    def deadline(self, begins_at: datetime, left: timedelta) -> datetime:
        """Return in UTC when a clock shows nothing that shows ``left`` at a moment and stands during the rest.

        A clock that runs out as the rest begins does so at that moment, not after the rest.
        """
        at = begins_at.astimezone(UTC)
        while left > timedelta(0):
            until = self._steady_until(at)
            if self.covers(at):
                at = until
            else:
                run = min(left, until - at)
                at, left = at + run, left - run
        return at

    def _steady_until(self, at: datetime) -> datetime:
        """Return a moment up to which the rest neither begins nor ends, and clocks are not changed."""
        shown = at.astimezone(self.zone).replace(tzinfo=None)
        hours = min((bound - shown.hour - 1) % 24 + 1 for bound in self.hours or (_MIDNIGHT,))
        bound = shown.replace(minute=0, second=0, microsecond=0) + timedelta(hours=hours)
        until, offset = at + (bound - shown), self._offset(at)
        if self._offset(until) == offset:
            return until
        # Clocks are changed at a whole second.
        second = at.replace(microsecond=0)
        seconds = range((until - second) // timedelta(seconds=1))
        changed = bisect_left(seconds, True, key=lambda past: self._offset(second + timedelta(seconds=past)) != offset)
        return second + timedelta(seconds=changed)

    def _offset(self, at: datetime) -> timedelta | None:
        return at.astimezone(self.zone).utcoffset()
