"""A pace: how much time people have, as a value, in words, and as people type it. Pure.

A person has a bank of time. Their clock runs while they are to move; a move adds the increment to what is left, and
never makes it more than the whole bank. "Days a move" is the pace whose increment fills the bank with every move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY, HOUR, MINUTE, WEEK, typed_seconds
from renderers.i18n import folded, translated
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

SHORTEST, LONGEST = 3 * MINUTE, 30 * DAY
"""The least and the most time in a bank, in seconds."""
LIVE = HOUR
"""A bank of fewer seconds is for people who play in one sitting."""


@dataclass(frozen=True, slots=True)
class Pace:
    """A bank of ``seconds``, to which a move adds ``increment`` seconds; None is a whole bank for every move."""

    seconds: int
    increment: int | None = None

    @classmethod
    def of(cls, seconds: int | None, increment: int | None) -> Pace | None:
        """Return the pace that two columns hold, or None for no time limit."""
        return None if seconds is None else cls(seconds, increment)

    @property
    def live(self) -> bool:
        """Whether it is for people who play in one sitting."""
        return is_live(self.seconds)

    @property
    def key(self) -> str:
        """The pace as the value of an option, which ``parsed_pace`` reads: ``86400``, or ``600s+30s``."""
        return str(self.seconds) if self.increment is None else f"{self.seconds}s+{self.increment}s"

    @property
    def words(self) -> str:
        if self.increment is None:
            return _("{time} a move", time=span_in_words(self.seconds))
        bank, increment = span_in_words(self.seconds), span_in_words(self.increment)
        return _("{bank} + {increment} a move", bank=bank, increment=increment)


def audience(pace: Pace | None) -> str:
    """Return for whom a pace is, by how often they look in; nothing for no limit."""
    if pace is None:
        return ""
    if pace.live:
        return _("in one sitting")
    each = pace.seconds if pace.increment is None else pace.increment
    habits = (
        (DAY, _("for several looks a day")),
        (2 * DAY, _("for a look twice a day")),
        (3 * DAY, _("for a look every day")),
        (WEEK, _("for a look every other day")),
    )
    return next((habit for below, habit in habits if each < below), _("for a look at weekends"))


def is_live(seconds: int | None) -> bool:
    """Return whether a bank of so many seconds is for people who play in one sitting; None stands for no limit."""
    return seconds is not None and seconds < LIVE


PACES = (
    *map(Pace, (12 * HOUR, DAY, 2 * DAY, 3 * DAY, WEEK, 2 * WEEK)),
    Pace(10 * MINUTE, 30),
    Pace(30 * MINUTE, MINUTE),
    Pace(6 * HOUR, HOUR),
    Pace(5 * DAY, DAY),
    Pace(10 * DAY, 36 * HOUR),
)
"""The paces that are offered, besides none."""
NO_LIMIT = _("no time limit")
NO_LIMIT_KEY = "0"
"""Stands for no time limit in options."""


def columns(pace: Pace | None) -> dict[str, int | None]:
    return {"pace": None, "increment": None} if pace is None else {"pace": pace.seconds, "increment": pace.increment}


def pace_in_words(pace: Pace | None) -> str:
    return NO_LIMIT if pace is None else pace.words


def span_in_words(seconds: int) -> str:
    """Return a span of time in the largest unit that divides it: 90 seconds, 36 hours, 5 days."""
    if seconds % DAY == 0 and seconds:
        return _n("{n} day", "{n} days", seconds // DAY)
    if seconds % HOUR == 0 and seconds:
        return _n("{n} hour", "{n} hours", seconds // HOUR)
    if seconds % MINUTE == 0 and seconds:
        return _n("{n} minute", "{n} minutes", seconds // MINUTE)
    return _n("{n} second", "{n} seconds", seconds)


def time_left_in_words(time_left: timedelta) -> str:
    """Return the time on a clock that stands: 9:05 below an hour, else whole hours, or whole days from two on."""
    seconds = max(0, int(time_left.total_seconds()))
    if seconds < HOUR:
        return f"{seconds // MINUTE}:{seconds % MINUTE:02}"
    return span_in_words(seconds - seconds % (HOUR if seconds < 2 * DAY else DAY))


def parsed_pace(text: str) -> Pace | None:
    """Return the pace that a typed text means, or None for no time limit. Raises ``Refusal``.

    Understood are "10 minutes + 30 seconds", "5d+1d", "1h30", "36 hours", the offered paces in words, "10+30" for
    minutes and seconds as players of chess write it, and a number alone, which is in seconds.
    """
    typed = folded(text).strip()
    for pace in (None, *PACES):
        if typed in map(folded, (pace_in_words(pace), translated(pace_in_words(pace)))):
            return pace
    if typed == NO_LIMIT_KEY:
        return None
    first, plus, second = typed.partition("+")
    bank = typed_seconds(first, MINUTE if plus else 1)
    increment = typed_seconds(second, 1) if plus else None
    if bank is None or (plus and increment is None):
        raise Refusal(
            _(
                "I don't understand “{text}” as a pace. Examples: “3 days” for each move, “10 minutes + 30 seconds”, "
                "“5 days + 1 day”.",
                text=text[:50],
            )
        )
    if not SHORTEST <= bank <= LONGEST:
        shortest, longest = span_in_words(SHORTEST), span_in_words(LONGEST)
        raise Refusal(_("A pace can be from {shortest} to {longest}.", shortest=shortest, longest=longest))
    return Pace(bank, None if increment is None or increment >= bank else increment)


def banks_after(
    pace: Pace, banks: Mapping[int, timedelta], running: int | None, time_left: timedelta, movers: Iterable[int]
) -> dict[int, timedelta]:
    """Return the time in the bank of every seat after a turn.

    ``banks`` are those before it. The clock of the seat ``running`` showed ``time_left``, less than nothing if the time
    was up. Each of ``movers`` made a move, in this order; a take-back is none, so it gives no time back and takes none.
    """
    whole = timedelta(seconds=pace.seconds)
    if pace.increment is None:
        return dict.fromkeys(banks, whole)
    after = dict(banks)
    if running is not None:
        after[running] = min(whole, max(time_left, timedelta(0)))
    for seat in movers:
        after[seat] = min(whole, after[seat] + timedelta(seconds=pace.increment))
    return after
