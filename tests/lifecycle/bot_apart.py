"""A bot above the network in a process of its own, which does what it is asked over a line.

What it posts goes over that line, too: Discord outlives the bots, and is the same for all of them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import discord
import structlog
from sqlalchemy import event

from bot.storage import processes
from bot.storage.database import Database
from bot.storage.registration import BOT
from tests.lifecycle.fake_discord import BOT as ACCOUNT
from tests.lifecycle.fake_discord import PostedMessage
from tests.lifecycle.harness import Harness, ended
from tests.lifecycle.shared_harness import LONG_LEASE
from tests.support.processes.line import Line


def live(end: socket.socket, url: str) -> None:
    """Be a bot on the database at ``url`` until the other ``end`` is closed."""
    bot = BotApart()
    bot.run(bot.serve(end, url))


class BotApart(Harness):
    """One bot. Its clock says what the other end of the line has said last."""

    line: Line

    def __init__(self) -> None:
        self.prepare()
        self.discord = DiscordAcross(self)  # type: ignore[assignment]

    async def serve(self, end: socket.socket, url: str) -> None:
        """Open everything and answer until the last request."""
        self.line = Line(*await asyncio.open_connection(sock=end), self._answer)
        structlog.configure(processors=[self._tell_errors], cache_logger_on_first_use=False)
        database = Database(url)
        event.listen(database.engine.sync_engine, "connect", self._tell_connection)
        async with database.write() as tx:
            database.token = await processes.add(tx, "a bot", BOT, LONG_LEASE)
        self.bot = self.built(database)
        await self.line.run()

    async def _answer(self, now: datetime, what: str, *arguments: Any) -> Any:
        self.now = now
        return await getattr(self, f"_{what}")(*arguments)

    async def _token(self) -> int | None:
        return self.database.token

    async def _call(self, service: str, method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        return await getattr(getattr(self.services, service), method)(*arguments, **options)

    async def _credit_downtime(self) -> None:
        await self.downtime.credit_downtime()

    async def _do_due(self) -> None:
        await self._until_rest(self.scheduler.run())

    async def _computer_turns(self) -> int:
        players = self.services.computer_players
        taken = await players.take(2)
        await asyncio.gather(*map(players.play, taken))
        return len(taken)

    async def _send(self) -> None:
        """Send all that can be sent now."""
        self._resting.clear()
        task = asyncio.create_task(self.dispatcher.run())
        try:
            while True:
                await self._resting.wait()
                self._resting.clear()
                if not self._busy():
                    return
        finally:
            await ended(task)

    async def _end(self) -> None:
        await self.dispatcher.close()
        await self.bot.queue.close()
        await self.database.close()

    def _tell_connection(self, opened: Any, _record: Any) -> None:
        """Tell by whom this bot is served in the database."""
        self.line.tell("connected", opened.driver_connection.get_server_pid())

    def _tell_errors(self, _logger: Any, level: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if level in ("error", "critical", "exception"):
            self.line.tell("failed", repr(dict(entry)))
        raise structlog.DropEvent


class DiscordAcross:
    """The fake Discord at the other end of the line, as far as the delivery asks for it."""

    def __init__(self, bot: BotApart) -> None:
        self.user = SimpleNamespace(id=ACCOUNT)
        self._bot = bot

    def get_channel(self, _channel_id: int) -> None:
        """Know of no channel in which threads could be opened."""

    def get_guild(self, _guild_id: int) -> None:
        """Know of no server, and so of no language of one."""

    def get_partial_messageable(self, channel_id: int) -> ChannelAcross:
        """Return a channel, of which there is one for every number."""
        return ChannelAcross(self._bot, channel_id)

    def get_user(self, user_id: int) -> DirectMessagesAcross:
        """Return a person who takes direct messages."""
        return DirectMessagesAcross(self._bot, user_id)


@dataclass(frozen=True, slots=True)
class DirectMessagesAcross:
    """The direct messages with a person."""

    bot: BotApart
    user_id: int

    async def send(self, text: str, *, nonce: str, allowed_mentions: discord.AllowedMentions) -> PostedMessage:
        """Send a direct message."""
        posted: PostedMessage = await self.bot.line.ask("write_to", self.user_id, text, nonce)
        return posted


@dataclass(frozen=True, slots=True)
class ChannelAcross:
    """A channel."""

    bot: BotApart
    id: int

    async def send(
        self, *, view: discord.ui.LayoutView, nonce: str, allowed_mentions: discord.AllowedMentions, **_: Any
    ) -> PostedMessage:
        """Post a message."""
        notified = tuple(user.id for user in allowed_mentions.users)  # type: ignore[union-attr]
        posted: PostedMessage = await self.bot.line.ask("post", self.id, _components(view), notified, nonce)
        return posted

    def get_partial_message(self, message_id: int) -> MessageAcross:
        """Return a message that may be there or not."""
        return MessageAcross(self.bot, self.id, message_id)

    async def history(self, *, limit: int | None, after: datetime, oldest_first: bool) -> AsyncIterator[PostedMessage]:
        """Yield the newest messages first."""
        assert not oldest_first
        for message in await self.bot.line.ask("history", self.id, limit, after):
            yield message


@dataclass(frozen=True, slots=True)
class MessageAcross:
    """A message that may be there or not."""

    bot: BotApart
    channel_id: int
    id: int

    async def edit(self, *, view: discord.ui.LayoutView, allowed_mentions: discord.AllowedMentions) -> None:
        """Give it other controls, which notifies no person."""
        if not await self.bot.line.ask("edit", self.channel_id, self.id, _components(view)):
            gone: Any = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(gone, {"code": 10008, "message": "Unknown Message"})


def _components(view: Any) -> list[Any]:
    """Return what a view is made of, as data."""
    return list(view.to_components())
