"""In which hours of the day a person usually moves, and when a sound that comes in another one is heard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matches.model.usual_hours import FEWEST_DAYS, FEWEST_MOVES, heard_at, usual_hours

ROME, KOLKATA = ZoneInfo("Europe/Rome"), ZoneInfo("Asia/Kolkata")
MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


def evenings(moves: int, days: int) -> list[datetime]:
    """Return the times of some moves in the evenings of some days."""
    return [MONDAY + timedelta(days=n % days, hours=20 + n % 2, minutes=n) for n in range(moves)]


def test_usual_hours_are_those_of_enough_moves_on_enough_days() -> None:
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS), None) == frozenset({20, 21})
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS), ROME) == frozenset({21, 22})
    assert usual_hours(evenings(FEWEST_MOVES - 1, FEWEST_DAYS), None) is None
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS - 1), None) is None
    assert usual_hours([], None) is None


@pytest.mark.parametrize(
    ("hours", "at", "heard"),
    [
        ({20, 21}, (5, 20, 0), None),
        ({20, 21}, (5, 21, 59), None),
        ({20, 21}, (5, 16, 40), (5, 21, 0)),
        ({20, 21}, (5, 22, 0), None),
        ({20, 21}, (5, 23, 0), (6, 21, 0)),
        ({8, 20}, (5, 22, 30), (6, 9, 0)),
        ({23}, (5, 0, 30), None),
        ({23}, (5, 21, 30), (6, 0, 0)),
    ],
)
def test_a_sound_in_another_hour_is_heard_after_the_next_usual_one(
    hours: set[int], at: tuple[int, int, int], heard: tuple[int, int, int] | None
) -> None:
    expected = None if heard is None else datetime(2026, 1, *heard, tzinfo=UTC)
    assert heard_at(frozenset(hours), datetime(2026, 1, *at, tzinfo=UTC), None) == expected


@pytest.mark.parametrize(
    ("zone", "at", "heard"),
    [
        # At half past eight in the evening by their own clock, before and after it changes.
        (ROME, datetime(2026, 3, 27, 19, 30, tzinfo=UTC), None),
        (ROME, datetime(2026, 3, 30, 18, 30, tzinfo=UTC), None),
        (ROME, datetime(2026, 3, 30, 19, 30, tzinfo=UTC), datetime(2026, 3, 31, 19, 0, tzinfo=UTC)),
        (KOLKATA, datetime(2026, 3, 30, 14, 45, tzinfo=UTC), None),
        (KOLKATA, datetime(2026, 3, 30, 13, 45, tzinfo=UTC), datetime(2026, 3, 30, 15, 30, tzinfo=UTC)),
    ],
)
def test_hours_are_those_of_the_zone_of_a_person(zone: ZoneInfo, at: datetime, heard: datetime | None) -> None:
    assert heard_at(frozenset({20}), at, zone) == heard


@given(st.frozensets(st.integers(0, 23), min_size=1), st.integers(0, 7 * 86400))
def test_every_sound_is_heard_within_a_day_and_after_a_usual_hour(hours: frozenset[int], seconds: int) -> None:
    heard = heard_at(hours, at := MONDAY + timedelta(seconds=seconds), None)
    assert (heard is None) == any((at.hour + beside) % 24 in hours for beside in (-1, 0, 1))
    if heard is not None:
        assert timedelta(0) < heard - at <= timedelta(days=1)
        usual = heard - timedelta(hours=1)
        assert usual.hour in hours
        assert not any((at + timedelta(hours=n)).hour in hours for n in range(ceil((usual - at) / timedelta(hours=1))))
