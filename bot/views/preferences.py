"""A person's preferences: the list, controls that each change one of them, absences, and the people they block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import as_discord_shows
from bot.matches.model.refusals import Refusal
from bot.matches.model.rest import parsed_rest
from bot.matches.services.absences import AWAY_BUDGET
from bot.matches.services.daily_puzzles import UTC_NAME, common_zones, zone_of
from bot.matches.services.preferences import with_rest
from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, line, row, select
from bot.messages.wording import listed, mention, title
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.storage import commits, people
from bot.storage.people import Preferences
from bot.storage.records import Match, News
from bot.views.answers import NOT_OFFERED, Reply
from bot.views.controls import in_place, menu, privately
from bot.views.rest import rest_line
from renderers.i18n import current_language, gettext_lazy, pgettext_lazy, speak, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.pixels.theme import THEMES


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
    "aims": Switch(
        "aims",
        gettext_lazy("The aim in first matches"),
        gettext_lazy("Show the aim"),
        gettext_lazy("Don't show the aim"),
    ),
}
THEME_NAMES = {
    "dark": gettext_lazy("Dark"),
    "light": gettext_lazy("Light"),
    "high-contrast": gettext_lazy("High contrast"),
}
"""The names of the themes in menus."""
NEWS_NAMES = {
    News.CHANNEL: gettext_lazy("In the channel"),
    News.DIRECT: gettext_lazy("By direct message"),
    News.BOTH: gettext_lazy("In the channel and by direct message"),
    News.NONE: gettext_lazy("Nowhere"),
}
"""The places for news of a turn in menus."""
NO_HOUR = "none"
"""Stands for no quiet hours and for no digest, in the menus of their hours."""
USUAL_END = 7
"""The hour in which quiet hours end unless a person chooses another."""
_ZONE = pgettext_lazy("option", "zone")
AS_USUAL = "usual"
"""Stands for a person's usual place for news, in the menu of one match."""
OF_DISCORD = "discord"
"""Stands for the language of a person's Discord, or of a server, in menus of languages."""
BACK = 0
"""Stands for being back in the menu of days away."""
_DAYS = (1, 3, 7, 14, AWAY_BUDGET.days)


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
    return await change(request, {"news": _news(news)})


@privately(custom_ids.MATCH_NEWS)
async def on_match_news(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Ask a player where they want to be told of their turns in one match."""
    match, _played = await request.services.queries.match_and_entries(request.server, ids.match)
    mine = match.seat_of(request.person.id)
    if mine is None:
        raise Refusal(_("You're not playing in this match, but you can watch: `/board` shows it."))
    return _match_news(request, match, mine.news)


@menu(custom_ids.MATCH_NEWS_CHOICE)
async def on_match_news_choice(request: Request, ids: custom_ids.OfMatch, chosen: str) -> Reply:
    """Choose where one is told of one's turns in a match."""
    news = None if chosen == AS_USUAL else _news(chosen)
    settings = request.services.personal_settings
    match = await settings.prefer_in_match(request.server, ids.match, request.person.id, news)
    return _match_news(request, match, news)


@privately(custom_ids.QUIET_HOURS)
async def on_quiet_hours(request: Request, _ids: custom_ids.NoIds) -> Reply:
    """Show the hours in which a person is not told of their turns."""
    return Reply(view=_quiet_hours(request.preferences))


@privately(custom_ids.DIGEST)
async def on_digest(request: Request, _ids: custom_ids.OfDigest) -> Reply:
    """Show below a digest when one is told of one's turns."""
    return Reply(view=_quiet_hours(request.preferences))


@menu(custom_ids.QUIET_FROM)
async def on_quiet_from(request: Request, _ids: custom_ids.NoIds, hour: str) -> Reply:
    """Choose when one's quiet hours begin, or that there are none."""
    begins, until = None if hour == NO_HOUR else _hour(hour), request.preferences.quiet_until
    return await _change_quiet_hours(request, quiet_from=begins, quiet_until=USUAL_END if until is None else until)


@menu(custom_ids.QUIET_UNTIL)
async def on_quiet_until(request: Request, _ids: custom_ids.NoIds, hour: str) -> Reply:
    """Choose when one's quiet hours end."""
    return await _change_quiet_hours(request, quiet_until=_hour(hour))


@menu(custom_ids.QUIET_ZONE)
async def on_quiet_zone(request: Request, _ids: custom_ids.NoIds, zone: str) -> Reply:
    """Choose one's time zone."""
    zone_of(zone)  # raises for one that there is no more
    return await _change_quiet_hours(request, zone=zone)


@menu(custom_ids.DIGEST_HOUR)
async def on_digest_hour(request: Request, _ids: custom_ids.NoIds, hour: str) -> Reply:
    """Choose when one gets a daily digest, or that one gets none."""
    return await _change_quiet_hours(request, digest_hour=None if hour == NO_HOUR else _hour(hour))


def _news(value: str) -> News:
    """Return the place that an option names. Raises ``Refusal`` for a value that was never offered."""
    if value not in set(News):
        raise Refusal(NOT_OFFERED)
    return News(value)


def _hour(value: str) -> int:
    """Return the hour that an option names. Raises ``Refusal`` for a value that was never offered."""
    if value not in set(map(str, range(24))):
        raise Refusal(NOT_OFFERED)
    return int(value)


async def _change_quiet_hours(request: Request, **changes: Any) -> Reply:
    settings = request.services.personal_settings
    return Reply(view=_quiet_hours(await settings.prefer(request.person.id, lambda before: replace(before, **changes))))


def _quiet_words(wanted: Preferences) -> str:
    """Return a person's quiet hours: "22:00–7:00, Europe/Rome"."""
    if wanted.quiet_from is None or wanted.quiet_until in (None, wanted.quiet_from):
        return _("none")
    return f"{wanted.quiet_from}:00–{wanted.quiet_until}:00, {wanted.zone or UTC_NAME}"


def _digest_words(wanted: Preferences) -> str:
    """Return the hour of a person's digest: "8:00, Europe/Rome"."""
    return _("none") if wanted.digest_hour is None else f"{wanted.digest_hour}:00, {wanted.zone or UTC_NAME}"


def _quiet_hours(wanted: Preferences) -> discord.ui.LayoutView:
    """Return a person's quiet hours and the hour of their digest, with controls. The menu lacks some zones."""
    zone = wanted.zone or UTC_NAME
    zones = [discord.SelectOption(label=name, value=name, default=name == zone) for name in common_zones(zone)]
    words = _("Quiet hours: **{hours}**", hours=_quiet_words(wanted))
    explained = _("In them I tell you of no turn. When they end, one direct message names those that wait for you.")
    none = discord.SelectOption(label=_("No quiet hours"), value=NO_HOUR, default=wanted.quiet_from is None)
    no_digest = discord.SelectOption(label=_("No digest"), value=NO_HOUR, default=wanted.digest_hour is None)
    digest = _("Daily digest: **{hour}**", hour=_digest_words(wanted))
    told = _("One direct message a day: what waits for you, what has ended, and what runs out.")
    zone_menu = _("Time zone; others with {option}", option=as_discord_shows(_ZONE))
    return layout(
        f"{words}\n-# {explained}\n{digest}\n-# {told}",
        row(select(custom_ids.QUIET_FROM(), _("Quiet from"), [none, *_hours(wanted.quiet_from)])),
        row(select(custom_ids.QUIET_UNTIL(), _("Quiet until"), _hours(wanted.quiet_until))),
        row(select(custom_ids.DIGEST_HOUR(), _("Digest at"), [no_digest, *_hours(wanted.digest_hour)])),
        row(select(custom_ids.QUIET_ZONE(), zone_menu, zones)),
    )


def _hours(chosen: int | None) -> list[discord.SelectOption]:
    return [discord.SelectOption(label=f"{hour}:00", value=str(hour), default=hour == chosen) for hour in range(24)]


def _match_news(request: Request, match: Match, news: News | None) -> Reply:
    usual = _("As in my preferences: {place}", place=NEWS_NAMES[request.preferences.news])
    now = usual if news is None else NEWS_NAMES[news]
    words = _("News of your turns in **{match}**: **{place}**", match=title(match), place=now)
    options = [discord.SelectOption(label=usual, value=AS_USUAL, default=news is None), *_news_options(news)]
    return Reply(
        view=layout(words, row(select(custom_ids.MATCH_NEWS_CHOICE(match.id), _("News of my turns"), options)))
    )


def _news_options(chosen: News | None) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=translated(name), value=news, default=news is chosen)
        for news, name in NEWS_NAMES.items()
    ]


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
    """Change what is given of a person's preferences, and return all of them as they are then. Raises ``Refusal``.

    ``away_days`` stops their clocks for some days from now, or no longer with ``BACK``; ``rest`` is a weekly rest as it
    was typed.
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

    if changes.get("theme", "dark") not in THEMES:
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
    wanted = changed if chooses else await read_or(services.read(people.preferences, user_id), request.preferences)
    speak(replace(request, preferences=wanted).language)
    return Reply(view=_preferences_view(wanted, await read_or(_away(request), []), request.at))


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
    found = await request.services.read(people.blocked_by, request.person.id)
    return Reply(
        gettext_lazy("You have blocked {people}.", people=listed(map(mention, found)))
        if found
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
        + _("-# One is spent by itself before you lose a match of days on time, where the server or cup wants that."),
        row(select(custom_ids.AWAY(), _("Pause my clocks"), back + days)),
    ]


def _preferences_view(wanted: Preferences, away: list[Part], now: datetime) -> discord.ui.LayoutView:
    """Return the preferences with their controls; ``away`` is the part about absences."""
    themes = [
        discord.SelectOption(label=translated(name), value=theme, default=theme == wanted.theme)
        for theme, name in THEME_NAMES.items()
    ]
    languages = language_options(wanted.language, _("The language of my Discord"))
    wait = _(
        "-# Right after a move of yours in a server, news of turns there waits half an hour, except in live matches."
    )
    later = [] if wanted.news is News.NONE else [wait]
    return layout(
        _("### Your preferences\nTheme: **{theme}**", theme=THEME_NAMES[wanted.theme]),
        row(select(custom_ids.PREFERRED_THEME(), _("Theme"), themes)),
        _("Language: **{language}**", language=OFFERED[current_language().code]),
        row(select(custom_ids.PREFERRED_LANGUAGE(), _("Language"), languages)),
        "\n".join((_("News of your turns: **{place}**", place=NEWS_NAMES[wanted.news]), *later)),
        row(select(custom_ids.PREFERRED_NEWS(), _("News of my turns"), _news_options(wanted.news))),
        line(
            "\n".join(
                (
                    _("Quiet hours: **{hours}**", hours=_quiet_words(wanted)),
                    _("Daily digest: **{hour}**", hour=_digest_words(wanted)),
                )
            ),
            button(custom_ids.QUIET_HOURS(), _("Quiet hours and digest")),
        ),
        line(rest_line(wanted, now), button(custom_ids.WEEKLY_REST(), _("Weekly rest"))),
        *(
            switch.line(on := getattr(wanted, switch.field), custom_ids.PREFERENCE(name, not on))
            for name, switch in SWITCHES.items()
        ),
        *away,
    )


def language_options(chosen: str | None, usual: str) -> list[discord.SelectOption]:
    """Return the languages as choices, below the ``usual`` one."""
    every = {OF_DISCORD: usual, **OFFERED}
    return [
        discord.SelectOption(label=name, value=code, default=code == (chosen or OF_DISCORD))
        for code, name in every.items()
    ]
