"""``/settings``: how a server wants the bot to behave, for those who manage it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import PACE_CHOICES
from bot.matches.model.refusals import Refusal
from bot.matches.writing.clocks import pace_in_words
from bot.messages.wording import channel, listed
from bot.storage.records import GuildSettings
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import context_of, guild_of

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

        async def work() -> Reply:
            if not interaction.permissions.manage_guild:
                raise Refusal("Only people who can manage this server can change its settings.")
            server_settings = context_of(interaction).services.server_settings
            return Reply(_text(await server_settings.change(guild_of(interaction), change)))

        def change(before: GuildSettings) -> GuildSettings:
            channels = dict.fromkeys(before.channels)
            if allow_channel is not None:
                channels[allow_channel.id] = None
            if forbid_channel is not None:
                channels.pop(forbid_channel.id, None)
            return replace(
                before,
                channels=tuple(channels),
                threads=before.threads if threads is None else threads,
                pace=before.pace if pace is None else pace or None,
                automatic=before.automatic if automatic is None else automatic,
            )

        await answer_privately(interaction, work)


def _text(wanted: GuildSettings) -> str:
    channels = listed(map(channel, wanted.channels)) if wanted.channels else "everywhere"
    late = "lost at once" if wanted.automatic else "lost when the opponent claims the win"
    return (
        f"### Settings of this server\nPlay is allowed: **{channels}**\n"
        f"A thread for each match: **{'yes' if wanted.threads else 'no'}**\n"
        f"Usual pace: **{pace_in_words(wanted.pace)}**\nOut of time: **{late}**"
    )
