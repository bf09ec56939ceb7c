"""The weekly rest of a person: what it is, and the menu and the suggestions to choose another."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Final

import discord

from bot.languages.speaking import as_discord_shows
from bot.matches.model.refusals import Refusal
from bot.matches.model.rest import CHANGES_AFTER, MOST_DAYS, MOST_HOURS, NO_REST, parsed_rest, rest_of
from bot.matches.model.time_zones import UTC_NAME, zone_of
from bot.matches.services.preferences import with_rest
from bot.messages import custom_ids
from bot.messages.layout import layout, row, select
from bot.messages.wording import rest_in_words
from bot.requests.request import Request
from bot.storage.people import Preferences
from bot.views.answers import NOT_OFFERED, Reply
from bot.views.controls import menu, privately
from renderers.i18n import folded, pgettext_lazy
from renderers.i18n import gettext as _

_DAYS: Final = tuple(map(str, range(1, 8)))
_PAIRS: Final = ("67", "56", "17", "12", "23", "34", "45")
_NIGHTS: Final = ("20-6", "21-7", "22-6", "22-7", "22-8", "23-7", "23-8", "0-8", "0-9", "1-9")
_OFFERED: Final = (NO_REST, *_PAIRS, *_NIGHTS, *_DAYS)
"""The rests in the menu, as ``parsed_rest`` reads them: as many as Discord takes."""
_REST = pgettext_lazy("option", "rest")


@privately(custom_ids.WEEKLY_REST)
async def on_rest(request: Request, _ids: custom_ids.NoIds) -> Reply:
    """Show a person's weekly rest, and what it does."""
    return Reply(view=_view(request.preferences, request.at))


@menu(custom_ids.WEEKLY_REST_CHOICE)
async def on_rest_choice(request: Request, _ids: custom_ids.NoIds, times: str) -> Reply:
    """Choose another weekly rest, or none."""
    if times not in _OFFERED:
        raise Refusal(NOT_OFFERED)
    chosen = parsed_rest(times, zone_of(request.preferences.zone or UTC_NAME))
    settings, now = request.services.personal_settings, request.at
    preferences = await settings.prefer(request.person.id, lambda before: with_rest(before, chosen, now))
    return Reply(view=_view(preferences, now))


def rest_line(preferences: Preferences, now: datetime) -> str:
    """Return a person's weekly rest, and from when on it holds."""
    rest = rest_of(preferences.rest)
    if rest is None or preferences.rest_from is None:
        return _("Weekly rest: **{rest}**", rest=_("No rest"))
    if preferences.rest_from <= now:
        return _("Weekly rest: **{rest}**", rest=rest_in_words(rest))
    day = discord.utils.format_dt(preferences.rest_from, "f")
    return _("Weekly rest: **{rest}**, from {day} on", rest=rest_in_words(rest), day=day)


def suggested_rests(typed: str) -> list[tuple[str, str]]:
    """Return rests to suggest by any part of their words: the words and the value of each."""
    return [(words, times) for times, words in _choices() if folded(typed).strip() in folded(words)]


def _choices() -> list[tuple[str, str]]:
    zone: tzinfo = zone_of(UTC_NAME)
    rests = ((times, parsed_rest(times, zone)) for times in _OFFERED)
    return [(times, _("No rest") if rest is None else rest_in_words(rest, zone=False)) for times, rest in rests]


def _view(preferences: Preferences, now: datetime) -> discord.ui.LayoutView:
    rest = rest_of(preferences.rest)
    chosen = NO_REST if rest is None else rest.times
    explained = _(
        "On up to {days} days a week, or for up to {hours} hours a day, your clocks can stop, except in live matches. "
        "Your opponents see it. It holds for turns that begin from the next day on. If you change it, the old one "
        "ends at once, and the new one begins {wait} days later.",
        days=MOST_DAYS,
        hours=MOST_HOURS,
        wait=CHANGES_AFTER.days,
    )
    options = [discord.SelectOption(label=words, value=times, default=times == chosen) for times, words in _choices()]
    label = _("Weekly rest; type other times with {option}", option=as_discord_shows(_REST))
    return layout(
        f"{rest_line(preferences, now)}\n-# {explained}", row(select(custom_ids.WEEKLY_REST_CHOICE(), label, options))
    )
