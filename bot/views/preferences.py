"""A person's preferences in groups, with controls that each change one of them, absences, and whom they block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.languages.catalogues import OFFERED
from bot.matches.model.refusals import Refusal
from bot.matches.model.rest import parsed_rest
from bot.matches.model.time_zones import UTC_NAME, zone_of
from bot.matches.services.absences import AWAY_BUDGET
from bot.matches.services.preferences import with_rest
from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, line, row, select
from bot.messages.wording import listed, mention
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.storage import blocks, commits, people
from bot.storage.people import Preferences
from bot.storage.records import News
from bot.views.answers import NOT_OFFERED, Reply
from bot.views.controls import in_place, menu
from bot.views.news import NEWS_NAMES, chosen_news, digest_words, news_options, quiet_words
from bot.views.rest import rest_line
from renderers.i18n import current_language, gettext_lazy, speak, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off; ``field`` names it in the stored record.

    ``turn_on`` and ``turn_off`` are labels of the button, ``on`` and ``off`` the words beside it.
    """

    field: str
    title: str
    turn_on: str
    turn_off: str
    on: str = gettext_lazy("yes")
    off: str = gettext_lazy("no")

    def line(self, value: bool, custom_id: str) -> discord.ui.Section[discord.ui.LayoutView]:
        """Return the setting with the button that changes it.

        The custom id holds the value to set, so that a second press changes nothing more.
        """
        now = _("{setting}: **{value}**", setting=self.title, value=self.on if value else self.off)
        return line(now, button(custom_id, self.turn_off if value else self.turn_on))


SWITCHES: Mapping[custom_ids.PreferenceName, Switch] = {
    "coordinates": Switch(
        "coordinates",
        gettext_lazy("Coordinates"),
        gettext_lazy("Show coordinates"),
        gettext_lazy("Hide coordinates"),
    ),
    "confirm": Switch(
        "confirm",
        gettext_lazy("Confirm before playing"),
        gettext_lazy("Confirm every move"),
        gettext_lazy("Don't ask every time"),
    ),
    "text": Switch(
        "text_boards",
        gettext_lazy("Text boards"),
        gettext_lazy("Show boards as text"),
        gettext_lazy("Show boards as pictures"),
    ),
    "reminders": Switch(
        "reminders", gettext_lazy("Reminders"), gettext_lazy("Remind me"), gettext_lazy("Don't remind me")
    ),
    "usual": Switch(
        "usual_hours",
        gettext_lazy("Sounds in my usual hours only"),
        gettext_lazy("Only in my usual hours"),
        gettext_lazy("At any hour"),
    ),
    "graces": Switch(
        "graces",
        gettext_lazy("A day away before I lose on time"),
        gettext_lazy("Use one for me"),
        gettext_lazy("Use none for me"),
    ),
    "aims": Switch(
        "aims",
        gettext_lazy("The aim in first matches"),
        gettext_lazy("Show the aim"),
        gettext_lazy("Don't show the aim"),
    ),
    "name": Switch(
        "shows_name",
        gettext_lazy("My name for people who watch by link"),
        gettext_lazy("Show my name"),
        gettext_lazy("Hide my name"),
        on=gettext_lazy("shown, if all players show theirs"),
        off=gettext_lazy("hidden: they see colours"),
    ),
}
THEME_NAMES = {
    "dark": gettext_lazy("Dark"),
    "light": gettext_lazy("Light"),
    "high-contrast": gettext_lazy("High contrast"),
}
"""The names of the themes that a person chooses from for what only they see."""
OF_DISCORD = "discord"
"""Stands for the language of a person's Discord, or of a server, in menus of languages."""
BACK = 0
"""Stands for being back in the menu of days away."""
_DAYS = (1, 3, 7, 14, AWAY_BUDGET.days)


GROUPS: Mapping[custom_ids.PreferenceGroup, str] = {
    "boards": gettext_lazy("Boards"),
    "news": gettext_lazy("News"),
    "times": gettext_lazy("When I play"),
    "language": gettext_lazy("Language"),
}
"""The titles of the groups, each of which is a screen."""
_SHOWN_IN: Mapping[str, custom_ids.PreferenceGroup] = {
    "news": "news",
    "usual_hours": "news",
    "reminders": "news",
    "quiet_from": "times",
    "quiet_until": "times",
    "zone": "times",
    "digest_hour": "times",
    "graces": "times",
    "language": "language",
}
"""The group of a preference that is not about boards, by its field."""


@in_place(custom_ids.PREFERENCE_GROUP)
async def on_group(request: Request, ids: custom_ids.OfGroup) -> Reply:
    """Turn to another group of preferences."""
    return await show(request, await _stored(request), ids.group)


@in_place(custom_ids.PREFERENCE)
async def on_preference(request: Request, ids: custom_ids.Preference) -> Reply:
    """Turn one preference on or off."""
    return await change(request, {SWITCHES[ids.name].field: ids.on})


@menu(custom_ids.PREFERRED_THEME)
async def on_theme(request: Request, _ids: custom_ids.NoIds, theme: str) -> Reply:
    """Choose the colours of pictures."""
    return await change(request, {"theme": theme})


@menu(custom_ids.PREFERRED_NEWS)
async def on_news(request: Request, _ids: custom_ids.NoIds, news: str) -> Reply:
    """Choose where one is told of one's turns."""
    return await change(request, {"news": chosen_news(news)})


@menu(custom_ids.PREFERRED_LANGUAGE)
async def on_preferred_language(request: Request, _ids: custom_ids.NoIds, language: str) -> Reply:
    """Choose the language the bot speaks with a person."""
    return await change(request, {"language": language})


@menu(custom_ids.AWAY)
async def on_away(request: Request, _ids: custom_ids.NoIds, days: str) -> Reply:
    """Begin or end an absence."""
    if days not in map(str, (BACK, *_DAYS)):
        raise Refusal(NOT_OFFERED)
    return await change(request, {}, int(days))


async def change(
    request: Request, changes: dict[str, Any], away_days: int | None = None, rest: str | None = None
) -> Reply:
    """Update the given preferences and return their group as it is then. Raises ``Refusal``.

    ``away_days`` stops the person's clocks from now on, ``BACK`` starts them again; ``rest`` is a weekly rest as typed.
    """
    services, user_id = request.services, request.person.id
    if "language" in changes:
        changes = {**changes, "language": chosen_language(changes["language"])}
    if "zone" in changes:
        zone_of(changes["zone"])  # raises for one that there is not
    chosen = None
    if rest is not None:
        chosen = parsed_rest(rest, zone_of(changes.get("zone", request.preferences.zone) or UTC_NAME))

    def wished(before: Preferences) -> Preferences:
        after = replace(before, **changes)
        return after if rest is None else with_rest(after, chosen, request.at)

    if changes.get("theme", "dark") not in THEME_NAMES:
        raise Refusal(gettext_lazy("There is no such theme any more."))
    chooses = bool(changes) or rest is not None
    with commits.as_one():
        if away_days is not None:
            if away_days == BACK:
                await services.absences.come_back(user_id)
            else:
                until = services.clock() + timedelta(days=away_days)
                await services.absences.leave_until(user_id, until)
        if chooses:
            changed = await services.personal_settings.prefer(user_id, wished)
    shown = changed if chooses else await _stored(request)
    speak(replace(request, preferences=shown).language)
    times = away_days is not None or rest is not None
    return await show(request, shown, "times" if times else _SHOWN_IN.get(next(iter(changes), ""), "boards"))


async def show(request: Request, preferences: Preferences, group: custom_ids.PreferenceGroup) -> Reply:
    """Return one group of preferences, with the ways to the others."""
    match group:
        case "boards":
            watched: tuple[custom_ids.PreferenceName, ...] = ("name",) if request.context.settings.watched_url else ()
            parts = [*_theme(preferences), *_switches(preferences, "coordinates", "text", "confirm", "aims", *watched)]
        case "news":
            parts = [*_news(preferences), *_switches(preferences, "usual", "reminders")]
        case "times":
            away: list[Part] = await read_or(_away(request), [])
            parts = [*_times(preferences, request.at), *away, *_switches(preferences, "graces")]
        case "language":
            languages = language_options(preferences.language, _("The language of my Discord"))
            now = _("Language: **{language}**", language=OFFERED[current_language().code])
            parts = [now, row(select(custom_ids.PREFERRED_LANGUAGE(), _("Language"), languages))]
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    groups = [
        button(custom_ids.PREFERENCE_GROUP(other), name, primary if other == group else secondary)
        for other, name in GROUPS.items()
    ]
    return Reply(view=layout(_("### Your preferences"), row(*groups), *parts))


async def _stored(request: Request) -> Preferences:
    return await read_or(request.services.read(people.preferences, request.person.id), request.preferences)


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
    blocked_ids = await request.services.read(blocks.blocked_by, request.person.id)
    return Reply(
        gettext_lazy("You have blocked {people}.", people=listed(map(mention, blocked_ids)))
        if blocked_ids
        else gettext_lazy("You haven't blocked anybody.")
    )


async def _away(request: Request) -> list[Part]:
    """Return until when a person is away, with the control that changes it."""
    absence = await request.services.absences.absence(request.person.id)
    away = _("no") if absence is None else _("until {time}", time=discord.utils.format_dt(absence.ends_at, "f"))
    back = [] if absence is None else [discord.SelectOption(label=_("I'm back"), value=str(BACK))]
    days = [discord.SelectOption(label=_n("For 1 day", "For {n} days", n), value=str(n)) for n in _DAYS]
    return [
        _n(
            "Away: **{away}**\n-# Your clocks stand still while you are away, for at most {n} day a year.",
            "Away: **{away}**\n-# Your clocks stand still while you are away, for at most {n} days a year.",
            AWAY_BUDGET.days,
            away=away,
        )
        + "\n"
        + _("-# Where the server or cup allows it, one is used automatically before you lose a slow match on time."),
        row(select(custom_ids.AWAY(), _("Pause my clocks"), back + days)),
    ]


def _theme(preferences: Preferences) -> list[Part]:
    themes = [
        discord.SelectOption(label=translated(name), value=theme, default=theme == preferences.theme)
        for theme, name in THEME_NAMES.items()
    ]
    now = _("Theme: **{theme}**", theme=THEME_NAMES[preferences.theme])
    return [now, row(select(custom_ids.PREFERRED_THEME(), _("Theme"), themes))]


def _news(preferences: Preferences) -> list[Part]:
    wait = _(
        "-# After you move in a server, I wait half an hour before I tell you of other turns there, except in live "
        "matches."
    )
    usual = _(
        "-# In hours of the day in which you never move, a turn makes no sound in the channel: if it still waits "
        "after your next usual hour, you hear of it then. If you set quiet hours, only they count."
    )
    later = [] if preferences.news is News.NONE else [wait]
    if preferences.news is News.CHANNEL and preferences.usual_hours:
        later.append(usual)
    return [
        "\n".join((_("News of your turns: **{place}**", place=NEWS_NAMES[preferences.news]), *later)),
        row(select(custom_ids.PREFERRED_NEWS(), _("News of my turns"), news_options(preferences.news))),
    ]


def _times(preferences: Preferences, now: datetime) -> list[Part]:
    hours = _("Quiet hours: **{hours}**", hours=quiet_words(preferences))
    digest = _("Daily digest: **{hour}**", hour=digest_words(preferences))
    return [
        line(f"{hours}\n{digest}", button(custom_ids.QUIET_HOURS(), _("Quiet hours and digest"))),
        line(rest_line(preferences, now), button(custom_ids.WEEKLY_REST(), _("Weekly rest"))),
    ]


def _switches(preferences: Preferences, *names: custom_ids.PreferenceName) -> list[Part]:
    return [
        SWITCHES[name].line(on := getattr(preferences, SWITCHES[name].field), custom_ids.PREFERENCE(name, not on))
        for name in names
    ]


def language_options(chosen: str | None, usual: str) -> list[discord.SelectOption]:
    """Return the languages as choices, below the ``usual`` one."""
    every = {OF_DISCORD: usual, **OFFERED}
    return [
        discord.SelectOption(label=name, value=code, default=code == (chosen or OF_DISCORD))
        for code, name in every.items()
    ]
