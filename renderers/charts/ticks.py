"""Round times for the axis of a plot: hours, days, months or years, whichever are few enough to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, takewhile

from renderers.dates import short_day, short_month

When = datetime | float
"""A place on the axis: a time, or a plain number such as that of a turn."""

_MOST_TICKS = 5
_HOURS = (1, 2, 3, 6, 12)
_DAYS = (1, 2, 7, 14)
_MONTH_STEPS = (1, 2, 3, 6)
_YEARS = (1, 2, 5, 10, 20)


def seconds(when: When) -> float:
    """Return a place on the axis as a number; a time without a zone is taken for UTC."""
    return _aware(when).timestamp() if isinstance(when, datetime) else float(when)


def time_ticks(whens: Sequence[When]) -> list[tuple[float, str]]:
    """Return at most five round places between the first and the last of ``whens``, each with its label.

    Where no round place lies between them (a single time, say) the first and the last are labelled themselves.
    """
    times = [when for when in whens if isinstance(when, datetime)]
    if not times:
        return _number_ticks([float(when) for when in whens if not isinstance(when, datetime)])
    first, last = min(map(_aware, times)), max(map(_aware, times))
    ticks = next((found for found in _candidates(first, last) if len(found) <= _MOST_TICKS), [])
    if len(ticks) >= 2:
        return ticks
    return [(when.timestamp(), _day(when)) for when in dict.fromkeys((first, last))]


def _aware(when: datetime) -> datetime:
    return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)


def _day(when: datetime) -> str:
    return short_day(when)


def _hour(when: datetime) -> str:
    return f"{when:%H:%M}" if when.hour else _day(when)


def _candidates(first: datetime, last: datetime) -> Iterator[list[tuple[float, str]]]:
    """Yield the ticks of every scale, from the finest to the coarsest, without those far too fine for the span."""
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    days = (last - first).days
    if days < 3:
        for hours in _HOURS:
            yield _every(midnight, timedelta(hours=hours), first, last, _hour)
    if days < 120:
        for step in _DAYS:
            yield _every(midnight, timedelta(days=step), first, last, _day)
    for months in _MONTH_STEPS:
        yield _monthly(first, last, months)
    for years in _YEARS:
        yield _monthly(first, last, 12 * years)


def _every(
    start: datetime, step: timedelta, first: datetime, last: datetime, label: Callable[[datetime], str]
) -> list[tuple[float, str]]:
    """Return the times from ``start`` on, ``step`` apart, that lie between ``first`` and ``last``."""
    times = takewhile(lambda when: when <= last, (start + step * at for at in count()))
    return [(when.timestamp(), label(when)) for when in times if when >= first]


def _monthly(first: datetime, last: datetime, months: int) -> list[tuple[float, str]]:
    """Return the beginnings of every so many months, counted from January of a year divisible by their years."""
    years = max(1, months // 12)
    start = first.year - first.year % years
    ticks: list[tuple[float, str]] = []
    for at in range(0, 12 * (last.year - start + 1), months):
        when = datetime(start + at // 12, at % 12 + 1, 1, tzinfo=UTC)
        if first <= when <= last:
            ticks.append((when.timestamp(), str(when.year) if when.month == 1 else short_month(when)))
    return ticks


def _number_ticks(numbers: list[float]) -> list[tuple[float, str]]:
    """Return round numbers between the least and the greatest."""
    low, high = min(numbers), max(numbers)
    step = next(
        factor * 10**power
        for power in count()
        for factor in (1, 2, 5)
        if (high - low) / (factor * 10**power) < _MOST_TICKS
    )
    first = -int(-low // step)
    return [(float(at), str(at)) for at in range(first * step, int(high) + 1, step)] or [(low, f"{low:g}")]
