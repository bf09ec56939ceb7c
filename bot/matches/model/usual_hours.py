"""The hours of the day in which a person usually moves, and when a sound that comes in another hour is heard. Pure.

Hours are those of UTC, so that nobody has to name a time zone.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

LEARNED_IN = timedelta(weeks=4)
"""Moves of so long a time tell a person's usual hours."""
FEWEST_MOVES, FEWEST_DAYS = 20, 5
"""With fewer moves, or on fewer days, nothing is known of them."""
AROUND = timedelta(hours=1)
"""For so long after a move a person may be around, whatever the hour."""
SHORT = timedelta(hours=12)
"""With less time left for a move, a person hears of their turn at any hour."""


def usual_hours(moved: Collection[datetime]) -> frozenset[int] | None:
    """Return the hours of the day in which a person has made their moves; None if these are too few to tell."""
    if len(moved) < FEWEST_MOVES or len({at.date() for at in moved}) < FEWEST_DAYS:
        return None
    return frozenset(at.hour for at in moved)


def heard_at(hours: frozenset[int], at: datetime) -> datetime | None:
    """Return when the first usual hour after a time is over, by which a person has mostly come by themselves.

    None is for a time in a usual hour, which is heard at once.
    """
    if at.hour in hours:
        return None
    begun = at.replace(minute=0, second=0, microsecond=0)
    return next(begun + timedelta(hours=n + 1) for n in range(1, 24) if (at.hour + n) % 24 in hours)
