"""Whether the bot is in a server at all: where it was sent away nobody can move, so all clocks stand still there.

What is kept of a server is deleted when the bot has not been there for some time.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

import structlog

from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks
from bot.storage import due, guilds, locks
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

PART, PARTS = 100, 20
"""How many matches are deleted in one transaction, and in how many transactions after one another."""


class GuildMembership:
    """Stops the clocks of a server and starts them again, and deletes what is left of it after some time."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._members: set[int] | None = None
        """The servers of our share the bot is a member of, within reach or not; None while that is not known."""

    @retried
    async def bot_left(self, guild_id: int, *, removed: bool = True) -> None:
        """Note that the bot is no longer in a server, or that Discord has lost it for now (``removed`` is False).

        Nothing falls due there until it is back.
        """
        if removed and self._members is not None:
            self._members.discard(guild_id)
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            await guilds.depart(tx, guild_id, self._context.clock())
        log.info("server out of reach, its clocks stand still", server=guild_id)

    @retried
    async def bot_returned(self, guild_id: int) -> None:
        """Give every clock of a server the time back in which the bot was not there."""
        if self._members is not None:
            self._members.add(guild_id)
        async with self._context.database.read() as tx:
            if guild_id not in await guilds.departures(tx):
                return
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            since = (await guilds.departures(tx)).get(guild_id, now)
            await clocks.shift(tx, await due.with_clock(tx, guild_id), max(now - since, timedelta(0)))
            await guilds.come_back(tx, guild_id)
        log.info("server back, its clocks go on", server=guild_id, seconds=(now - since).total_seconds())
        self._context.wake()

    async def compare(self, present: Collection[int], out_of_reach: Collection[int] = ()) -> None:
        """Make up for what was missed: ``present`` are all the servers of our share the bot is in now.

        It is in those ``out_of_reach`` as well, but Discord has lost them for now.
        """
        share = self._context.share
        async with self._context.database.read() as tx:
            gone = {guild_id for guild_id in await guilds.departures(tx) if guild_id in share}
            known = await guilds.known_servers(tx, share)
        self._members = {*present, *out_of_reach}
        for guild_id in known - gone - set(present):
            await self.bot_left(guild_id, removed=guild_id not in out_of_reach)
        for guild_id in gone.intersection(present):
            await self.bot_returned(guild_id)

    async def delete_departed(self) -> None:
        """Delete what is kept of servers that removed the bot long ago: not all at once, others have work to do, too.

        Where the bot is in a server after all, though nobody has noticed its return, nothing is deleted.
        """
        if self._members is None:
            return
        before = self._context.clock() - self._context.departed_kept
        async with self._context.database.read() as tx:
            found = await guilds.to_delete(tx, before, self._context.share)
        for guild_id in found:
            await self._delete(guild_id, before)

    async def _delete(self, guild_id: int, before: datetime) -> None:
        if not await self._begun(guild_id, before):
            return
        for _ in range(PARTS):
            if not await self._part_deleted(guild_id, before):
                log.info("server deleted, the bot was removed from it long ago", server=guild_id)
                return

    @retried
    async def _begun(self, guild_id: int, before: datetime) -> bool:
        """Begin to delete a server, unless that was done before; return whether there is anything to be deleted."""
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            if await guilds.deletion_begun(tx, guild_id):
                return True
            if guild_id in (self._members or ()):
                return False
            await locks.ratings(tx, guild_id)
            return await guilds.begin_deletion(tx, guild_id, before)

    @retried
    async def _part_deleted(self, guild_id: int, before: datetime) -> bool:
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            return await guilds.delete_part(tx, guild_id, PART, before)
