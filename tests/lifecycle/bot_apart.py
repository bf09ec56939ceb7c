"""A bot above the network in a process of its own, which takes requests over a line. Its posts go over that line, too:
Discord outlives the bots, and is the same for all of them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, MutableMapping
from datetime import datetime
from typing import Any

import discord
import structlog
from sqlalchemy import event

from bot.matches.model.policies import clocks
from bot.storage import processes
from bot.storage.database import Database
from bot.storage.registration import BOT
from tests.lifecycle.fake_discord import FakeDiscord, unknown_message
from tests.lifecycle.harness import Harness, ended
from tests.lifecycle.shared_harness import LONG_LEASE
from tests.support.processes.line import Line


def live(end: socket.socket, url: str) -> None:
    """Be a bot on the database at ``url`` until the other ``end`` is closed."""
    clocks.MOST_GRACES = 0  # The model of matches knows none.
    bot = BotApart()
    bot.run(bot.serve(end, url))


class BotApart(Harness):
    """One bot. Its clock says what the other end of the line has said last."""

    line: Line

    def __init__(self) -> None:
        self.prepare()
        self.discord = DiscordAcross(self)

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
        """Return the database's processes that serve this bot."""
        self.line.tell("connected", opened.driver_connection.get_server_pid())

    def _tell_errors(self, _logger: Any, level: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if level in ("error", "critical", "exception"):
            self.line.tell("failed", repr(dict(entry)))
        raise structlog.DropEvent


class DiscordAcross(FakeDiscord):
    """The fake Discord at the other end of the line."""

    def __init__(self, bot: BotApart) -> None:
        super().__init__(lambda: bot.now)
        self._bot = bot

    async def call(self, action: Callable[[], Any]) -> Any:
        """Carry a call out at the other end, which decides about its trouble."""
        return await action()

    def post(self, channel_id: int, view: discord.ui.LayoutView, notified: tuple[int, ...], nonce: str) -> Any:
        """Post a message."""
        return self._bot.line.ask("post", channel_id, _components(view), notified, nonce)

    def post_directly(self, user_id: int, text: str, nonce: str) -> Any:
        """Send a direct message."""
        return self._bot.line.ask("write_to", user_id, text, nonce)

    def find(self, message_id: int) -> Any:
        return self._bot.line.ask("find", message_id)

    def history(self, channel_id: int, limit: int | None, after: discord.Object) -> Any:
        """Return the newest messages first."""
        return self._bot.line.ask("history", channel_id, limit, after)

    async def edit(self, channel_id: int, message_id: int, view: discord.ui.LayoutView) -> None:  # type: ignore[override]
        """Give a message other controls."""
        if not await self._bot.line.ask("edit", channel_id, message_id, _components(view)):
            raise unknown_message()


def _components(view: Any) -> list[Any]:
    """Return what a view is made of, as data."""
    return list(view.to_components())
