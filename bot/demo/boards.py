"""The board page in the demo: each person's boards, in a frame beside the channel, for the person the page shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from bot.client import Tavoliere
from bot.demo.discord_server import DiscordServer
from bot.languages.speaking import language
from bot.requests.context import BotContext
from bot.storage.match_lists import in_place
from bot.storage.records import MatchState, Person
from bot.storage.transactions import cancel_all
from bot.web.api import Api
from bot.web.live import OpenPages
from bot.web.pages import board_page
from bot.web.server import ROUTES
from bot.web.visitors import Visitor
from renderers.i18n import speak


class Boards:
    """The boards of the bot, once it runs. ``person_named`` returns the id of a person, or raises an HTTP error."""

    def __init__(self, server: DiscordServer, person_named: Callable[[str], int]) -> None:
        self._server = server
        self._person_named = person_named
        self._bot: Tavoliere | None = None
        self._news: OpenPages | None = None

    def add_to(self, router: web.UrlDispatcher) -> None:
        base = "/board/{person}"
        api = Api(self._context, self._sockets, self._visitor, router, base)
        for add in ROUTES:
            add(api)
        router.add_get(base + "/in/{channel}", self._in_channel)
        router.add_get(base + r"/{subject:(match|puzzle)/\d{1,18}|plan/\d{1,18}/\d{1,3}}", self._page)

    @asynccontextmanager
    async def shown(self, bot: Tavoliere) -> AsyncIterator[None]:
        """Show the boards of a bot that has not begun to log in."""
        self._bot = bot
        try:
            yield
        finally:
            self._bot = None

    @asynccontextmanager
    async def told(self) -> AsyncIterator[None]:
        """Tell open boards of changes, while the bot runs."""
        assert self._bot is not None
        bot = self._bot
        self._news = OpenPages(bot.context.services, lambda: bot.idle)
        telling = asyncio.create_task(self._news.run(), name="boards")
        try:
            yield
        finally:
            await cancel_all([telling])
            await self._news.close()
            self._news = None

    def _context(self) -> BotContext:
        if self._bot is None or self._news is None:
            raise web.HTTPServiceUnavailable
        return self._bot.context

    def _sockets(self) -> OpenPages:
        if self._news is None:
            raise web.HTTPServiceUnavailable
        return self._news

    async def _visitor(self, request: web.Request) -> Visitor:
        person_id = self._person_named(request.match_info["person"])
        name = self._server.backend.users[person_id].global_name or ""
        return Visitor(Person(person_id, name), self._server.guild.id, self._server.locale(person_id))

    async def _in_channel(self, request: web.Request) -> web.StreamResponse:
        """Return the number of the match whose boards a person has in a channel or thread, and whether it is over.

        The number is None where there is no such match. A match with a thread has its boards there, not in the channel;
        a finished one counts in its own thread only: in a channel its board would stand beside what comes later.
        """
        if self._news is None:
            return web.json_response({"match": None, "over": True})
        visitor, channel = await self._visitor(request), request.match_info["channel"]
        if not channel.isdecimal():
            raise web.HTTPNotFound
        matches = await self._context().services.read(in_place, visitor.guild_id, int(channel), visitor.person.id)
        own = (match for match in matches if match.seat_of(visitor.person.id))
        match = next(
            (
                match
                for match in own
                if match.thread_id == int(channel) or (match.thread_id is None and match.state is not MatchState.OVER)
            ),
            None,
        )
        over = match is None or match.state is MatchState.OVER
        return web.json_response({"match": None if match is None else match.id, "over": over})

    async def _page(self, request: web.Request) -> web.StreamResponse:
        visitor = await self._visitor(request)
        preferences = await self._context().services.personal_settings.recent_preferences(
            visitor.person.id, visitor.locale
        )
        speak(language(preferences.spoken or visitor.locale, visitor.locale))
        base = f"/board/{request.match_info['person']}"
        return board_page(request.match_info["subject"], preferences.theme, base, "/static")
