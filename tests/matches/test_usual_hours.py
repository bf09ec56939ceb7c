"""In which hours of the day a person usually moves, and when a sound that comes in another one is heard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matches.model.usual_hours import FEWEST_DAYS, FEWEST_MOVES, heard_at, usual_hours

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


def evenings(moves: int, days: int) -> list[datetime]:
    """Return the times of some moves in the evenings of some days."""
    return [MONDAY + timedelta(days=n % days, hours=20 + n % 2, minutes=n) for n in range(moves)]


def test_usual_hours_are_those_of_enough_moves_on_enough_days() -> None:
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS)) == frozenset({20, 21})
    assert usual_hours(evenings(FEWEST_MOVES - 1, FEWEST_DAYS)) is None
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS - 1)) is None
    assert usual_hours([]) is None


@pytest.mark.parametrize(
    ("hours", "at", "heard"),
    [
        ({20, 21}, (5, 20, 0), None),
        ({20, 21}, (5, 21, 59), None),
        ({20, 21}, (5, 16, 40), (5, 21, 0)),
        ({20, 21}, (5, 22, 0), (6, 21, 0)),
        ({8, 20}, (5, 22, 30), (6, 9, 0)),
        ({23}, (5, 22, 30), (6, 0, 0)),
        ({20}, (5, 21, 5), (6, 21, 0)),
    ],
)
def test_a_sound_in_another_hour_is_heard_after_the_next_usual_one(
    hours: set[int], at: tuple[int, int, int], heard: tuple[int, int, int] | None
) -> None:
    expected = None if heard is None else datetime(2026, 1, *heard, tzinfo=UTC)
    assert heard_at(frozenset(hours), datetime(2026, 1, *at, tzinfo=UTC)) == expected


@given(st.frozensets(st.integers(0, 23), min_size=1), st.integers(0, 7 * 86400))
def test_every_sound_is_heard_within_a_day_and_after_a_usual_hour(hours: frozenset[int], seconds: int) -> None:
    heard = heard_at(hours, at := MONDAY + timedelta(seconds=seconds))
    assert (heard is None) == (at.hour in hours)
    if heard is not None:
        assert timedelta(0) < heard - at <= timedelta(days=1)
        usual = heard - timedelta(hours=1)
        assert usual.hour in hours
        assert not any((at + timedelta(hours=n)).hour in hours for n in range(ceil((usual - at) / timedelta(hours=1))))
