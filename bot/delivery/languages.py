"""Chooses the language of a message: the match's, the server's, or the person's for a direct message.

A person who has never used the bot gets the language of the match or server that the message is about. A post for all
names commands in its own language, a direct message in the language of the person's Discord client.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery.context import DeliveryContext
from bot.languages.speaking import language, language_for
from bot.storage import challenges, cups, guilds, matches
from bot.storage.outbox import OutboxMessage
from renderers.i18n import ENGLISH, Language, current_language, speaking

_MOST_KEPT = 10_000


class Languages:
    """The languages of messages. A cache holds those of matches, challenges and cups, which never change."""

    def __init__(self, context: DeliveryContext) -> None:
        self._context = context
        self._kept: OrderedDict[tuple[str, int], str] = OrderedDict()

    async def of(self, message: OutboxMessage) -> Language:
        """Return the language of a post for all: its match's, challenge's or cup's, else its server's."""
        for kind, read in (
            ("match", matches.language),
            ("challenge", challenges.language),
            ("cup", cups.language),
        ):
            if kind in message.payload:
                return language(await self._own(kind, message.payload[kind], read))
        guild_id = message.payload.get("guild")
        return ENGLISH if guild_id is None else language(await self._server(guild_id))

    async def _own(self, kind: str, number: int, read: Callable[[AsyncConnection, int], Awaitable[str]]) -> str:
        key = (kind, number)
        if key not in self._kept:
            async with self._context.database.read() as tx:
                self._kept[key] = await read(tx, number)
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    async def _server(self, guild_id: int) -> str:
        async with self._context.database.read() as tx:
            chosen = (await guilds.settings(tx, guild_id)).language
        guild = self._context.client.get_guild(guild_id)
        return chosen or language_for(ENGLISH.code if guild is None else guild.preferred_locale)


async def in_language_of(context: DeliveryContext, user_id: int, compose: Callable[[], str]) -> str:
    """Return the text of ``compose`` in a person's language or, if that is unknown, in the current one."""
    spoken = await context.services.personal_settings.spoken_with(user_id)
    with speaking(current_language() if spoken is None else language(spoken.language, spoken.commands)):
        return compose()
