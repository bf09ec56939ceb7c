"""The settings of a server in a list, with the controls that change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import as_discord_shows, language
from bot.matches.services.daily_puzzles import common_zones
from bot.matches.writing.clocks import PACES, pace_in_words
from bot.messages import custom_ids
from bot.messages.layout import Part, button, channel_select, layout, line, row, select
from bot.messages.preferences import language_options
from bot.messages.switches import Switch
from bot.messages.wording import channel, inert, listed, shorten
from bot.storage.guilds import GuildSettings
from bot.storage.puzzles import PuzzleChannel
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, pgettext_lazy, translated

_ZONE = pgettext_lazy("option", "puzzle_zone")
SWITCHES = (
    Switch(
        "threads",
        "threads",
        gettext_lazy("A thread for each match"),
        gettext_lazy("Open threads"),
        gettext_lazy("Play in channels"),
    ),
    Switch(
        "automatic",
        "automatic",
        gettext_lazy("Out of time"),
        gettext_lazy("Lose at once"),
        gettext_lazy("Wait for a claim"),
        on=gettext_lazy("lost at once"),
        off=gettext_lazy("lost when the opponent claims the win"),
    ),
)
NO_PACE = 0
"""Stands for no time limit among paces."""
_KINDS = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
)
_POSTED_IN = (discord.ChannelType.text, discord.ChannelType.public_thread, discord.ChannelType.private_thread)
_MOST_OPTIONS = 25
_OPTION_LIMIT = 100


def server_settings(
    wanted: GuildSettings, names: Mapping[int, str], puzzles: PuzzleChannel | None, own_language: str
) -> discord.ui.LayoutView:
    """Return the list; ``names`` is what channels are called, as far as known, ``own_language`` the server's own."""
    channels = listed(map(channel, wanted.channels)) if wanted.channels else _("everywhere")
    return layout(
        _("### Settings of this server\nPlay is allowed: **{channels}**", channels=channels),
        row(channel_select(custom_ids.ALLOW_CHANNEL(), _("Allow play in a channel"), _KINDS)),
        *([_forbid(wanted.channels, names)] if wanted.channels else []),
        *(switch.line(getattr(wanted, switch.field), custom_ids.SETTING) for switch in SWITCHES),
        _("Usual pace: **{pace}**", pace=pace_in_words(wanted.pace)),
        row(select(custom_ids.USUAL_PACE(), _("Usual pace"), _paces(wanted.pace))),
        _("Language of new matches: **{language}**", language=OFFERED[language(wanted.language or own_language).code]),
        row(select(custom_ids.SERVER_LANGUAGE(), _("Language"), _languages(wanted.language))),
        *_daily(puzzles),
    )


def _forbid(channels: Sequence[int], names: Mapping[int, str]) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    options = [
        discord.SelectOption(label=shorten(f"#{inert(names.get(one, str(one)))}", _OPTION_LIMIT), value=str(one))
        for one in channels
    ]
    return row(select(custom_ids.FORBID_CHANNEL(), _("No longer allow play in a channel"), options[:_MOST_OPTIONS]))


def _paces(chosen: int | None) -> list[discord.SelectOption]:
    seconds = [*(int(pace.total_seconds()) for pace in PACES.values()), NO_PACE]
    return [
        discord.SelectOption(
            label=translated(pace_in_words(one or None)), value=str(one), default=one == (chosen or NO_PACE)
        )
        for one in seconds
    ]


def _languages(chosen: str | None) -> list[discord.SelectOption]:
    return language_options(chosen, _("The language of this server"))


def _daily(puzzles: PuzzleChannel | None) -> list[Part]:
    """Return where and when the puzzle of the day is posted, and what changes that; the menu lacks some zones."""
    choose = row(channel_select(custom_ids.PUZZLE_CHANNEL(), _("Post a puzzle here every day"), _POSTED_IN))
    if puzzles is None:
        return [_("Puzzle of the day: **none**"), choose]
    following = discord.utils.format_dt(puzzles.due_at, "R")
    where = _(
        "Puzzle of the day: **{channel}** at **{hour}:00**, {zone} (next {following})",
        channel=channel(puzzles.channel_id),
        hour=puzzles.hour,
        zone=puzzles.zone,
        following=following,
    )
    hours = [discord.SelectOption(label=f"{h}:00", value=str(h), default=h == puzzles.hour) for h in range(24)]
    zones = [discord.SelectOption(label=z, value=z, default=z == puzzles.zone) for z in common_zones(puzzles.zone)]
    return [
        line(where, button(custom_ids.NO_PUZZLES(), _("No more puzzles"))),
        choose,
        row(select(custom_ids.PUZZLE_HOUR(), _("Hour of the puzzle"), hours)),
        row(
            select(
                custom_ids.PUZZLE_ZONE(), _("Time zone; others with {option}", option=as_discord_shows(_ZONE)), zones
            )
        ),
    ]
