"""Stops and starts a server's clocks when the bot leaves or returns, and sends its dropped messages again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.delivery import discord_calls
from bot.matches.service_context import Idle
from bot.matches.services import Services

log = structlog.get_logger(__name__)

AFTER_FAILURE = 10.0
"""Seconds between two attempts to store a change."""


class GuildEvents(commands.Cog):
    """Listens to changes of the bot's servers. A change that cannot be stored is stored later."""

    def __init__(self, client: discord.Client, services: Services, idle: Callable[[], Idle]) -> None:
        self._client = client
        self._services = services
        self._idle = idle
        self._catching_up: asyncio.Task[None] | None = None
        self._one_by_one = asyncio.Lock()
        """One change at a time: thousands of servers may return at once, and turns must not wait for all of them."""
        self._unloaded = False
        self._to_revive: set[int] = set()
        """The servers whose dropped messages are still to be sent."""

    async def cog_unload(self) -> None:
        """Finish the change that is being stored, and store no others: discord.py does not wait for its listeners."""
        self._unloaded = True
        if self._catching_up is not None:
            self._catching_up.cancel()
        async with self._one_by_one:
            pass

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Store the changes since the bot last listened, now that all its shards are connected."""
        await self._store(self._compare)

    @commands.Cog.listener("on_guild_remove")
    @commands.Cog.listener("on_guild_unavailable")
    async def on_guild_gone(self, guild: discord.Guild) -> None:
        """Stop the clocks of a server that removed the bot, or that is unavailable for now."""
        await self._store(partial(self._services.departures.bot_left, guild.id, removed=not guild.unavailable))

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_guild_back(self, guild: discord.Guild) -> None:
        """Start the clocks of a server again, and send its dropped messages."""
        await self._store(partial(self._services.departures.bot_returned, guild.id))
        await self._revive_dropped(guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Send a server's dropped messages where that is permitted now."""
        await self._revive_dropped(after.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: Any, after: discord.abc.GuildChannel) -> None:
        """Send a server's dropped messages where that is permitted now."""
        await self._revive_dropped(after.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Send a server's dropped messages when the bot gets another role."""
        if after == after.guild.me:
            await self._revive_dropped(after.guild)

    @commands.Cog.listener()
    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """Forget a private thread that the bot was removed from, as discord.py does with one that is deleted."""
        thread.guild._remove_thread(thread)

    async def _revive_dropped(self, guild: discord.Guild) -> None:
        self._to_revive.add(guild.id)
        await self._store(partial(self._revive, guild.id))

    async def _revive(self, guild_id: int) -> None:
        await self._services.departures.revive_dropped(guild_id, self._may_post)
        self._to_revive.discard(guild_id)

    def _may_post(self, place_id: int) -> bool:
        place = self._client.get_channel(place_id)
        return place is not None and discord_calls.may_post(place)

    async def _store(self, change: Callable[[], Awaitable[None]]) -> None:
        """Store a change; where that fails, compare all servers until that succeeds."""
        try:
            async with self._one_by_one:
                if not self._unloaded:
                    await change()
        except Exception:
            log.exception("change of a server not stored, retrying")
            if self._catching_up is None or self._catching_up.done():
                self._catching_up = asyncio.create_task(self._catch_up(), name="servers")

    async def _catch_up(self) -> None:
        """Compare the servers once all of them are known, and send dropped messages, until both succeed."""
        while True:
            await self._idle()(asyncio.sleep(AFTER_FAILURE), reason="changes of servers are to be stored")
            try:
                async with self._one_by_one:
                    if self._client.is_ready():
                        await self._compare()
                    for guild_id in tuple(self._to_revive):
                        await self._revive(guild_id)
                return
            except Exception as error:
                log.warning("changes of servers not stored yet, retrying", error=repr(error))

    async def _compare(self) -> None:
        present = {guild.id for guild in self._client.guilds if not guild.unavailable}
        out_of_reach = {guild.id for guild in self._client.guilds if guild.unavailable}
        await self._services.departures.compare(present, out_of_reach)
