"""The board page in the demo: each person's boards, in a frame beside the channel, for the person the page shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from bot.demo.discord_server import DiscordServer
from bot.languages.speaking import language
from bot.requests.context import BotContext
from bot.single_client import Tavoliere
from bot.storage.records import Match, MatchState, Person
from bot.storage.transactions import cancel_all
from bot.web.live import News
from bot.web.pages import board_page
from bot.web.server import APIS
from bot.web.visitors import Visitor
from renderers.i18n import speak


class Boards:
    """The boards of the bot, once it runs. ``person_named`` returns the id of a person, or raises an HTTP error."""

    def __init__(self, server: DiscordServer, person_named: Callable[[str], int]) -> None:
        self._server = server
        self._person_named = person_named
        self._bot: Tavoliere | None = None
        self._news: News | None = None

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the addresses to a router."""
        base = "/board/{person}"
        for api in APIS:
            api(self._context, self._sockets, self._visitor).add_to(router, base)
        router.add_get(base + "/in/{channel}", self._in_channel)
        router.add_get(base + r"/match/{match:\d{1,18}}", self._page)

    @asynccontextmanager
    async def shown(self, bot: Tavoliere) -> AsyncIterator[None]:
        """Show the boards of a bot that has not begun to log in."""
        self._bot = bot
        bot.on_stored = self._wake
        try:
            yield
        finally:
            self._bot = None

    @asynccontextmanager
    async def told(self) -> AsyncIterator[None]:
        """Tell open boards of changes, while the bot runs."""
        assert self._bot is not None
        bot = self._bot
        self._news = News(bot.context.services, lambda: bot.idle)
        telling = asyncio.create_task(self._news.run(), name="boards")
        try:
            yield
        finally:
            await cancel_all([telling])
            await self._news.close()
            self._news = None

    def _wake(self) -> None:
        if self._news is not None:
            self._news.wake()

    def _context(self) -> BotContext:
        if self._bot is None or self._news is None:
            raise web.HTTPServiceUnavailable
        return self._bot.context

    def _sockets(self) -> News:
        if self._news is None:
            raise web.HTTPServiceUnavailable
        return self._news

    async def _visitor(self, request: web.Request) -> Visitor:
        person_id = self._person_named(request.match_info["person"])
        name = self._server.backend.users[person_id].global_name or ""
        return Visitor(Person(person_id, name), self._server.guild.id, self._server.locale(person_id))

    async def _in_channel(self, request: web.Request) -> web.StreamResponse:
        """Return the number of the match that a person has in a channel or thread, and whether it is over.

        The number is None where there is no such match. A finished match counts in its own thread only: in a channel
        its board would stand beside what comes later.
        """
        if self._news is None:
            return web.json_response({"match": None, "over": True})
        visitor, channel = await self._visitor(request), request.match_info["channel"]
        if not channel.isdecimal():
            raise web.HTTPNotFound
        matches = await self._context().services.queries.in_place(visitor.guild_id, int(channel))
        mine = (match for match in matches if match.seat_of(visitor.person.id) and _has_place(match, int(channel)))
        match = next(mine, None)
        over = match is None or match.state is MatchState.OVER
        return web.json_response({"match": None if match is None else match.id, "over": over})

    async def _page(self, request: web.Request) -> web.StreamResponse:
        visitor = await self._visitor(request)
        preferences = await self._context().services.personal_settings.known(visitor.person.id, visitor.locale)
        speak(language(preferences.spoken or visitor.locale, visitor.locale))
        base = f"/board/{request.match_info['person']}"
        return board_page(f"match/{request.match_info['match']}", preferences.theme, base, "/static")


def _has_place(match: Match, place_id: int) -> bool:
    return match.state is not MatchState.OVER or match.thread_id == place_id
