"""``/settings``: how a server wants the bot to behave, for those who manage it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import TypedPace, suggested_paces, zone_choices
from bot.languages.catalogues import OFFERED
from bot.matches.model.pace import Pace, parsed_pace
from bot.storage.guilds import GuildSettings
from bot.views import server_settings
from bot.views.answers import answer_privately
from bot.views.preferences import OF_DISCORD, chosen_language
from bot.views.server_settings import PLAYABLE, DailyPuzzleChange
from renderers.i18n import gettext_lazy
from renderers.i18n import gettext_lazy as _

LANGUAGE_CHOICES = [
    app_commands.Choice(name=_("the language of this server"), value=OF_DISCORD),
    *(app_commands.Choice(name=name, value=code) for code, name in OFFERED.items()),
]


Channel = app_commands.AppCommandChannel | app_commands.AppCommandThread


class PlayableChannel(app_commands.Transformer):
    """A channel or thread that can be allowed for play, also one that the bot does not know."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The type of the option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """The kinds of channels that Discord offers."""
        return list(PLAYABLE)

    async def transform(self, interaction: discord.Interaction[Any], value: Channel, /) -> Channel:
        return value


class ServerSettingsCommands(commands.Cog):
    """Settings of a server."""

    @app_commands.command(description=gettext_lazy("How the bot behaves in this server (needs Manage Server)"))
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(
        allow_channel=gettext_lazy("Allow play in this channel (if none is allowed, all are)"),
        forbid_channel=gettext_lazy("No longer allow play in this channel"),
        threads=gettext_lazy("Open a thread for each match"),
        pace=gettext_lazy("Usual pace, when a challenge doesn't say"),
        automatic=gettext_lazy("End a match as soon as the time is up, without waiting for a claim"),
        grace=gettext_lazy("In slow matches, use one of the player's days away before they lose on time"),
        language=gettext_lazy("The language of what I post for everybody"),
        cups=gettext_lazy("Whether everybody may start cups, or only people who manage the server"),
        rest=gettext_lazy("Whether the weekly rest of players stops their clocks in new matches"),
        puzzle_channel=gettext_lazy("Post a puzzle here every day"),
        puzzle_hour=gettext_lazy("At which hour the puzzle of the day is posted, 0 to 23"),
        puzzle_zone=gettext_lazy("The time zone of that hour, such as Europe/Rome"),
        daily_puzzle=gettext_lazy("Choose False to stop the puzzle of the day"),
        weekly=gettext_lazy("Whether the week's matches are summed up on Mondays, with the puzzle of the day"),
        weekly_channel=gettext_lazy("The weekly post's channel, if not that of the puzzle"),
        ladder_channel=gettext_lazy("Begin the matches of the ladder in this channel"),
    )
    @app_commands.autocomplete(pace=suggested_paces)
    @app_commands.choices(language=LANGUAGE_CHOICES)
    async def settings(
        self,
        interaction: discord.Interaction[Any],
        allow_channel: app_commands.Transform[Channel, PlayableChannel] | None = None,
        forbid_channel: app_commands.Transform[Channel, PlayableChannel] | None = None,
        threads: bool | None = None,
        pace: TypedPace | None = None,
        automatic: bool | None = None,
        grace: bool | None = None,
        language: str | None = None,
        cups: bool | None = None,
        rest: bool | None = None,
        puzzle_channel: discord.TextChannel | discord.Thread | None = None,
        puzzle_hour: app_commands.Range[int, 0, 23] | None = None,
        puzzle_zone: str | None = None,
        daily_puzzle: bool | None = None,
        weekly: bool | None = None,
        weekly_channel: discord.TextChannel | discord.Thread | None = None,
        ladder_channel: discord.TextChannel | None = None,
    ) -> None:
        """Change what is given and show the settings as they are then."""

        def change(before: GuildSettings) -> GuildSettings:
            if allow_channel is not None:
                before = server_settings.allowing(before, allow_channel.id)
            if forbid_channel is not None:
                before = server_settings.forbidding(before, str(forbid_channel.id))
            usual = Pace.of(before.pace, before.increment) if pace is None else parsed_pace(pace)
            return replace(
                before,
                threads=before.threads if threads is None else threads,
                pace=None if usual is None else usual.seconds,
                increment=None if usual is None else usual.increment,
                automatic=before.automatic if automatic is None else automatic,
                grace=before.grace if grace is None else grace,
                language=before.language if language is None else chosen_language(language),
                cups=before.cups if cups is None else cups,
                weekly=before.weekly if weekly is None else weekly,
                weekly_channel=before.weekly_channel if weekly_channel is None else weekly_channel.id,
                rest_counts=before.rest_counts if rest is None else rest,
            )

        puzzle = DailyPuzzleChange(
            daily_puzzle, None if puzzle_channel is None else puzzle_channel.id, puzzle_hour, puzzle_zone
        )
        await answer_privately(
            interaction,
            server_settings.change,
            change,
            None if puzzle == DailyPuzzleChange() else puzzle,
            None if weekly_channel is None else weekly_channel.id,
            None if ladder_channel is None else ladder_channel.id,
        )

    @settings.autocomplete("puzzle_zone")
    async def suggest_zone(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones by any part of their names."""
        return zone_choices(typed)
