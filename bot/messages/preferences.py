"""Somebody's preferences in a list, with the controls that change them."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.languages.catalogues import OFFERED
from bot.matches.services.absences import AWAY_BUDGET
from bot.messages import custom_ids
from bot.messages.layout import layout, row, select
from bot.messages.switches import Switch
from bot.storage.people import Preferences
from renderers.i18n import current_language, gettext_lazy, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

SWITCHES = (
    Switch(
        "coordinates",
        "coordinates",
        gettext_lazy("Coordinates"),
        gettext_lazy("Show coordinates"),
        gettext_lazy("Hide coordinates"),
    ),
    Switch(
        "confirm",
        "confirm",
        gettext_lazy("Confirm before playing"),
        gettext_lazy("Confirm every move"),
        gettext_lazy("Don't ask every time"),
    ),
    Switch(
        "text",
        "text_boards",
        gettext_lazy("Text boards"),
        gettext_lazy("Show boards as text"),
        gettext_lazy("Show boards as pictures"),
    ),
    Switch(
        "reminders", "reminders", gettext_lazy("Reminders"), gettext_lazy("Remind me"), gettext_lazy("Don't remind me")
    ),
)
THEME_NAMES = {
    "dark": gettext_lazy("Dark"),
    "light": gettext_lazy("Light"),
    "high-contrast": gettext_lazy("High contrast"),
}
"""What the themes are called where people choose one."""
OF_DISCORD = "discord"
"""Stands for the language of somebody's Discord, or of a server, in the menus of languages."""
BACK = 0
"""Stands for being back in the menu of days away."""
_DAYS = (1, 3, 7, 14, AWAY_BUDGET.days)


def preferences(wanted: Preferences, away_until: datetime | None) -> discord.ui.LayoutView:
    """Return the list; ``away_until`` is when somebody who is away comes back."""
    away = _("no") if away_until is None else _("until {time}", time=discord.utils.format_dt(away_until, "f"))
    return layout(
        _("### Your preferences\nTheme: **{theme}**", theme=THEME_NAMES[wanted.theme]),
        row(select(custom_ids.PREFERRED_THEME(), _("Theme"), _themes(wanted.theme))),
        _("Language: **{language}**", language=OFFERED[current_language().code]),
        row(select(custom_ids.PREFERRED_LANGUAGE(), _("Language"), _languages(wanted.language))),
        *(switch.line(getattr(wanted, switch.field), custom_ids.PREFERENCE) for switch in SWITCHES),
        _n(
            "Away: **{away}**\n-# Your clocks stand still while you are away, for at most {n} day a year.",
            "Away: **{away}**\n-# Your clocks stand still while you are away, for at most {n} days a year.",
            AWAY_BUDGET.days,
            away=away,
        ),
        row(select(custom_ids.AWAY(), _("Pause my clocks"), _absences(away_until is not None))),
    )


def _themes(chosen: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=translated(name), value=theme, default=theme == chosen)
        for theme, name in THEME_NAMES.items()
    ]


def _languages(chosen: str | None) -> list[discord.SelectOption]:
    return language_options(chosen, _("The language of my Discord"))


def language_options(chosen: str | None, usual: str) -> list[discord.SelectOption]:
    """Return the languages there are as choices, below the ``usual`` one."""
    every = {OF_DISCORD: usual, **OFFERED}
    return [
        discord.SelectOption(label=name, value=code, default=code == (chosen or OF_DISCORD))
        for code, name in every.items()
    ]


def _absences(away: bool) -> list[discord.SelectOption]:
    back = [discord.SelectOption(label=_("I'm back"), value=str(BACK))] if away else []
    days = [
        discord.SelectOption(label=_n("For a day from now", "For {n} days from now", n), value=str(n)) for n in _DAYS
    ]
    return back + days
