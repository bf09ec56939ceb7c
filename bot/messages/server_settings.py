"""The settings of a server in a list, with the controls that change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.matches.model.puzzles import common_zones
from bot.matches.writing.clocks import PACES, pace_in_words
from bot.messages import custom_ids
from bot.messages.layout import Part, button, channel_select, layout, line, row, select
from bot.messages.switches import Switch
from bot.messages.wording import channel, inert, listed, shorten
from bot.storage.puzzle_records import PuzzleChannel
from bot.storage.records import GuildSettings

SWITCHES = (
    Switch("threads", "threads", "A thread for each match", "Open threads", "Play in channels"),
    Switch(
        "automatic",
        "automatic",
        "Out of time",
        "Lose at once",
        "Wait for a claim",
        on="lost at once",
        off="lost when the opponent claims the win",
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
    wanted: GuildSettings, names: Mapping[int, str], puzzles: PuzzleChannel | None = None
) -> discord.ui.LayoutView:
    """Return the list; ``names`` is what channels are called, as far as known."""
    channels = listed(map(channel, wanted.channels)) if wanted.channels else "everywhere"
    return layout(
        f"### Settings of this server\nPlay is allowed: **{channels}**",
        row(channel_select(custom_ids.ALLOW_CHANNEL(), "Allow play in a channel", _KINDS)),
        *([_forbid(wanted.channels, names)] if wanted.channels else []),
        *(switch.line(getattr(wanted, switch.field), custom_ids.SETTING) for switch in SWITCHES),
        f"Usual pace: **{pace_in_words(wanted.pace)}**",
        row(select(custom_ids.USUAL_PACE(), "Usual pace", _paces(wanted.pace))),
        *_daily(puzzles),
    )


def _forbid(channels: Sequence[int], names: Mapping[int, str]) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    options = [
        discord.SelectOption(label=shorten(f"#{inert(names.get(one, str(one)))}", _OPTION_LIMIT), value=str(one))
        for one in channels
    ]
    return row(select(custom_ids.FORBID_CHANNEL(), "No longer allow play in a channel", options[:_MOST_OPTIONS]))


def _paces(chosen: int | None) -> list[discord.SelectOption]:
    seconds = [*(int(pace.total_seconds()) for pace in PACES.values()), NO_PACE]
    return [
        discord.SelectOption(label=pace_in_words(one or None), value=str(one), default=one == (chosen or NO_PACE))
        for one in seconds
    ]


def _daily(puzzles: PuzzleChannel | None) -> list[Part]:
    """Return where and when the puzzle of the day is posted, and what changes that; the menu lacks some zones."""
    choose = row(channel_select(custom_ids.PUZZLE_CHANNEL(), "Post a puzzle here every day", _POSTED_IN))
    if puzzles is None:
        return ["Puzzle of the day: **none**", choose]
    following = discord.utils.format_dt(puzzles.due_at, "R")
    where = f"Puzzle of the day: **{channel(puzzles.channel_id)}** at **{puzzles.hour}:00**, {puzzles.zone}"
    hours = [discord.SelectOption(label=f"{h}:00", value=str(h), default=h == puzzles.hour) for h in range(24)]
    zones = [discord.SelectOption(label=z, value=z, default=z == puzzles.zone) for z in common_zones(puzzles.zone)]
    return [
        line(f"{where} (next {following})", button(custom_ids.NO_PUZZLES(), "No more puzzles")),
        choose,
        row(select(custom_ids.PUZZLE_HOUR(), "Hour of the puzzle", hours)),
        row(select(custom_ids.PUZZLE_ZONE(), "Time zone; others by puzzle_zone", zones)),
    ]
