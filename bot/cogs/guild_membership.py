"""What becomes of a server's matches when the bot is sent away, invited again, or its permissions change."""

from __future__ import annotations

from typing import Any

import discord
from discord.ext import commands

from bot.delivery.reviving import revive_dropped
from bot.matches.services import Services


class GuildMembership(commands.Cog):
    """Listens to what happens to the bot itself."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Make up for what happened while the bot was not listening, now that all its shards are connected."""
        present = {guild.id for guild in self._client.guilds if not guild.unavailable}
        await self._services.membership.compare(present)

    @commands.Cog.listener("on_guild_remove")
    @commands.Cog.listener("on_guild_unavailable")
    async def on_guild_gone(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server the bot was sent away from, or that Discord has lost for now."""
        await self._services.membership.bot_left(guild.id)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_guild_back(self, guild: discord.Guild) -> None:
        """Start the clocks of a server again, and send what was dropped there."""
        await self._services.membership.bot_returned(guild.id)
        await self._revive_dropped(guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Send what was dropped in a server, where that is permitted now."""
        await self._revive_dropped(after.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: Any, after: discord.abc.GuildChannel) -> None:
        """Send what was dropped in a server, where that is permitted now."""
        await self._revive_dropped(after.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Send what was dropped in a server when the bot itself was given another role."""
        if after == after.guild.me:
            await self._revive_dropped(after.guild)

    async def _revive_dropped(self, guild: discord.Guild) -> None:
        await revive_dropped(self._client, self._services, guild.id)
