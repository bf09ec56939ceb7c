"""Somebody's preferences in a list, with the controls that change them."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.matches.services.absences import AWAY_BUDGET
from bot.messages import custom_ids
from bot.messages.layout import layout, row, select
from bot.messages.switches import Switch
from bot.storage.records import Preferences

SWITCHES = (
    Switch("coordinates", "coordinates", "Coordinates", "Show coordinates", "Hide coordinates"),
    Switch("confirm", "confirm", "Confirm before playing", "Confirm every move", "Don't ask every time"),
    Switch("text", "text_boards", "Text boards", "Show boards as text", "Show boards as pictures"),
    Switch("reminders", "reminders", "Reminders", "Remind me", "Don't remind me"),
)
THEME_NAMES = {"dark": "Dark", "light": "Light", "high-contrast": "High contrast"}
"""What the themes are called where people choose one."""
BACK = 0
"""Stands for being back in the menu of days away."""
_DAYS = (1, 3, 7, 14, AWAY_BUDGET.days)


def preferences(wanted: Preferences, away_until: datetime | None) -> discord.ui.LayoutView:
    """Return the list; ``away_until`` is when somebody who is away comes back."""
    away = "no" if away_until is None else f"until {discord.utils.format_dt(away_until, 'f')}"
    return layout(
        f"### Your preferences\nTheme: **{THEME_NAMES[wanted.theme]}**",
        row(select(custom_ids.PREFERRED_THEME(), "Theme", _themes(wanted.theme))),
        *(switch.line(getattr(wanted, switch.field), custom_ids.PREFERENCE) for switch in SWITCHES),
        f"Away: **{away}**\n-# Your clocks stand still while you are away, for at most {AWAY_BUDGET.days} days a year.",
        row(select(custom_ids.AWAY(), "Pause my clocks", _absences(away_until is not None))),
    )


def _themes(chosen: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=name, value=theme, default=theme == chosen) for theme, name in THEME_NAMES.items()
    ]


def _absences(away: bool) -> list[discord.SelectOption]:
    back = [discord.SelectOption(label="I'm back", value=str(BACK))] if away else []
    days = [
        discord.SelectOption(label=f"For {'a day' if n == 1 else f'{n} days'} from now", value=str(n)) for n in _DAYS
    ]
    return back + days
