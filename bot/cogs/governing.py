"""``/settings``: how a server wants the bot to behave, for those who manage it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import PACE_CHOICES
from bot.matches.clocks import pace_in_words
from bot.matches.refusals import Refusal
from bot.storage.records import GuildSettings
from bot.views.answers import Reply, answer_privately
from bot.views.host import guild_of, host_of

Place = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel | discord.Thread


class Governing(commands.Cog):
    """Settings of a server."""

    @app_commands.command(description="How the bot behaves in this server (needs Manage Server)")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(
        allow_channel="Allow play in this channel; while none is allowed, all are",
        forbid_channel="No longer allow play in this channel",
        threads="Open a thread for each match",
        pace="Time for each move where a challenge does not say",
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
                raise Refusal("Only those who may manage this server can change how I behave in it.")
            service, guild_id = host_of(interaction).services.personal, guild_of(interaction)
            before = await service.settings(guild_id)
            channels = dict.fromkeys(before.channels)
            if allow_channel is not None:
                channels[allow_channel.id] = None
            if forbid_channel is not None:
                channels.pop(forbid_channel.id, None)
            wanted = replace(
                before,
                channels=tuple(channels),
                threads=before.threads if threads is None else threads,
                pace=before.pace if pace is None else pace or None,
                automatic=before.automatic if automatic is None else automatic,
            )
            if wanted != before:
                await service.settle(guild_id, wanted)
            return Reply(_text(wanted))

        await answer_privately(interaction, work)


def _text(wanted: GuildSettings) -> str:
    channels = ", ".join(f"<#{channel_id}>" for channel_id in wanted.channels) or "everywhere"
    late = "lost at once" if wanted.automatic else "lost when the opponent claims the win"
    return (
        f"### Settings of this server\nPlay is allowed: **{channels}**\n"
        f"A thread for each match: **{'yes' if wanted.threads else 'no'}**\n"
        f"Usual pace: **{pace_in_words(wanted.pace)}**\nOut of time: **{late}**"
    )
