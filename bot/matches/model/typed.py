"""Lists and spans of time as people type them, on keyboards of any language. Pure.

Everything typed that is a list or a time is read here, so that what one command understands, all do.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from renderers.i18n import folded

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
_BETWEEN = re.compile("[,;、､·،؛\n]")
_SPAN = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\W\d_]*)")
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):([0-5]\d)(?!\s*[^\W\d_]|:|\d)")
_BESIDE = re.compile(r"[^\W\d_]|[\s.,'’/&()]")
"""What may stand between the numbers of a span: words, and signs that change none of them."""
_UNITS = {
    **dict.fromkeys(("me", "mo"), None),
    **dict.fromkeys(("sem", "set", "w", "週"), WEEK),
    **dict.fromkeys(("st", "h", "o", "時"), HOUR),
    **dict.fromkeys(("d", "t", "j", "g", "日"), DAY),
    **dict.fromkeys(("m", "分"), MINUTE),
    **dict.fromkeys(("s", "秒"), 1),
    "手": 0,
}
"""The beginnings of units of time in the languages of the bot, in seconds; the first that fits counts. Months are none,
and a move takes no time in itself.
"""
_NEXT = {WEEK: DAY, DAY: HOUR, HOUR: MINUTE, MINUTE: 1}
"""The unit of a number that follows one with a unit and has none: 1h30 is an hour and thirty minutes."""


def parts(text: str) -> list[str]:
    """Return what stands between the separators of a typed list, full-width letters like the others; blanks, too."""
    return [part.strip() for part in _BETWEEN.split(normalize("NFKC", text))]


def typed_list(text: str) -> tuple[str, ...]:
    """Return the parts of a typed list, without blank ones: ``d4、e5;`` has two."""
    return tuple(part for part in parts(text) if part)


def typed_seconds(text: str, usual: int) -> int | None:
    """Return a span of time in seconds, ``usual`` ones for a number without a unit; None if it is not understood.

    Understood are "1.5 hours", "1h30", "2 days, 12 hours", and what clocks show: "10:00", "1:30:00".
    """
    typed, total, unit = folded(text), 0.0, None
    for clock in _CLOCK.finditer(typed):
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        total += hours * HOUR + minutes * MINUTE + seconds
    if (rest := _CLOCK.sub("", typed)) != typed:
        return round(total) if not rest.strip() and len(typed) < 12 else None
    spans = _SPAN.findall(typed)
    if not spans or _BESIDE.sub("", _SPAN.sub("", typed)):
        return None
    for at, (number, word) in enumerate(spans):
        if word:
            unit = next((size for name, size in _UNITS.items() if word.startswith(name)), None)
        else:
            unit = _NEXT.get(unit or 0) if at else usual
        if unit is None or len(number) > 9:
            return None
        total += float(number.replace(",", ".")) * unit
    return round(total)
