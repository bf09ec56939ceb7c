"""A person's quiet hours: whether a moment lies in them, and when a reminder comes that would fall into them. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.matches.model.time_zones import UTC_NAME, known_zone

BEFORE_QUIET = timedelta(minutes=15)
"""A reminder that comes before quiet hours comes so long before."""
ENOUGH_LEFT = timedelta(hours=1)
"""A reminder waits for the end of quiet hours if so much time is left then."""


def quiet_at(begins: int | None, ends: int | None, zone: str | None, at: datetime) -> tuple[datetime, datetime] | None:
    """Return when the quiet hours began and end in which a moment lies; None outside them, or where there are none."""
    own_zone = known_zone(zone or UTC_NAME)
    if begins is None or ends is None or begins == ends or own_zone is None:
        return None
    today = at.astimezone(own_zone)
    for days in (-1, 0):
        first = (today + timedelta(days=days)).date()
        last = first + timedelta(days=ends < begins)
        since, until = (
            datetime(day.year, day.month, day.day, hour, tzinfo=own_zone).astimezone(UTC)
            for day, hour in ((first, begins), (last, ends))
        )
        if since <= at < until:
            return since, until
    return None


def reminded_at(
    planned: datetime, deadline: datetime, begun: datetime, quiet: tuple[datetime, datetime] | None
) -> datetime:
    """Return when a person is reminded of a turn that has ``begun``, whose reminder is ``planned`` in a ``quiet`` time.

    That is when it is no longer quiet, or before, if their time runs out while it is. In a turn that begins in quiet
    hours and ends in them the reminder comes as planned.
    """
    if quiet is None:
        return planned
    since, until = quiet
    if deadline - until >= ENOUGH_LEFT:
        return until
    return since - BEFORE_QUIET if since - BEFORE_QUIET > begun else planned
