"""``/settings``: how a server wants the bot to behave, for those who manage it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import PACE_CHOICES
from bot.storage.records import GuildSettings
from bot.views import server_settings
from bot.views.answers import answer_privately

Place = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel | discord.Thread


class Governing(commands.Cog):
    """Settings of a server."""

    @app_commands.command(description="How the bot behaves in this server (needs Manage Server)")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(
        allow_channel="Allow play in this channel (if none is allowed, all are)",
        forbid_channel="No longer allow play in this channel",
        threads="Open a thread for each match",
        pace="Usual time per move, when a challenge doesn't say",
        automatic="End a match as soon as the time is up, without waiting for a claim",
    )
    @app_commands.choices(pace=PACE_CHOICES)
    async def settings(
        self,
        interaction: discord.Interaction[Any],
        allow_channel: Place | None = None,
        forbid_channel: Place | None = None,
        threads: bool | None = None,
        pace: int | None = None,
        automatic: bool | None = None,
    ) -> None:
        """Change what is given and show the settings as they are then."""

        def change(before: GuildSettings) -> GuildSettings:
            if allow_channel is not None:
                before = server_settings.allowing(before, allow_channel.id)
            if forbid_channel is not None:
                before = server_settings.forbidding(before, forbid_channel.id)
            return replace(
                before,
                threads=before.threads if threads is None else threads,
                pace=before.pace if pace is None else pace or None,
                automatic=before.automatic if automatic is None else automatic,
            )

        await answer_privately(interaction, lambda: server_settings.change(interaction, change))
