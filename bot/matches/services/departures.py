"""Servers that remove the bot: their clocks stop, because no move is possible there, and go on when it returns.

After some time the data of such a server is deleted. Dropped messages are tried again once the bot may post.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

import structlog

from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks
from bot.storage import guilds, locks, outbox, page_access, running_clocks
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

MATCHES_AT_ONCE, TRANSACTIONS_AT_ONCE = 100, 20
"""How many matches one transaction deletes, and how many transactions follow one another."""


class Departures:
    """Stops and restarts the clocks of servers, retries dropped messages, and deletes data after a long absence."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._members: set[int] | None = None
        """The servers that have the bot, within reach or not; None while unknown."""

    @retried
    async def bot_left(self, guild_id: int, *, removed: bool = True) -> None:
        """Note that a server removed the bot, or that Discord cannot reach the server (``removed`` is False).

        Nothing falls due there until it is back.
        """
        if removed and self._members is not None:
            self._members.discard(guild_id)
        await self._context.credit_missed()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            await guilds.depart(tx, guild_id, self._context.clock())
            if removed:
                await page_access.end_of_server(tx, guild_id)
        log.info("server out of reach, its clocks stand still", server=guild_id)

    @retried
    async def bot_returned(self, guild_id: int) -> None:
        """Credit every clock of a server with the time of the bot's absence."""
        if self._members is not None:
            self._members.add(guild_id)
        async with self._context.database.read() as tx:
            if guild_id not in await guilds.departures(tx):
                return
        now = await self._context.credited_now()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            since = (await guilds.departures(tx)).get(guild_id, now)
            await clocks.shift(tx, running_clocks.of_server(guild_id), min(since, now), now, now)
            await guilds.come_back(tx, guild_id)
            await clocks.compare_rules(tx, self._context.rules, now)
        log.info("server back, its clocks go on", server=guild_id, seconds=(now - since).total_seconds())

    async def compare(self, present: Collection[int], out_of_reach: Collection[int] = ()) -> None:
        """Note departures and returns that were missed; ``present`` are all servers with the bot.

        Those ``out_of_reach`` have the bot as well, but Discord cannot reach them at the moment.
        """
        async with self._context.database.read() as tx:
            gone = set(await guilds.departures(tx))
            servers = await guilds.known_servers(tx)
        self._members = {*present, *out_of_reach}
        for guild_id in servers - gone - set(present):
            await self.bot_left(guild_id, removed=guild_id not in out_of_reach)
        for guild_id in gone.intersection(present):
            await self.bot_returned(guild_id)

    async def revive_dropped(self, guild_id: int, may_post: Callable[[int], bool]) -> None:
        """Retry dropped messages about a server that go to a channel or thread where the bot ``may_post``."""
        async with self._context.database.read() as tx:
            dropped = await outbox.dropped_of_server(tx, guild_id)
        again = [message_id for message_id, places in dropped.items() if any(map(may_post, places))]
        if again:
            async with self._context.database.write() as tx:
                await outbox.revive(tx, again, self._context.clock())

    async def delete_departed(self) -> None:
        """Delete data of servers that removed the bot long ago, in parts, so that other writers do not wait.

        A server that has the bot after all, because its return was missed, is left alone.
        """
        if self._members is None:
            return
        before = self._context.clock() - self._context.departed_kept
        async with self._context.database.read() as tx:
            guild_ids = await guilds.to_delete(tx, before)
        for guild_id in guild_ids:
            if not await self._begin_deletion(guild_id, before):
                continue
            for _ in range(TRANSACTIONS_AT_ONCE):
                if not await self._delete_part(guild_id, before):
                    log.info("server deleted, the bot was removed from it long ago", server=guild_id)
                    break

    @retried
    async def _begin_deletion(self, guild_id: int, before: datetime) -> bool:
        """Begin to delete a server, if that was not begun before; return whether there is anything to delete."""
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            if await guilds.deletion_begun(tx, guild_id):
                return True
            if guild_id in (self._members or ()):
                return False
            await locks.ratings(tx, guild_id)
            return await guilds.begin_deletion(tx, guild_id, before)

    @retried
    async def _delete_part(self, guild_id: int, before: datetime) -> bool:
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            return await guilds.delete_part(tx, guild_id, MATCHES_AT_ONCE, before)
