"""What becomes of a server's matches when the bot is sent away, invited again, or its permissions change."""

from __future__ import annotations

from typing import Any

import discord
from discord.ext import commands

from bot.delivery.returning import say_again
from bot.matches.services import Services


class Presence(commands.Cog):
    """Listens to what happens to the bot itself."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Make up for what happened while the bot was not listening; with several shards each knows but a part."""
        if self._client.shard_count in (None, 1):
            await self._services.presence.compare({guild.id for guild in self._client.guilds})

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server."""
        await self._services.presence.sent_away(guild.id)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_guild_back(self, guild: discord.Guild) -> None:
        """Start the clocks of a server again, and say what could not be said."""
        await self._services.presence.back(guild.id)
        await self._say_again(guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Say what could not be said, if that may be said now."""
        await self._say_again(after.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: Any, after: discord.abc.GuildChannel) -> None:
        """Say what could not be said, if that may be said now."""
        await self._say_again(after.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Say what could not be said when the bot itself was given another role."""
        if after == after.guild.me:
            await self._say_again(after.guild)

    async def _say_again(self, guild: discord.Guild) -> None:
        await say_again(self._client, self._services, guild.id)
