"""Where and when a person is told of their turns: the place for news, in one match too, quiet hours and the digest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.languages.speaking import as_discord_shows
from bot.matches.model.refusals import NOT_PLAYING, Refusal
from bot.matches.model.time_zones import UTC_NAME, common_zones, zone_of
from bot.messages import custom_ids
from bot.messages.layout import layout, row, select
from bot.messages.wording import title
from bot.requests.request import Request
from bot.storage.people import Preferences
from bot.storage.records import Match, News
from bot.views.answers import NOT_OFFERED, Reply
from bot.views.controls import menu, privately
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, pgettext_lazy, translated

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


@privately(custom_ids.MATCH_NEWS)
async def on_match_news(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Ask a player where they want to be told of their turns in one match."""
    match, _played = await request.services.queries.match_and_entries(request.home, ids.match)
    mine = match.seat_of(request.person.id)
    if mine is None:
        raise Refusal(NOT_PLAYING)
    return _match_news(request, match, mine.news)


@menu(custom_ids.MATCH_NEWS_CHOICE)
async def on_match_news_choice(request: Request, ids: custom_ids.OfMatch, chosen: str) -> Reply:
    """Choose where one is told of one's turns in a match."""
    news = None if chosen == AS_USUAL else chosen_news(chosen)
    settings = request.services.personal_settings
    match = await settings.prefer_in_match(request.home, ids.match, request.person.id, news)
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


def chosen_news(value: str) -> News:
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


def quiet_words(preferences: Preferences) -> str:
    """Return a person's quiet hours: "22:00–7:00, Europe/Rome"."""
    if preferences.quiet_from is None or preferences.quiet_until in (None, preferences.quiet_from):
        return _("none")
    return f"{preferences.quiet_from}:00–{preferences.quiet_until}:00, {preferences.zone or UTC_NAME}"


def digest_words(preferences: Preferences) -> str:
    """Return the hour of a person's digest: "8:00, Europe/Rome"."""
    hour, zone = preferences.digest_hour, preferences.zone or UTC_NAME
    return _("none") if hour is None else f"{hour}:00, {zone}"


def _quiet_hours(preferences: Preferences) -> discord.ui.LayoutView:
    """Return a person's quiet hours and the hour of their digest, with controls. The menu lacks some zones."""
    zone = preferences.zone or UTC_NAME
    zones = [discord.SelectOption(label=name, value=name, default=name == zone) for name in common_zones(zone)]
    words = _("Quiet hours: **{hours}**", hours=quiet_words(preferences))
    explained = _(
        "I don't tell you of turns then. When they end, one direct message lists the matches that wait for you."
    )
    none = discord.SelectOption(label=_("No quiet hours"), value=NO_HOUR, default=preferences.quiet_from is None)
    no_digest = discord.SelectOption(label=_("No digest"), value=NO_HOUR, default=preferences.digest_hour is None)
    digest = _("Daily digest: **{hour}**", hour=digest_words(preferences))
    told = _("One direct message a day: what waits for you, what has ended, and where your time runs short.")
    zone_menu = _("Time zone; others with {option}", option=as_discord_shows(_ZONE))
    return layout(
        f"{words}\n-# {explained}\n{digest}\n-# {told}",
        row(select(custom_ids.QUIET_FROM(), _("Quiet from"), [none, *_hours(preferences.quiet_from)])),
        row(select(custom_ids.QUIET_UNTIL(), _("Quiet until"), _hours(preferences.quiet_until))),
        row(select(custom_ids.DIGEST_HOUR(), _("Digest at"), [no_digest, *_hours(preferences.digest_hour)])),
        row(select(custom_ids.QUIET_ZONE(), zone_menu, zones)),
    )


def _hours(chosen: int | None) -> list[discord.SelectOption]:
    return [discord.SelectOption(label=f"{hour}:00", value=str(hour), default=hour == chosen) for hour in range(24)]


def _match_news(request: Request, match: Match, news: News | None) -> Reply:
    usual = _("As in my preferences: {place}", place=NEWS_NAMES[request.preferences.news])
    now = usual if news is None else NEWS_NAMES[news]
    words = _("News of your turns in **{match}**: **{place}**", match=title(match), place=now)
    options = [discord.SelectOption(label=usual, value=AS_USUAL, default=news is None), *news_options(news)]
    return Reply(
        view=layout(words, row(select(custom_ids.MATCH_NEWS_CHOICE(match.id), _("News of my turns"), options)))
    )


def news_options(chosen: News | None) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=translated(name), value=news, default=news is chosen)
        for news, name in NEWS_NAMES.items()
    ]
