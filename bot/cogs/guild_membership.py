"""What becomes of a server's matches when the bot is sent away, invited again, or its permissions change."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.delivery.reviving import revive_dropped
from bot.matches.idle import Idle
from bot.matches.services import Services

log = structlog.get_logger(__name__)

AFTER_FAILURE = 10.0
"""Seconds until the servers are compared with what is stored, where that could not be done."""


class GuildMembership(commands.Cog):
    """Listens to what happens to the bot itself. What cannot be stored when it happens is made up for later."""

    def __init__(self, client: discord.Client, services: Services, idle: Callable[[], Idle]) -> None:
        self._client = client
        self._services = services
        self._idle = idle
        self._comparing: asyncio.Task[None] | None = None

    async def cog_unload(self) -> None:
        """Compare no more."""
        if self._comparing is not None:
            self._comparing.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Make up for what happened while the bot was not listening, now that all its shards are connected."""
        await self._stored(self._compare())

    @commands.Cog.listener("on_guild_remove")
    @commands.Cog.listener("on_guild_unavailable")
    async def on_guild_gone(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server the bot was sent away from, or that Discord has lost for now."""
        await self._stored(self._services.membership.bot_left(guild.id, removed=not guild.unavailable))

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_guild_back(self, guild: discord.Guild) -> None:
        """Start the clocks of a server again, and send what was dropped there."""
        await self._stored(self._services.membership.bot_returned(guild.id))
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

    async def _stored(self, change: Awaitable[None]) -> None:
        """Have something stored; where that fails, compare the servers until what is stored is right."""
        try:
            await change
        except Exception:
            log.exception("what happened to a server is not stored, the servers are compared soon")
            if self._comparing is None or self._comparing.done():
                self._comparing = asyncio.create_task(self._compare_until_stored(), name="servers")

    async def _compare_until_stored(self) -> None:
        while True:
            await self._idle()(asyncio.sleep(AFTER_FAILURE), reason="the servers are to be compared")
            try:
                return await self._compare()
            except Exception as error:
                log.warning("servers not compared, they will be", error=repr(error))

    async def _compare(self) -> None:
        present = {guild.id for guild in self._client.guilds if not guild.unavailable}
        out_of_reach = {guild.id for guild in self._client.guilds if guild.unavailable}
        await self._services.membership.compare(present, out_of_reach)
