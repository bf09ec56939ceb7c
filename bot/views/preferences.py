"""A person's preferences: the list, controls that each change one of them, absences, and the people they block."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import discord

from bot.languages.catalogues import OFFERED
from bot.matches.model.refusals import Refusal
from bot.matches.services.absences import AWAY_BUDGET
from bot.messages import custom_ids
from bot.messages.custom_ids import CustomId
from bot.messages.layout import Part, button, layout, line, row, select
from bot.messages.wording import listed, mention
from bot.requests.outcome import if_readable
from bot.requests.request import Request
from bot.storage import commits
from bot.storage.people import Preferences
from bot.views.answers import Reply, answer_in_place, refuse_value
from bot.views.controls import Choice, Control
from renderers.i18n import current_language, gettext_lazy, speak, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.pixels.theme import THEMES


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off. ``verb`` names it in custom ids, ``field`` in the stored record.

    ``turn_on`` and ``turn_off`` are labels of the button, ``on`` and ``off`` the words beside it.
    """

    verb: str
    field: str
    title: str
    turn_on: str
    turn_off: str
    on: str = gettext_lazy("yes")
    off: str = gettext_lazy("no")

    def line(self, value: bool, of: CustomId) -> discord.ui.Section[discord.ui.LayoutView]:
        """Return the setting with the button that changes it; ``of`` is the form of the button's custom id.

        The custom id holds the value to set, so that a second press changes nothing more.
        """
        wanted = of(verb=self.verb, on="no" if value else "yes")
        label = self.turn_off if value else self.turn_on
        now = _("{setting}: **{value}**", setting=self.title, value=self.on if value else self.off)
        return line(now, button(wanted, label))


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
    Switch(
        "aims",
        "aims",
        gettext_lazy("The aim in first matches"),
        gettext_lazy("Show the aim"),
        gettext_lazy("Don't show the aim"),
    ),
)
THEME_NAMES = {
    "dark": gettext_lazy("Dark"),
    "light": gettext_lazy("Light"),
    "high-contrast": gettext_lazy("High contrast"),
}
"""The names of the themes in menus."""
OF_DISCORD = "discord"
"""Stands for the language of a person's Discord, or of a server, in menus of languages."""
BACK = 0
"""Stands for being back in the menu of days away."""
_DAYS = (1, 3, 7, 14, AWAY_BUDGET.days)
_FIELDS = {switch.verb: switch.field for switch in SWITCHES}


class PreferenceButton(Control, of=custom_ids.PREFERENCE):
    """Turns one preference on or off."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, change, {_FIELDS[match["verb"]]: match["on"] == "yes"})


class ThemeChoice(Choice, of=custom_ids.PREFERRED_THEME):
    """Chooses the colours of pictures."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, change, {"theme": value})


class LanguageChoice(Choice, of=custom_ids.PREFERRED_LANGUAGE):
    """Chooses the language the bot speaks with a person."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, change, {"language": value})


class AwayChoice(Choice, of=custom_ids.AWAY):
    """Begins or ends an absence."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        if value not in map(str, (BACK, *_DAYS)):
            await refuse_value(interaction)
        else:
            await answer_in_place(interaction, change, {}, int(value))


async def change(request: Request, changes: dict[str, Any], away_days: int | None = None) -> Reply:
    """Change what is given of a person's preferences, and return all of them as they are then. Raises ``Refusal``.

    ``away_days`` stops their clocks for some days from now, or no longer with ``BACK``.
    """
    services, user_id = request.services, request.person.id
    if "language" in changes:
        changes = {**changes, "language": chosen_language(changes["language"])}
    if changes.get("theme", "dark") not in THEMES:
        raise Refusal(gettext_lazy("There is no such theme any more."))
    with commits.several():
        if away_days is not None:
            await _be_away(request, away_days)
        if changes:
            changed = await services.personal_settings.prefer(user_id, lambda before: replace(before, **changes))
    wanted = (
        changed if changes else await if_readable(services.personal_settings.preferences(user_id), request.preferences)
    )
    speak(replace(request, preferences=wanted).language)
    return Reply(view=_listed(wanted, await if_readable(_away(request), [])))


def chosen_language(value: str) -> str | None:
    """Return the language a choice stands for, None for that of Discord. Raises ``Refusal``."""
    if value not in (OF_DISCORD, *OFFERED):
        raise Refusal(gettext_lazy("I don't speak that language any more."))
    return None if value == OF_DISCORD else value


async def block(request: Request, user_id: int | None, *, blocked: bool) -> Reply:
    """Block a person or no longer, or list whom one has blocked. Raises ``Refusal``."""
    settings = request.services.personal_settings
    if user_id is not None:
        await settings.block(request.person.id, user_id, blocked=blocked)
        if blocked:
            done = gettext_lazy(
                "{person} can no longer challenge you or join your challenges. Matches that are running go on."
            )
        else:
            done = gettext_lazy("{person} can challenge you again. Matches that are running go on.")
        return Reply(translated(done.filled(person=mention(user_id))))
    found = await settings.blocked(request.person.id)
    return Reply(
        gettext_lazy("You have blocked {people}.", people=listed(map(mention, found)))
        if found
        else gettext_lazy("You haven't blocked anybody.")
    )


async def _be_away(request: Request, days: int) -> None:
    absences = request.services.absences
    if days == BACK:
        await absences.come_back(request.person.id)
    else:
        await absences.leave_until(request.person.id, request.services.context.clock() + timedelta(days=days))


async def _away(request: Request) -> list[Part]:
    """Return until when a person is away, with the control that changes it."""
    absence = await request.services.absences.absence(request.person.id)
    away = _("no") if absence is None else _("until {time}", time=discord.utils.format_dt(absence.ends_at, "f"))
    return [
        _n(
            "Away: **{away}**\n-# Your clocks stand still while you are away, for at most {n} day a year.",
            "Away: **{away}**\n-# Your clocks stand still while you are away, for at most {n} days a year.",
            AWAY_BUDGET.days,
            away=away,
        ),
        row(select(custom_ids.AWAY(), _("Pause my clocks"), _absences(absence is not None))),
    ]


def _listed(wanted: Preferences, away: list[Part]) -> discord.ui.LayoutView:
    """Return the preferences with their controls; ``away`` is the part about absences."""
    return layout(
        _("### Your preferences\nTheme: **{theme}**", theme=THEME_NAMES[wanted.theme]),
        row(select(custom_ids.PREFERRED_THEME(), _("Theme"), _themes(wanted.theme))),
        _("Language: **{language}**", language=OFFERED[current_language().code]),
        row(select(custom_ids.PREFERRED_LANGUAGE(), _("Language"), _languages(wanted.language))),
        *(switch.line(getattr(wanted, switch.field), custom_ids.PREFERENCE) for switch in SWITCHES),
        *away,
    )


def _themes(chosen: str) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=translated(name), value=theme, default=theme == chosen)
        for theme, name in THEME_NAMES.items()
    ]


def _languages(chosen: str | None) -> list[discord.SelectOption]:
    return language_options(chosen, _("The language of my Discord"))


def language_options(chosen: str | None, usual: str) -> list[discord.SelectOption]:
    """Return the languages as choices, below the ``usual`` one."""
    every = {OF_DISCORD: usual, **OFFERED}
    return [
        discord.SelectOption(label=name, value=code, default=code == (chosen or OF_DISCORD))
        for code, name in every.items()
    ]


def _absences(away: bool) -> list[discord.SelectOption]:
    back = [discord.SelectOption(label=_("I'm back"), value=str(BACK))] if away else []
    days = [discord.SelectOption(label=_n("For 1 day", "For {n} days", n), value=str(n)) for n in _DAYS]
    return back + days
