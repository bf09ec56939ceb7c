"""The settings of a server, for those who manage it: the list, and controls that each change one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import as_discord_shows, language
from bot.matches.model.pace import NO_LIMIT_KEY, PACES, Pace, columns, pace_in_words, parsed_pace
from bot.matches.model.refusals import Channels, Refusal
from bot.matches.model.time_zones import common_zones
from bot.messages import custom_ids
from bot.messages.layout import OPTION_LIMIT, OPTIONS, Part, button, channel_select, layout, line, row, select
from bot.messages.wording import channel, listed, shorten, without_mentions
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.storage import commits, ladders
from bot.storage.guilds import GuildSettings
from bot.storage.puzzles import channel as puzzle_channel
from bot.views.answers import NOT_OFFERED, Reply
from bot.views.controls import channel_menu, in_place, menu
from bot.views.preferences import Switch, chosen_language, language_options
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, pgettext_lazy, translated

_ZONE = pgettext_lazy("option", "puzzle_zone")
SWITCHES: Mapping[custom_ids.SettingName, Switch] = {
    "threads": Switch(
        "threads",
        gettext_lazy("A thread for each match"),
        gettext_lazy("Open threads"),
        gettext_lazy("Play in channels"),
    ),
    "automatic": Switch(
        "automatic",
        gettext_lazy("Out of time"),
        gettext_lazy("Lose at once"),
        gettext_lazy("Wait for a claim"),
        on=gettext_lazy("lost at once"),
        off=gettext_lazy("lost when the opponent claims the win"),
    ),
    "grace": Switch(
        "grace",
        gettext_lazy("Before a player loses on time"),
        gettext_lazy("Use one of their days away"),
        gettext_lazy("Use none"),
        on=gettext_lazy("one of their days away is used, at most two in a row"),
        off=gettext_lazy("no day is used"),
    ),
    "cups": Switch(
        "cups",
        gettext_lazy("Who may start a cup"),
        gettext_lazy("Everybody may"),
        gettext_lazy("Only managers"),
        on=gettext_lazy("everybody"),
        off=gettext_lazy("people who manage this server"),
    ),
    "weekly": Switch(
        "weekly",
        gettext_lazy("A weekly post, on Mondays with the puzzle of the day"),
        gettext_lazy("Post it"),
        gettext_lazy("Don't post it"),
    ),
    "rest": Switch(
        "rest_counts",
        gettext_lazy("Players' weekly rest in new matches"),
        gettext_lazy("Stop the clocks"),
        gettext_lazy("Let the clocks run"),
        on=gettext_lazy("stops their clocks"),
        off=gettext_lazy("doesn't stop their clocks"),
    ),
    "watching": Switch(
        "watching",
        gettext_lazy("Watching a match by a link, without an account"),
        gettext_lazy("Allow it"),
        gettext_lazy("Don't allow it"),
        on=gettext_lazy("allowed, except in private threads; names only if all players agree"),
        off=gettext_lazy("not allowed"),
    ),
}
PLAYABLE = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
"""The kinds of channels that can be allowed for play. A kind that only Discord's preview has makes it refuse all."""
_REFUSES = gettext_lazy(
    "I can't post in {channel}: I need the permissions View Channel, Send Messages and Attach Files there."
)
_LADDER_WAITS = gettext_lazy(
    "It is gone, or I can't see it. No matches of the ladder begin until you choose another one."
)
_POSTED_IN = (discord.ChannelType.text, discord.ChannelType.public_thread, discord.ChannelType.private_thread)
Change = Callable[[GuildSettings], GuildSettings]


@dataclass(frozen=True, slots=True)
class DailyPuzzleChange:
    """A change of where and when the puzzle of the day is posted; what is None stays as it was.

    ``wanted`` False posts no more puzzles, True posts one where none was posted before.
    """

    wanted: bool | None = None
    channel_id: int | None = None
    hour: int | None = None
    zone: str | None = None


@in_place(custom_ids.SETTING)
async def on_setting(request: Request, ids: custom_ids.Setting) -> Reply:
    """Turn one setting on or off."""
    changed: dict[str, Any] = {SWITCHES[ids.name].field: ids.on}
    return await change(request, lambda before: replace(before, **changed))


@menu(custom_ids.USUAL_PACE)
async def on_usual_pace(request: Request, _ids: custom_ids.NoIds, pace: str) -> Reply:
    """Choose the usual pace, by the key of one."""
    seconds, increment = columns(parsed_pace(pace)).values()
    return await change(request, lambda before: replace(before, pace=seconds, increment=increment))


@channel_menu(custom_ids.ALLOW_CHANNEL)
async def on_allow_channel(request: Request, _ids: custom_ids.NoIds, channel_id: int) -> Reply:
    return await change(request, lambda before: allowing(before, channel_id))


@menu(custom_ids.FORBID_CHANNEL)
async def on_forbid_channel(request: Request, _ids: custom_ids.NoIds, channel_id: str) -> Reply:
    """No longer allow play in a channel."""
    return await change(request, lambda before: forbidding(before, channel_id))


@menu(custom_ids.SERVER_LANGUAGE)
async def on_server_language(request: Request, _ids: custom_ids.NoIds, language: str) -> Reply:
    """Choose the language of public messages."""
    return await change(request, lambda before: replace(before, language=chosen_language(language)))


@channel_menu(custom_ids.PUZZLE_CHANNEL)
async def on_puzzle_channel(request: Request, _ids: custom_ids.NoIds, channel_id: int) -> Reply:
    """Post a puzzle in a channel every day."""
    return await change(request, puzzle=DailyPuzzleChange(channel_id=channel_id))


@menu(custom_ids.PUZZLE_HOUR)
async def on_puzzle_hour(request: Request, _ids: custom_ids.NoIds, hour: str) -> Reply:
    if hour not in map(str, range(24)):
        raise Refusal(NOT_OFFERED)
    return await change(request, puzzle=DailyPuzzleChange(hour=int(hour)))


@menu(custom_ids.PUZZLE_ZONE)
async def on_puzzle_zone(request: Request, _ids: custom_ids.NoIds, zone: str) -> Reply:
    """Choose the time zone of that hour."""
    return await change(request, puzzle=DailyPuzzleChange(zone=zone))


@in_place(custom_ids.NO_PUZZLES)
async def on_no_puzzles(request: Request, _ids: custom_ids.NoIds) -> Reply:
    """Turn the daily puzzle off."""
    return await change(request, puzzle=DailyPuzzleChange(wanted=False))


def allowing(before: GuildSettings, channel_id: int) -> GuildSettings:
    return replace(before, channels=tuple(dict.fromkeys((*before.channels, channel_id))))


def forbidding(before: GuildSettings, channel_id: str) -> GuildSettings:
    """Return settings that no longer allow play in a channel, given by the digits of its id."""
    allowed = tuple(allowed_id for allowed_id in before.channels if str(allowed_id) != channel_id)
    return replace(before, channels=allowed)


async def change(
    request: Request,
    edit: Change = lambda before: before,
    puzzle: DailyPuzzleChange | None = None,
    weekly_channel: int | None = None,
    ladder_channel: int | None = None,
) -> Reply:
    """Change the settings of a server and return all of them as they are then. Raises ``Refusal``.

    ``weekly_channel`` is that of the weekly post, if ``edit`` changes it; ``ladder_channel`` is the new one of the
    ladder, None to leave it.
    """
    request.check_can_manage_server()
    services, guild_id = request.services, request.server
    check_may_post(request, weekly_channel)
    check_may_post(request, ladder_channel)
    with commits.as_one():
        if ladder_channel is not None:
            await services.ladders.move(guild_id, ladder_channel)
        if puzzle is not None:
            await change_puzzle(request, puzzle)
        changed = await services.server_settings.change(guild_id, edit)
    names = request.context.lookup.channel_names(guild_id, changed.channels)
    daily: list[Part] = await read_or(_daily(request), [])
    watched = request.context.settings.watched_url
    switches = {name: switch for name, switch in SWITCHES.items() if name != "watching" or watched}
    lines = [*_weekly(request, changed), *await read_or(_ladder(request), [])]
    return Reply(view=_settings_view(changed, names, switches, lines, daily, request.place.language))


async def change_puzzle(request: Request, puzzle: DailyPuzzleChange) -> None:
    """Change where and when the puzzle of the day is posted. Raises ``Refusal``."""
    daily_puzzles = request.services.daily_puzzles
    if puzzle.wanted is False:
        await daily_puzzles.stop(request.server)
        return
    if puzzle.hour is not None and puzzle.hour not in range(24):
        raise Refusal(_("Pick an hour from 0 to 23."))
    check_may_post(request, puzzle.channel_id)
    await daily_puzzles.announce(request.server, puzzle.channel_id, puzzle.hour, puzzle.zone)


def check_may_post(request: Request, channel_id: int | None) -> None:
    """Raise ``Refusal`` for a channel in which the bot may not post."""
    if channel_id is not None and not request.context.lookup.may_post(request.server, channel_id):
        raise Refusal(_REFUSES, channel=Channels((channel_id,)))


def _refusing(request: Request, channel_id: int) -> list[str]:
    """Return the line that says of a channel that it refuses what the bot posts, if it is known to."""
    if request.context.lookup.may_post(request.server, channel_id) is not False:
        return []
    return [translated(_REFUSES.filled(channel=channel(channel_id)))]


def _settings_view(
    settings: GuildSettings,
    names: Mapping[int, str],
    switches: Mapping[custom_ids.SettingName, Switch],
    lines: list[str],
    daily: list[Part],
    own_language: str,
) -> discord.ui.LayoutView:
    """Return the settings with their controls; ``names`` are those of channels that are known.

    ``lines`` are about the channels of the weekly post and the ladder, and ``daily`` is about the puzzle of the day.
    All that is read stands together where it can: a message holds 40 parts.
    """
    channels = listed(map(channel, settings.channels)) if settings.channels else _("everywhere")
    forbid = _("No longer allow play in a channel")
    allowed = [
        discord.SelectOption(
            label=shorten(f"#{without_mentions(names.get(channel_id, str(channel_id)))}", OPTION_LIMIT),
            value=str(channel_id),
        )
        for channel_id in settings.channels
    ]
    usual = Pace.of(settings.pace, settings.increment)
    paces = [
        discord.SelectOption(
            label=translated(pace_in_words(pace)),
            value=NO_LIMIT_KEY if pace is None else pace.key,
            default=pace == usual,
        )
        for pace in dict.fromkeys((*PACES, usual, None))
    ]
    languages = language_options(settings.language, _("The language of this server"))
    spoken = language(settings.language or own_language)
    return layout(
        _("### Settings of this server\nPlay is allowed: **{channels}**", channels=channels),
        row(channel_select(custom_ids.ALLOW_CHANNEL(), _("Allow play in a channel"), PLAYABLE)),
        *([row(select(custom_ids.FORBID_CHANNEL(), forbid, allowed[:OPTIONS]))] if allowed else []),
        *(
            switch.line(on := getattr(settings, switch.field), custom_ids.SETTING(name, not on))
            for name, switch in switches.items()
        ),
        "\n".join(
            [
                *lines,
                _("Usual pace: **{pace}**", pace=pace_in_words(usual)),
                _("Language of new matches: **{language}**", language=OFFERED[spoken.code]),
            ]
        ),
        row(select(custom_ids.USUAL_PACE(), _("Usual pace"), paces)),
        row(select(custom_ids.SERVER_LANGUAGE(), _("Language"), languages)),
        *daily,
    )


def _weekly(request: Request, settings: GuildSettings) -> list[str]:
    """Return where the weekly post goes, if that is a channel of its own."""
    if not settings.weekly or settings.weekly_channel is None:
        return []
    where = _("Channel of the weekly post: **{channel}**", channel=channel(settings.weekly_channel))
    return ["\n".join([where, *_refusing(request, settings.weekly_channel)])]


async def _ladder(request: Request) -> list[str]:
    """Return where the matches of the ladder begin, if there is one."""
    ladder = await request.services.read(ladders.get, request.server)
    if ladder is None:
        return []
    where = _("Channel of the ladder: **{channel}**", channel=channel(ladder.channel_id))
    if request.context.lookup.may_post(request.server, ladder.channel_id) is None:
        return [f"{where}\n{translated(_LADDER_WAITS)}"]
    return ["\n".join([where, *_refusing(request, ladder.channel_id)])]


async def _daily(request: Request) -> list[Part]:
    """Return where and when the puzzle of the day is posted, with its controls. The menu lacks some zones."""
    puzzles = await request.services.read(puzzle_channel, request.server)
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
    where = "\n".join([where, *_refusing(request, puzzles.channel_id)])
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
