"""Weekly rest: the days, or the hours of the night, in which a person's clocks stand, by the clocks of a zone. Pure.

Here it is a value, stored as a text, and as people type it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from bot.matches.model.refusals import Refusal
from bot.matches.model.time_zones import zone_or_utc
from bot.matches.model.typed import typed_list
from renderers.i18n import day_names, folded
from renderers.i18n import gettext_lazy as _

MOST_DAYS = 2
"""The days of rest in a week."""
MOST_HOURS = 10
"""The hours of rest in a day, by the clocks of the zone: a night in which they are put back is longer."""
CHANGES_AFTER = timedelta(days=7)
"""So long after a rest has ended another one may begin: so no week has more days of rest than one of them."""
NIGHT = "22-7"
"""An example of hours as they are typed."""
NO_REST = "0"
"""Stands for no rest in options."""
_MIDNIGHT = 0
_BETWEEN_DAYS = re.compile(r"[\s/+・&]+")
_HOURS = re.compile(r"(\d{1,2})(?::00)?\s*[-–]\s*(\d{1,2})(?::00)?")


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

    @property
    def key(self) -> str:
        """The rest as a text, which ``rest_of`` reads: ``67@Europe/Rome``, or ``22-7@Europe/Rome``."""
        return f"{self.times}@{self.zone}"

    @property
    def times(self) -> str:
        """The days, 1 is Monday, or the hours without the zone, which ``parsed_rest`` reads: ``67``, or ``22-7``."""
        return "".join(str(day + 1) for day in sorted(self.days)) if self.hours is None else "{}-{}".format(*self.hours)

    def covers(self, at: datetime) -> bool:
        """Return whether the person's clocks stand at a moment."""
        shown = at.astimezone(self.zone)
        if self.hours is None:
            return shown.weekday() in self.days
        begin, end = self.hours
        return (shown.hour - begin) % 24 < (end - begin) % 24

    def deadline(self, begins_at: datetime, time_left: timedelta) -> datetime:
        """Return in UTC when a clock shows nothing that shows ``time_left`` at a moment and stands during the rest.

        A clock that runs out as the rest begins does so at that moment, not after the rest.
        """
        at = begins_at.astimezone(UTC)
        while time_left > timedelta(0):
            until = self._steady_until(at)
            if self.covers(at):
                at = until
            else:
                run = min(time_left, until - at)
                at, time_left = at + run, time_left - run
        return at

    def time_left(self, at: datetime, deadline: datetime) -> timedelta:
        """Return what a clock shows at a moment that shows nothing at its deadline: less than nothing after it."""
        if deadline < at:
            return deadline - at
        at, time_left = at.astimezone(UTC), timedelta(0)
        while at < deadline:
            until = min(self._steady_until(at), deadline)
            time_left += timedelta(0) if self.covers(at) else until - at
            at = until
        return time_left

    def spans(self, begins_at: datetime, ends_at: datetime) -> list[tuple[datetime, datetime]]:
        """Return in UTC when rest begins and ends between two moments."""
        at, rests = begins_at.astimezone(UTC), list[tuple[datetime, datetime]]()
        while at < ends_at:
            until = min(self._steady_until(at), ends_at)
            if self.covers(at):
                begun = rests.pop()[0] if rests and rests[-1][1] == at else at
                rests.append((begun, until))
            at = until
        return rests

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


@lru_cache(1000)
def rest_of(key: str | None) -> Rest | None:
    """Return the rest that a text stands for; in UTC if this machine does not know its zone any more."""
    if key is None:
        return None
    times, _at, name = key.partition("@")
    zone = zone_or_utc(name)
    begin, hours, end = times.partition("-")
    if hours:
        return Rest(zone, hours=(int(begin), int(end)))
    return Rest(zone, days=frozenset(int(day) - 1 for day in times))


def deadline_after(rest: Rest | None, begins_at: datetime, time_left: timedelta) -> datetime:
    """Return when a clock that shows ``time_left`` at a moment shows nothing, by the rest of its person if any."""
    return begins_at + time_left if rest is None else rest.deadline(begins_at, time_left)


def parsed_rest(text: str, zone: tzinfo) -> Rest | None:
    """Return the rest in a zone that a typed text means, or None for no rest. Raises ``Refusal``.

    Understood are "22-7", the names of days in the language of the person or in English or what these begin with, and
    the digits of ``Rest.times``.
    """
    typed = folded(text).strip()
    if typed == NO_REST:
        return None
    try:
        if hours := _HOURS.fullmatch(typed):
            return Rest(zone, hours=(int(hours[1]), int(hours[2])))
        if re.fullmatch("[1-7]{1,2}", typed):
            return Rest(zone, days=frozenset(int(day) - 1 for day in typed))
        words = (word for part in typed_list(typed) for word in _BETWEEN_DAYS.split(part))
        return Rest(zone, days=frozenset(map(_day, filter(None, words))))
    except ValueError:
        raise Refusal(
            _(
                "I don't understand “{text}” as a weekly rest. It can be up to {days} days, such as “{example}”, or "
                "up to {hours} hours a day, such as “{night}”; “0” is none.",
                text=text[:50],
                days=MOST_DAYS,
                hours=MOST_HOURS,
                example=" ".join(day_names()[5:]),
                night=NIGHT,
            )
        ) from None


def _day(word: str) -> int:
    """Return the day of the week that a word means. Raises ``ValueError`` unless it is one day."""
    every = day_names(), day_names("en")
    days = {day for names in every for day, name in enumerate(names) if folded(name).startswith(word)}
    (day,) = days
    return day
