"""What a server decides about the bot: where it is played, at what pace, and what happens when the time is up."""

from __future__ import annotations

from collections.abc import Callable

from bot.matches.service_context import ServiceContext
from bot.storage import guilds, locks
from bot.storage.guilds import GuildSettings
from bot.storage.transactions import retried


class ServerSettings:
    """The settings of servers."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def of(self, guild_id: int) -> GuildSettings:
        """Return a server's settings."""
        async with self._context.database.read() as tx:
            return await guilds.settings(tx, guild_id)

    @retried
    async def change(self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]) -> GuildSettings:
        """Store what ``change`` makes of a server's settings, and return it.

        ``change`` is given the settings as they are then, so that of two changes at the same time none is lost.
        """
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            before = await guilds.settings(tx, guild_id)
            wanted = change(before)
            if wanted != before:
                await guilds.put_settings(tx, guild_id, wanted)
        return wanted
