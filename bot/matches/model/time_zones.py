"""Time zones by their names, and the hours of days in them. Pure.

A name that is chosen is checked (``zone_of``). One that is stored may be unknown to this machine later: the hours of
days are then those of UTC.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.matches.model.refusals import Refusal
from renderers.i18n import gettext_lazy as _

UTC_NAME: Final = "UTC"
_MOST_PLACES: Final = 25
"""The most choices of a menu."""
_PLACES: Final = (
    "Pacific/Honolulu",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Halifax",
    "America/Sao_Paulo",
    "UTC",
    "Europe/London",
    "Europe/Paris",
    "Europe/Rome",
    "Europe/Berlin",
    "Europe/Athens",
    "Europe/Moscow",
    "Africa/Lagos",
    "Africa/Nairobi",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""Usual time zones, from west to east."""


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its IANA name. Raises ``Refusal`` if there is none of that name."""
    zone = known_zone(name)
    if zone is None:
        raise Refusal(_("I don't know the time zone {zone}. Choose one of the suggestions."), zone=name)
    return zone


def known_zone(name: str | None) -> tzinfo | None:
    """Return a time zone by its IANA name; None if none is named, or this machine does not know it any more."""
    if name == UTC_NAME:
        return UTC
    try:
        return None if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_or_utc(name: str | None) -> tzinfo:
    """Return a time zone by the name that is stored for it; UTC where ``known_zone`` knows none."""
    return known_zone(name) or UTC


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of all time zones, those of places first."""
    names = {name for name in available_timezones() if name.split("/")[0] not in ("posix", "right", "SystemV")}
    return tuple(sorted(names | {UTC_NAME}, key=lambda name: ("/" not in name, name.startswith("Etc/"), name)))


def common_zones(chosen: str) -> list[str]:
    """Return the chosen time zone and usual ones around the world, 25 at most."""
    installed = set(zone_names())
    places = [name for name in _PLACES if name in installed and name != chosen]
    return [chosen, *places][:_MOST_PLACES]


def moment(day: date, hour: int, zone: str) -> datetime:
    """Return an hour of a day in a time zone, as a moment in UTC.

    If daylight saving skips the hour, this is the moment of the change; if it repeats the hour, the first time.
    """
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone_or_utc(zone)).astimezone(UTC)


def next_moment(hour: int, zone: str, now: datetime, after: date | None = None) -> datetime:
    """Return the next moment after ``now`` that is that hour in a zone, on a later day than ``after``."""
    day = now.astimezone(zone_or_utc(zone)).date()
    if after is not None and day <= after:
        day = after + timedelta(days=1)
    on_day = moment(day, hour, zone)
    return on_day if on_day > now else moment(day + timedelta(days=1), hour, zone)


def next_monday(hour: int, zone: str, after: datetime) -> datetime:
    """Return the first moment after another one that is that hour of a Monday in a zone."""
    monday = monday_of(after.astimezone(zone_or_utc(zone)).date())
    mondays = (moment(monday + timedelta(weeks=weeks), hour, zone) for weeks in (0, 1))
    return next(begins_at for begins_at in mondays if begins_at > after)


def monday_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def day_due(hour: int, zone: str, now: datetime) -> date:
    """Return the latest day whose hour in a zone has come by ``now``."""
    day = now.astimezone(zone_or_utc(zone)).date()
    return day if moment(day, hour, zone) <= now else day - timedelta(days=1)
