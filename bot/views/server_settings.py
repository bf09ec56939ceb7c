"""The settings of a server, for those who manage it: the list, and controls that each change one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import as_discord_shows, language
from bot.matches.model.refusals import Channels, Refusal
from bot.matches.services.daily_puzzles import common_zones
from bot.matches.writing.clocks import PACES, pace_in_words
from bot.messages import custom_ids
from bot.messages.layout import Part, button, channel_select, layout, line, row, select
from bot.messages.wording import channel, inert, listed, shorten
from bot.requests.outcome import if_readable
from bot.requests.request import Request
from bot.storage import commits
from bot.storage.guilds import GuildSettings
from bot.views.answers import Reply, answer_in_place, refuse_value
from bot.views.controls import ChannelChoice, Choice, Control
from bot.views.preferences import Switch, chosen_language, language_options
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
    Switch(
        "cups",
        "cups",
        gettext_lazy("Who may start a cup"),
        gettext_lazy("Everybody may"),
        gettext_lazy("Only managers"),
        on=gettext_lazy("everybody"),
        off=gettext_lazy("people who manage this server"),
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
_FIELDS = {switch.verb: switch.field for switch in SWITCHES}
Change = Callable[[GuildSettings], GuildSettings]


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A change of where and when the puzzle of the day is posted; what is None stays as it was.

    ``wanted`` False posts no more puzzles, True posts one where none was posted before.
    """

    wanted: bool | None = None
    channel_id: int | None = None
    hour: int | None = None
    zone: str | None = None


class SettingButton(Control, of=custom_ids.SETTING):
    """Turns one setting on or off."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        changed: dict[str, Any] = {_FIELDS[match["verb"]]: match["on"] == "yes"}
        await answer_in_place(interaction, change, lambda before: replace(before, **changed))


class PaceChoice(Choice, of=custom_ids.USUAL_PACE):
    """Chooses the usual time for a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, change, lambda before: _with_pace(before, value))


class AllowChannelChoice(ChannelChoice, of=custom_ids.ALLOW_CHANNEL):
    """Allows play in a channel."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        await answer_in_place(interaction, change, lambda before: allowing(before, channel_id))


class ForbidChannelChoice(Choice, of=custom_ids.FORBID_CHANNEL):
    """No longer allows play in a channel."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, change, lambda before: forbidding(before, value))


class LanguageChoice(Choice, of=custom_ids.SERVER_LANGUAGE):
    """Chooses the language of public messages."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, change, lambda before: replace(before, language=chosen_language(value)))


class PuzzleChannelChoice(ChannelChoice, of=custom_ids.PUZZLE_CHANNEL):
    """Posts a puzzle in a channel every day."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        await answer_in_place(interaction, change, _unchanged, DailyPuzzle(channel_id=channel_id))


class PuzzleHourChoice(Choice, of=custom_ids.PUZZLE_HOUR):
    """Chooses the hour of the puzzle."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        if value not in map(str, range(24)):
            await refuse_value(interaction)
        else:
            await answer_in_place(interaction, change, _unchanged, DailyPuzzle(hour=int(value)))


class PuzzleZoneChoice(Choice, of=custom_ids.PUZZLE_ZONE):
    """Chooses the time zone of that hour."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, change, _unchanged, DailyPuzzle(zone=value))


class NoPuzzlesButton(Control, of=custom_ids.NO_PUZZLES):
    """Posts no more puzzles."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, change, _unchanged, DailyPuzzle(wanted=False))


def allowing(before: GuildSettings, channel_id: int) -> GuildSettings:
    """Return settings that allow play in a channel as well."""
    return replace(before, channels=tuple(dict.fromkeys((*before.channels, channel_id))))


def forbidding(before: GuildSettings, channel_id: str) -> GuildSettings:
    """Return settings that no longer allow play in a channel, given by the digits of its id."""
    return replace(before, channels=tuple(one for one in before.channels if str(one) != channel_id))


async def change(request: Request, wanted: Change, puzzle: DailyPuzzle | None = None) -> Reply:
    """Change the settings of a server and return all of them as they are then. Raises ``Refusal``."""
    request.check_manages()
    services, guild_id = request.services, request.server
    with commits.several():
        if puzzle is not None:
            await _change_puzzle(request, puzzle)
        changed = await services.server_settings.change(guild_id, wanted)
    names = request.context.servers.channel_names(guild_id, changed.channels)
    daily: list[Part] = await if_readable(_daily(request), [])
    return Reply(view=_listed(changed, names, daily, request.place.language))


async def _change_puzzle(request: Request, puzzle: DailyPuzzle) -> None:
    """Change where and when the puzzle of the day is posted. Raises ``Refusal``."""
    daily_puzzles = request.services.daily_puzzles
    if puzzle.wanted is False:
        await daily_puzzles.stop(request.server)
        return
    if puzzle.hour is not None and puzzle.hour not in range(24):
        raise Refusal(_("Pick an hour from 0 to 23."))
    if puzzle.channel_id is not None and not request.context.servers.may_post(request.server, puzzle.channel_id):
        raise Refusal(
            gettext_lazy(
                "I can't post in {channel}: I need the permissions View Channel, Send Messages and Attach Files there."
            ),
            channel=Channels((puzzle.channel_id,)),
        )
    await daily_puzzles.announce(request.server, puzzle.channel_id, puzzle.hour, puzzle.zone)


def _unchanged(before: GuildSettings) -> GuildSettings:
    return before


def _with_pace(before: GuildSettings, value: str) -> GuildSettings:
    """Return settings with a usual pace in seconds. Raises ``Refusal`` for one that is no longer offered."""
    if value not in {str(NO_PACE), *(str(int(one.total_seconds())) for one in PACES.values())}:
        raise Refusal(_("There is no such pace any more."))
    return replace(before, pace=int(value) or None)


def _listed(
    wanted: GuildSettings, names: Mapping[int, str], daily: list[Part], own_language: str
) -> discord.ui.LayoutView:
    """Return the settings with their controls; ``names`` are those of channels that are known.

    ``daily`` is the part about the puzzle of the day.
    """
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
        *daily,
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


async def _daily(request: Request) -> list[Part]:
    """Return where and when the puzzle of the day is posted, with its controls. The menu lacks some zones."""
    puzzles = await request.services.daily_puzzles.channel(request.server)
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
