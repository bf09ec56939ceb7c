"""Weekly rest against a model that looks at every minute, over changes of clocks of every kind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from bot.matches.model.rest import Rest

INSTANT, MINUTE, HOUR, DAY = timedelta(microseconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(year: int, month: int, day: int, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


ROME = ZoneInfo("Europe/Rome")
WEEKEND = Rest(ROME, days=frozenset({5, 6}))
NIGHT = Rest(ROME, hours=(22, 7))
CHANGES = (
    ("UTC", at(2026, 2, 28)),
    ("Asia/Kathmandu", at(2026, 2, 28)),
    ("Europe/Rome", at(2026, 3, 29)),
    ("Europe/Rome", at(2026, 10, 25)),
    ("America/New_York", at(2026, 11, 1)),
    ("America/Havana", at(2026, 3, 8)),
    ("America/Havana", at(2026, 11, 1)),
    ("Asia/Beirut", at(2026, 3, 29)),
    ("Asia/Beirut", at(2026, 10, 25)),
    ("Australia/Lord_Howe", at(2026, 4, 5)),
    ("Antarctica/Troll", at(2026, 3, 29)),
    ("Antarctica/Troll", at(2026, 10, 25)),
    ("Pacific/Apia", at(2011, 12, 30)),
)
"""Zones, and days about which their clocks change: by one hour, half an hour or two, at midnight, or by a whole day."""


def minute_by_minute(rest: Rest, begins_at: datetime, minutes: int) -> datetime:
    """Return the deadline of a clock that shows so many minutes, found by looking at each of them."""
    resting_hours = set()
    if rest.hours is not None:
        hour, end = rest.hours
        while hour != end:
            resting_hours.add(hour)
            hour = (hour + 1) % 24
    now = begins_at
    while minutes:
        shown = now.astimezone(rest.zone)
        minutes -= not (shown.weekday() in rest.days or shown.hour in resting_hours)
        now += MINUTE
    return now


def any_rest(random: Random, zone: ZoneInfo) -> Rest:
    if random.random() < 0.5:
        return Rest(zone, days=frozenset(random.sample(range(7), random.randint(1, 2))))
    begin = random.randrange(24)
    return Rest(zone, hours=(begin, (begin + random.randint(1, 10)) % 24))


@pytest.mark.parametrize("cases", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_a_deadline_is_that_of_a_clock_looked_at_every_minute(cases: int) -> None:
    random = Random(cases)
    for case in range(cases):
        zone, day = CHANGES[case % len(CHANGES)]
        rest = any_rest(random, ZoneInfo(zone))
        begins_at = day + random.randrange(-3 * 24 * 60, 24 * 60) * MINUTE
        minutes = random.choice((random.randrange(60), random.randrange(5 * 24 * 60)))
        expected = minute_by_minute(rest, begins_at, minutes)
        assert rest.deadline(begins_at, minutes * MINUTE) == expected, (rest, begins_at, minutes)
        spans = rest.spans(begins_at, expected)
        stood = sum((ends - begins for begins, ends in spans), timedelta(0))
        assert expected - begins_at - stood == minutes * MINUTE, (rest, begins_at, minutes)
        assert all(before[1] < after[0] for before, after in pairwise(spans)), "each is told whole"


@pytest.mark.parametrize(
    ("rest", "begins_at", "left", "ends_at"),
    [
        # A Friday noon in Rome, in winter, and a day of time: the weekend stands between.
        (WEEKEND, at(2026, 1, 2, 11), DAY, at(2026, 1, 5, 11)),
        # From a Monday on: 43 days of a clock are eight weeks and three days.
        (WEEKEND, at(2026, 1, 4, 23), 43 * DAY, at(2026, 3, 4, 23)),
        # The rest has begun, to the microsecond.
        (NIGHT, at(2026, 1, 2, 21) + INSTANT, HOUR, at(2026, 1, 3, 7)),
        (NIGHT, at(2026, 1, 2, 21) - INSTANT, HOUR, at(2026, 1, 3, 7) - INSTANT),
        # A clock that runs out as the rest begins, and one that has nothing left during it.
        (NIGHT, at(2026, 1, 2, 20), HOUR, at(2026, 1, 2, 21)),
        (NIGHT, at(2026, 1, 2, 22), timedelta(0), at(2026, 1, 2, 22)),
        # The night is an hour shorter in March, and an hour longer in October.
        (NIGHT, at(2026, 3, 28, 20), 2 * HOUR, at(2026, 3, 29, 6)),
        (NIGHT, at(2026, 10, 24, 19), 2 * HOUR, at(2026, 10, 25, 7)),
    ],
)
def test_a_clock_stands_during_the_rest(rest: Rest, begins_at: datetime, left: timedelta, ends_at: datetime) -> None:
    assert rest.deadline(begins_at, left) == ends_at
    assert rest.deadline(begins_at.astimezone(ROME), left) == ends_at


@pytest.mark.parametrize(
    ("days", "hours"),
    [
        (frozenset(), None),
        (frozenset({1, 3, 5}), None),
        (frozenset({7}), None),
        (frozenset({5}), (22, 7)),
        (frozenset(), (22, 9)),
        (frozenset(), (7, 7)),
        (frozenset(), (22, 24)),
    ],
)
def test_there_is_neither_too_much_rest_nor_two_kinds_of_it(
    days: frozenset[int], hours: tuple[int, int] | None
) -> None:
    with pytest.raises(ValueError, match=r"days|hours"):
        Rest(UTC, days, hours)
