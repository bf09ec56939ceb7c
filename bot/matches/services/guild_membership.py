"""Whether the bot is in a server at all: where it was sent away nobody can move, so all clocks stand still there."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import structlog

from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks
from bot.storage import locks
from bot.storage.queries import guilds, matches
from bot.storage.retrying import retried

log = structlog.get_logger(__name__)


class GuildMembership:
    """Stops the clocks of a server and starts them again."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    @retried
    async def bot_left(self, guild_id: int) -> None:
        """Note that the bot is no longer in a server: nothing falls due there until it is back."""
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            await guilds.depart(tx, guild_id, self._context.clock())
        log.info("server out of reach, its clocks stand still", server=guild_id)

    @retried
    async def bot_returned(self, guild_id: int) -> None:
        """Give every clock of a server the time back in which the bot was not there."""
        async with self._context.database.read() as tx:
            if guild_id not in await guilds.departures(tx):
                return
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            since = (await guilds.departures(tx)).get(guild_id, now)
            await clocks.shift(tx, await matches.with_clock(tx, guild_id), max(now - since, timedelta(0)))
            await guilds.come_back(tx, guild_id)
        log.info("server back, its clocks go on", server=guild_id, seconds=(now - since).total_seconds())
        self._context.wake()

    async def compare(self, present: Collection[int]) -> None:
        """Make up for what was missed: ``present`` are all the servers of our share the bot is in now."""
        share = self._context.share
        async with self._context.database.read() as tx:
            gone = {guild_id for guild_id in await guilds.departures(tx) if guild_id in share}
            playing = set(await matches.guilds_playing(tx, share))
        for guild_id in playing - gone - set(present):
            await self.bot_left(guild_id)
        for guild_id in gone.intersection(present):
            await self.bot_returned(guild_id)
