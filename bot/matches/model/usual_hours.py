"""The hours of the day in which a person usually moves, and when a sound that comes in another hour is heard. Pure.

Hours are those of a person's time zone. Where that is not known they are those of UTC, and the hours beside them count
as usual, too: their clocks may have changed since.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta, tzinfo

LEARNED_IN = timedelta(weeks=4)
"""Moves of so long a time tell a person's usual hours."""
FEWEST_MOVES, FEWEST_DAYS = 20, 5
"""With fewer moves, or on fewer days, nothing is known of them."""
AROUND = timedelta(hours=1)
"""For so long after a move a person may be around, whatever the hour."""
SHORT = timedelta(hours=12)
"""With less time left for a move, a person hears of their turn at any hour."""


def usual_hours(moved: Collection[datetime], zone: tzinfo | None) -> frozenset[int] | None:
    """Return the hours of the day in which a person has made their moves; None if these are too few to tell."""
    if len(moved) < FEWEST_MOVES or len({at.date() for at in moved}) < FEWEST_DAYS:
        return None
    return frozenset(at.astimezone(zone or UTC).hour for at in moved)


def heard_at(hours: frozenset[int], at: datetime, zone: tzinfo | None) -> datetime | None:
    """Return when the first usual hour after a time is over, by which a person has mostly come by themselves.

    None is for a time in a usual hour, which is heard at once.
    """
    shown = at.astimezone(zone or UTC)
    if any((shown.hour + beside) % 24 in hours for beside in ((0,) if zone else (-1, 0, 1))):
        return None
    begun = at - timedelta(minutes=shown.minute, seconds=shown.second, microseconds=shown.microsecond)
    ends = (begun + timedelta(hours=n + 1) for n in range(1, 26))
    return next(end for end in ends if (end - timedelta(hours=1)).astimezone(zone or UTC).hour in hours)
