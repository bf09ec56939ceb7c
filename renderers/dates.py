"""Days as the current language writes them (CLDR)."""

from __future__ import annotations

from datetime import date

from babel.dates import format_date, format_skeleton

from renderers.i18n import current_language


def long_date(day: date) -> str:
    """Write a day out in full as the current language does it: ``Sunday, 22 November 2026``."""
    locale = current_language().locale
    return format_date(day, "EEEE, d MMMM y" if locale.language == "en" else "full", locale)


def day_and_month(day: date) -> str:
    """Write a day without its year as the current language does it: ``22 November``."""
    locale = current_language().locale
    return (
        format_date(day, "d MMMM", locale)
        if locale.language == "en"
        else format_skeleton("MMMMd", day, None, True, locale)
    )


def long_day(day: date) -> str:
    """Write a day with its year as the current language does it: ``22 November 2026``."""
    locale = current_language().locale
    return format_date(day, "d MMMM y" if locale.language == "en" else "long", locale)
